/** Auth on the local network (CONTRACT 9): whether it is open, and where. */
import { z } from "zod";

/** GET lan. */
export const lanItem = z.object({
  open: z.boolean(),
  urls: z.array(z.string()).meta({ description: "Auth for other machines, the likeliest first; none while closed." }),
  tlsUrls: z.array(z.string()).meta({ description: "The same over TLS; none while TLS is off." }),
  addresses: z
    .array(z.object({ name: z.string().meta({ description: "Of the network interface." }), address: z.string() }))
    .meta({ description: "The addresses of this machine, except loopback; the likeliest first." }),
});
/** @see lanItem */
export type LanItem = z.output<typeof lanItem>;

/** PUT lan. */
export const lanInput = z.strictObject({ open: z.boolean() });
