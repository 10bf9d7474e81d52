/** Clients that have called auth. In memory only: the newest 200. */
import { z } from "zod";
import { isoInstantText } from "../scalars.ts";

/** One client, identified by address and user agent. */
export const clientItem = z.object({
  id: z.string(),
  remote: z.string().describe("Its IP address."),
  userAgent: z.string().nullable(),
  device: z.string().nullable().describe("The device type from the user agent, such as iPhone or Android phone."),
  firstSeenAt: isoInstantText,
  lastSeenAt: isoInstantText,
  http: z.boolean().describe("Whether it has sent a request over http."),
  https: z.boolean().describe("Whether it has sent a request over https, and so trusts the certificate."),
  tlsRefusals: z.int().describe("TLS handshakes that the client aborted because of the certificate (alerts 42 to 48)."),
  tlsAborted: z.int().describe("Other aborted TLS handshakes."),
  requests: z.int(),
  lastStatus: z.int().nullable(),
  lastReason: z.string().nullable().describe("The Emulator-Reason header."),
});
export type ClientItem = z.input<typeof clientItem>;
