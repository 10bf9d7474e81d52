/** The interface between HTTP and the network listeners of auth, including TLS; server.ts connects them. */
import type { ReachItem } from "#contract/connect.ts";
import type { LanItem } from "#contract/lan.ts";
import type { Problem } from "#contract/problems.ts";
import type { IsoInstant } from "#contract/scalars.ts";
import type { TlsItem } from "#contract/tls.ts";

/** The certificate that devices must trust. */
export interface RootCertificate {
  readonly subject: string;
  readonly notAfter: IsoInstant;
  readonly pem: string;
  readonly der: Buffer;
  /** SHA-256: hexadecimal bytes separated by colons. */
  readonly fingerprint256: string;
}

/** Auth on the local network and over TLS (CONTRACT 9). */
export interface NetworkPort {
  lan(): LanItem;
  /** Opens auth to the local network, or closes it. @returns a problem if that fails; nothing has changed then. */
  setLan(open: boolean): Promise<Problem | undefined>;
  tls(): Promise<TlsItem>;
  /** Starts or stops the TLS listener. @returns a problem if that fails; nothing has changed then. */
  setTls(on: boolean): Promise<Problem | undefined>;
  /** Replaces the certificate authority; devices must trust the new one. */
  renewCa(): Promise<void>;
  /** @returns the authority's certificate; undefined if there is none yet. */
  root(): Promise<RootCertificate | undefined>;
  /** @returns the same; creates an authority if there is none. */
  makeRoot(): Promise<RootCertificate>;
  /** Calls every auth URL from this machine. */
  reach(): Promise<ReachItem[]>;
  /** The ports on which auth listens. */
  ports(): { readonly http: number; readonly tls: number | null };
}
