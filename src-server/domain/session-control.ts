/** What the control API does with sessions: sign in without a passcode, expire, revoke (CONTRACT 6). */
import { problem } from "#contract/problems.ts";
import type { SessionRecord } from "#contract/records.ts";
import { epochMs, isoInstant } from "#contract/scalars.ts";
import { Changes, type Decision } from "./decision.ts";
import { beginSession, sessionState } from "./sessions.ts";
import type { AppWorld, Env, World } from "./world.ts";

/** Signs a user in without a passcode. @param ttlSeconds of this session alone. */
export const addSession = (
  world: World,
  app: AppWorld,
  userId: string,
  env: Env,
  ttlSeconds?: number,
): Decision<SessionRecord> => {
  if (app.find("profiles", userId) === undefined) return problem("unknown_profile");
  const changes = new Changes(world);
  return changes.decided(beginSession(changes, app, userId, env, ttlSeconds));
};

/** Lets a session expire now: at the end of the second before, since its expiration is in whole seconds. */
export const expireSession = (
  world: World,
  app: AppWorld,
  session: SessionRecord,
  env: Env,
): Decision<SessionRecord> => {
  const changes = new Changes(world);
  const now = env.now(app.app.appId);
  if (session.expiresAt <= isoInstant(now)) return changes.decided(session);
  const expiresAt = isoInstant(epochMs(Math.floor(now / 1000) * 1000));
  return changes.decided(changes.put("sessions", app.app.appId, { ...session, expiresAt }));
};

/** Revokes these sessions, by their apps; one that is revoked already stays as it was. */
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

/** The claims that name a session. */
export interface NamedSession {
  readonly jti: string;
  readonly sub: string;
  readonly appId: string;
  /** Seconds since 1970. */
  readonly exp: number;
}

/**
 * @param claims of a token whose signature is right.
 * @returns the session and its profile if the token is active: neither expired nor revoked, the profile still there (D29).
 */
export const activeSession = (world: World, claims: NamedSession, env: Env) => {
  const app = world.app(claims.appId);
  const session = app?.find("sessions", claims.jti);
  if (app === undefined || session === undefined || session.userId !== claims.sub) return undefined;
  const now = env.now(claims.appId);
  const profile = app.find("profiles", session.userId);
  if (profile === undefined || claims.exp * 1000 <= now || sessionState(session, now) !== "active") return undefined;
  return { app, session, profile };
};
