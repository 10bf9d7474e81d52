/** The interface between HTTP and the network listeners of auth, including TLS; server.ts connects them. */

import type { LanItem, TlsItem, UrlCheck } from "#contract/control/network.ts";
import type { IsoInstant } from "#contract/scalars.ts";

/** The certificate that devices must trust. */
export interface RootCertificate {
  readonly subject: string;
  readonly notAfter: IsoInstant;
  readonly pem: string;
  readonly der: Buffer;
  /** SHA-256: hexadecimal bytes separated by colons. */
  readonly fingerprint256: string;
}

/** Auth on the local network and over TLS. */
export interface NetworkPort {
  lan(): LanItem;
  /** Opens auth to the local network, or closes it. @throws an error with its problem; nothing has changed then. */
  setLan(open: boolean): Promise<void>;
  tls(): Promise<TlsItem>;
  /** Starts or stops the TLS listener. @throws an error with its problem; nothing has changed then. */
  setTls(on: boolean): Promise<void>;
  /** @returns the authority's certificate; undefined if there is none yet, or it cannot be read. */
  root(): Promise<RootCertificate | undefined>;
  /** @returns the same; creates an authority if there is none. @throws as `setTls`. */
  makeRoot(): Promise<RootCertificate>;
  /** Calls every auth URL from this machine. */
  reach(): Promise<UrlCheck[]>;
  /** The ports on which auth listens. */
  ports(): { readonly http: number; readonly tls: number | null };
}
