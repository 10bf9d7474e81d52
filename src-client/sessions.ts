/** Sessions and their tokens. */
import type { OfApp } from "./of-app.ts";
import type * as R from "./records.ts";
import { segment, type Transport } from "./transport.ts";

/** @returns the calls. @see Client */
export const createSessions = ({ ask, tell }: Transport) => ({
  /** Signs a user in without a passcode. */
  create: (body: R.SessionInput): Promise<R.Session & { token: string }> => ask("POST", "sessions", { body }),
  get: (id: string): Promise<R.Session> => ask("GET", `sessions/${segment(id)}`),
  list: (query?: R.SessionQuery): Promise<R.List<R.Session>> => ask("GET", "sessions", { query }),
  /** Revokes a session. @param id of the session. */
  revoke: (id: string): Promise<void> => tell("DELETE", `sessions/${segment(id)}`),
  /** Revokes the sessions of an app, of a user, or all. */
  revokeAll: (query?: OfApp & { readonly userId?: string }): Promise<void> => tell("DELETE", "sessions", { query }),
  /** Expires a session now. @param id of the session. */
  expire: (id: string): Promise<R.Session> => ask("POST", `sessions/${segment(id)}/expire`),
  /** @returns a newly signed token for a session. @param id of the session. */
  token: async (id: string): Promise<string> =>
    (await ask<{ token: string }>("GET", `sessions/${segment(id)}/token`)).token,
  /** Signs a token with a defect, to test a backend; without `defect` a valid one. @param id of the session. */
  wrongToken: (id: string, body: R.WrongTokenInput = {}): Promise<R.WrongToken> =>
    ask("POST", `sessions/${segment(id)}/token`, { body }),
  /** Calls your backend with a valid token and with each defective one. @param id of an active session. */
  checkBackend: (id: string, body: R.TokenCheckInput): Promise<R.TokenCheck> =>
    ask("POST", `sessions/${segment(id)}/token-check`, { body }),
  /** @returns whether a token is active, and its claims. */
  introspect: (token: string): Promise<R.Introspection> => ask("POST", "sessions/introspect", { body: { token } }),
});
