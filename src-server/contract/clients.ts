/** Who has asked auth (CONTRACT 9). Kept in memory: the newest 200. */
import { z } from "zod";
import { isoInstantText } from "./scalars.ts";

/** One client: an address and a user agent. */
export const clientItem = z.object({
  id: z.string(),
  remote: z.string().meta({ description: "Its IP address." }),
  userAgent: z.string().nullable(),
  device: z.string().nullable().meta({ description: "What the user agent tells, such as iPhone or Android phone." }),
  firstSeenAt: isoInstantText,
  lastSeenAt: isoInstantText,
  http: z.boolean().meta({ description: "Whether it has sent a request over http." }),
  https: z.boolean().meta({ description: "Whether it has sent a request over https: it trusts the certificate." }),
  tlsRefusals: z
    .int()
    .meta({ description: "TLS handshakes that it ended because of the certificate (alerts 42 to 48)." }),
  tlsAborted: z.int().meta({ description: "Other TLS handshakes that broke off." }),
  requests: z.int(),
  lastStatus: z.int().nullable(),
  lastReason: z.string().nullable().meta({ description: "As the Emulator-Reason header." }),
});
/** @see clientItem */
export type ClientItem = z.input<typeof clientItem>;
