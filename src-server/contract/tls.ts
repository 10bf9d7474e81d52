/** Auth over TLS with a certificate authority of our own (CONTRACT 9). No private key is in here. */
import { z } from "zod";
import { isoInstantText } from "./scalars.ts";

/** GET tls. */
export const tlsItem = z.object({
  on: z.boolean(),
  url: z.string().nullable().meta({ description: "Auth over TLS on this machine; null while TLS is off." }),
  lanUrls: z.array(z.string()).meta({ description: "The same for other machines." }),
  ca: z
    .object({
      subject: z.string(),
      fingerprint256: z.string().meta({ description: "SHA-256 of the certificate: hexadecimal bytes, with colons." }),
      notAfter: isoInstantText,
      pem: z.string().meta({ description: "The certificate that devices have to trust." }),
    })
    .nullable()
    .meta({ description: "The certificate authority of this user; null: TLS was never on." }),
  leaf: z
    .object({
      names: z.array(z.string()).meta({ description: "The names and addresses that the certificate is valid for." }),
      uncovered: z.array(z.string()).meta({
        description: "Addresses of this machine outside the ranges that the authority may sign for.",
      }),
      notAfter: isoInstantText,
    })
    .nullable()
    .meta({ description: "The certificate of the listener; null while TLS is off." }),
});
/** @see tlsItem */
export type TlsItem = z.input<typeof tlsItem>;

/** PUT tls. */
export const tlsInput = z.strictObject({ on: z.boolean() });
