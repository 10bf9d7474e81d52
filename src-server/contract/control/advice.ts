/** Advice on a logged request: what the service itself cannot say. */
import { z } from "zod";
import { optional } from "../scalars.ts";

/** One piece of advice. */
export const advice = z.object({
  code: z
    .string()
    .describe(
      "What it is about: `passcode_in_post`, `near_user`, `sent_twice`, `answer_lost`, `number_rounded`, `ignored`; what is wrong with a part of a request, such as `blank_around` or `renamed_field`; or the reason of the rejection.",
    ),
  text: z.string().describe("What is the matter and what to change, in words."),
  send: optional(z.string(), "What would have been accepted, tried by the same rules without a change."),
  at: optional(
    z.string(),
    "Where: `body`, `body.user.phone`, `path`, `method`, `query.page`, `header.authorization`. `send` replaces what is there.",
  ),
});
/** @see advice */
export type Advice = z.output<typeof advice>;
