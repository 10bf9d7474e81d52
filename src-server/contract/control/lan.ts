/** Auth on the local network: whether it is open, and its URLs. */
import { z } from "zod";

/** Response of GET lan. */
export const lanItem = z.object({
  open: z.boolean(),
  urls: z.array(z.string()).describe("The URLs of auth for other machines, the likeliest first; empty while closed."),
  tlsUrls: z.array(z.string()).describe("The same over TLS; empty while TLS is off."),
  addresses: z
    .array(z.object({ name: z.string().describe("The name of the network interface."), address: z.string() }))
    .describe("The addresses of this machine, except loopback; the likeliest first."),
});
/** @see lanItem */
export type LanItem = z.output<typeof lanItem>;
