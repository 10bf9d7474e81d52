/** What the HTTP side needs of auth's listeners on the network and of TLS. server.ts plugs it in. */
import type { ReachItem } from "#contract/connect.ts";
import type { LanItem } from "#contract/lan.ts";
import type { Problem } from "#contract/problems.ts";
import type { IsoInstant } from "#contract/scalars.ts";
import type { TlsItem } from "#contract/tls.ts";

/** The certificate that devices have to trust. */
export interface RootCertificate {
  readonly subject: string;
  readonly notAfter: IsoInstant;
  readonly pem: string;
  readonly der: Buffer;
  /** SHA-256: hexadecimal bytes, with colons. */
  readonly fingerprint256: string;
}

/** Auth on the local network and over TLS (CONTRACT 9). */
export interface NetworkPort {
  lan(): LanItem;
  /** Opens auth to the local network, or closes it. @returns what is in the way; nothing has changed then. */
  setLan(open: boolean): Promise<Problem | undefined>;
  tls(): Promise<TlsItem>;
  /** Starts or stops the TLS listener. @returns what is in the way; nothing has changed then. */
  setTls(on: boolean): Promise<Problem | undefined>;
  /** Replaces the certificate authority; devices have to trust the new one. */
  renewCa(): Promise<void>;
  /** @returns the certificate of the authority; undefined if there is none yet. */
  root(): Promise<RootCertificate | undefined>;
  /** @returns the same; an authority is made if there is none yet. */
  makeRoot(): Promise<RootCertificate>;
  /** Asks every URL of auth, from this machine. */
  reach(): Promise<ReachItem[]>;
  /** The ports of auth that answer. */
  ports(): { readonly http: number; readonly tls: number | null };
}
