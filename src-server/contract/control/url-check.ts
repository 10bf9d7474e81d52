/** Whether auth responds at its URLs. */
import { z } from "zod";

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
/** @see urlCheck */
export type UrlCheck = z.output<typeof urlCheck>;
