/** Auth on the network: whether it is open and its URLs, TLS with a local certificate authority, and whether it responds. */
import { z } from "zod";
import { isoInstantText } from "../scalars.ts";

/** Response of GET lan. */
export const lanItem = z.object({
  open: z.boolean(),
  urls: z.array(z.string()).describe("The URLs of auth for other machines, the likeliest first; empty while closed."),
  tlsUrls: z.array(z.string()).describe("The same over TLS; empty while TLS is off."),
  addresses: z
    .array(z.object({ name: z.string().describe("The name of the network interface."), address: z.string() }))
    .describe("The addresses of this machine, except loopback; the likeliest first."),
});
export type LanItem = z.output<typeof lanItem>;

/** Response of GET tls. Contains no private key. */
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
export type TlsItem = z.input<typeof tlsItem>;

/** One auth URL, as seen from this machine. */
export const urlCheck = z.object({
  url: z.string(),
  addresses: z.array(z.string()).describe("The addresses of its host; empty: the name does not resolve."),
  // `elsewhere`: its name resolves to another machine. `stranger`: another program responds.
  problem: z
    .enum(["unresolved", "elsewhere", "refused", "silent", "stranger", "certificate"])
    .nullable()
    .describe("null: Stagedoor responds at this URL."),
  instruction: z.string().nullable().describe("What to do about the problem."),
});
export type UrlCheck = z.output<typeof urlCheck>;
