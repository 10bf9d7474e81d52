/** Session operations of the control API: sign in without a passcode, expire, revoke. */
import { beginningOf, epochMs, isoInstant } from "#contract/scalars.ts";
import { invalid, problem } from "#contract/service/problems.ts";
import type { ProfileRecord, SessionRecord } from "#contract/service/records.ts";
import { usernameField } from "#contract/service/strategies.ts";
import type { TokenClaims, TokenRefusal } from "#contract/service/tokens.ts";
import { Changes, type Decision, stored } from "./decision.ts";
import { createProfile } from "./profiles.ts";
import { beginSession, sessionState } from "./sessions.ts";
import type { AppWorld, Env, World } from "./world.ts";

/** Whom to sign in: by id, or by username, and then also someone new. */
export type SignedIn = { readonly userId: string } | { readonly to: string; readonly create: boolean };

/** Signs a user in without a passcode. @param ttlSeconds the lifetime of this session only. */
export const addSession = (
  world: World,
  app: AppWorld,
  who: SignedIn,
  env: Env,
  ttlSeconds?: number,
): Decision<SessionRecord> => {
  const changes = new Changes(world);
  const begin = (userId: string) => changes.decided(beginSession(changes, app, userId, env, ttlSeconds));
  const known = "to" in who ? app.profileByUsername(who.to) : app.find("profiles", who.userId);
  if (known !== undefined) return begin(known.userId);
  if (!("to" in who)) return problem("unknown_profile");
  const { appId } = app.app;
  if (!who.create) {
    const instruction = `${appId} has no user ${JSON.stringify(beginningOf(who.to, 64))}. Add "create": true to make one.`;
    return problem("unknown_profile", { instruction });
  }
  const field = usernameField(app.app);
  const made = createProfile(world, app, { [field]: who.to }, env, {}, changes);
  if (!("problem" in made)) return begin(made.value.userId);
  const { [field]: ofUsername = [], ...others } = made.problem.fields ?? {};
  return made.problem.fields === undefined ? made : invalid({ ...others, to: ofUsername });
};

/** Expires a session now: at the end of the previous second, because `expiration` is in whole seconds. */
export const expireSession = (
  world: World,
  app: AppWorld,
  session: SessionRecord,
  env: Env,
): Decision<SessionRecord> => {
  const now = env.now(app.app.appId);
  if (session.expiresAt <= isoInstant(now)) return { value: session, changes: [] };
  const expiresAt = isoInstant(epochMs(Math.floor(now / 1000) * 1000));
  return stored(world, "sessions", app.app.appId, { ...session, expiresAt });
};

/** Revokes these sessions, grouped by app; sessions already revoked stay as they are. */
export const revokeSessions = (
  world: World,
  sessions: readonly (readonly [AppWorld, readonly SessionRecord[]])[],
  env: Env,
): Decision<null> => {
  const changes = new Changes(world);
  for (const [{ app }, ofApp] of sessions) {
    const revokedAt = isoInstant(env.now(app.appId));
    for (const session of ofApp)
      if (session.revokedAt === null) changes.put("sessions", app.appId, { ...session, revokedAt });
  }
  return changes.decided(null);
};

/** The session and user of an active token. */
export interface ActiveSession {
  readonly app: AppWorld;
  readonly session: SessionRecord;
  readonly profile: ProfileRecord;
}

/** @param claims of a valid signature. @returns the session if the token is active, or why not (D29). */
export const activeSession = (
  world: World,
  claims: TokenClaims,
  env: Env,
): ActiveSession | { readonly refusal: TokenRefusal } => {
  const app = world.app(claims.appId);
  if (app === undefined) return { refusal: "unknown_app" };
  const profile = app.find("profiles", claims.sub);
  if (profile === undefined) return { refusal: "unknown_user" };
  const session = app.find("sessions", claims.jti);
  if (session?.userId !== claims.sub) return { refusal: "unknown_session" };
  const now = env.now(claims.appId);
  const state = sessionState(session, now);
  if (state === "revoked") return { refusal: "revoked" };
  if (state === "expired" || claims.exp * 1000 <= now) return { refusal: "expired" };
  if (claims.nbf * 1000 > now) return { refusal: "not_yet_valid" };
  if (claims.iat * 1000 > now) return { refusal: "issued_in_future" };
  return { app, session, profile };
};
