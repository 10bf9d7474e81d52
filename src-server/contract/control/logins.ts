/** What a login is: the requests of one user from the first to the session. */
import { z } from "zod";

/** A login without a request or a code for longer has ended, in milliseconds of the service's clock. */
export const LOGIN_QUIET_MS = 600_000;

/** The login of a logged request. */
export const login = z.object({
  id: z.string().describe("The id of the login's first request."),
  to: z.string().describe("The username, as it was sent."),
  typed: z.string().nullable().describe("The passcode of a PUT, as it was entered."),
});
/** @see login */
export type Login = z.output<typeof login>;

/** @returns whether a request ended its login with a session, and not only because a fault said so. */
export const givesSession = ({
  status,
  reason,
}: {
  readonly status: number;
  readonly reason: string | null;
}): boolean => (status === 200 || status === 201) && reason === null;
