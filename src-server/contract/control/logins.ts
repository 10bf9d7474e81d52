/** What a login is: the requests of one user from the first to the session. */
import { z } from "zod";

/** The login of a logged request. */
export const login = z.object({
  id: z.string().describe("The id of the login's first request."),
  to: z.string().describe("The username, as it was sent."),
  typed: z.string().nullable().describe("The passcode of a PUT, as it was entered."),
});
/** @see login */
export type Login = z.output<typeof login>;
