/** Auth over TLS with a local certificate authority. Contains no private key. */
import { z } from "zod";
import { isoInstantText } from "../scalars.ts";

/** Response of GET tls. */
export const tlsItem = z.object({
  on: z.boolean(),
  url: z.string().nullable().describe("The TLS URL of auth on this machine; null while TLS is off."),
  lanUrls: z.array(z.string()).describe("The TLS URLs for other machines."),
  ca: z
    .object({
      subject: z.string(),
      fingerprint256: z.string().describe("SHA-256 of the certificate: hexadecimal bytes separated by colons."),
      notAfter: isoInstantText,
      pem: z.string().describe("The certificate that devices must trust, as PEM."),
    })
    .nullable()
    .describe("The certificate authority of this user; null if TLS was never on."),
  leaf: z
    .object({
      names: z.array(z.string()).describe("The names and addresses that the certificate is valid for."),
      uncovered: z.array(z.string()).describe("Addresses of this machine that the authority may not sign for."),
      notAfter: isoInstantText,
    })
    .nullable()
    .describe("The certificate of the listener; null while TLS is off."),
});
/** @see tlsItem */
export type TlsItem = z.input<typeof tlsItem>;
