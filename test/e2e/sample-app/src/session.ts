/**
 * The session interface, as a client of it: sign up or have a code sent, then sign in with the code.
 */
import { z } from "zod";
import { type Failure, send } from "./http.ts";

/** All that the page knows: where the session interface is, and which app this is. */
export const config = z.object({ authUrl: z.url(), appId: z.string() });
/** @see config */
export type Config = z.infer<typeof config>;

/** Who wants in. The phone is the username; name and email go to the profile. */
export interface User {
  readonly phone: string;
  readonly name?: string;
  readonly email?: string;
}

/** A User Session; `expiration` in UNIX seconds. */
export const session = z.object({ id: z.string(), expiration: z.number(), userId: z.string(), token: z.string() });
/** @see session */
export type Session = z.infer<typeof session>;

/** @see SessionService */
type Answer = { readonly kind: "signedIn"; readonly session: Session } | Failure;

/** The two requests of a login. */
export interface SessionService {
  /** A new user is signed in at once; a known one is sent a code. */
  ask(user: User): Promise<Answer | { readonly kind: "codeSent" }>;
  /** Signs a known user in; name and email, if given, update the profile. */
  enter(user: User, passcode: string): Promise<Answer>;
}

/** @returns the service at these addresses. */
export const createSessionService = ({ authUrl, appId }: Config): SessionService => {
  const url = `${authUrl}/v1/users/session`;
  const read = (status: number, body: unknown): Answer => {
    const found = session.safeParse(body);
    if (found.success) return { kind: "signedIn", session: found.data };
    return { kind: "refused", status, retryAfterSeconds: null, body };
  };
  return {
    ask: async (user) => {
      const answer = await send("POST", url, { body: { appId, user } });
      if (answer.kind !== "done") return answer;
      return answer.status === 202 ? { kind: "codeSent" } : read(answer.status, answer.body);
    },
    enter: async (user, passcode) => {
      const answer = await send("PUT", url, { body: { appId, user, passcode } });
      return answer.kind === "done" ? read(answer.status, answer.body) : answer;
    },
  };
};
