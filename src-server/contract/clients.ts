/** Clients that have called auth (CONTRACT 9). In memory only: the newest 200. */
import { z } from "zod";
import { isoInstantText } from "./scalars.ts";

/** One client, identified by address and user agent. */
export const clientItem = z.object({
  id: z.string(),
  remote: z.string().meta({ description: "Its IP address." }),
  userAgent: z.string().nullable(),
  device: z
    .string()
    .nullable()
    .meta({ description: "The device type from the user agent, such as iPhone or Android phone." }),
  firstSeenAt: isoInstantText,
  lastSeenAt: isoInstantText,
  http: z.boolean().meta({ description: "Whether it has sent a request over http." }),
  https: z.boolean().meta({ description: "Whether it has sent a request over https, and so trusts the certificate." }),
  tlsRefusals: z
    .int()
    .meta({ description: "TLS handshakes that the client aborted because of the certificate (alerts 42 to 48)." }),
  tlsAborted: z.int().meta({ description: "Other aborted TLS handshakes." }),
  requests: z.int(),
  lastStatus: z.int().nullable(),
  lastReason: z.string().nullable().meta({ description: "The Emulator-Reason header." }),
});
/** @see clientItem */
export type ClientItem = z.input<typeof clientItem>;
