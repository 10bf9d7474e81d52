/**
 * What the control API does with sessions: sign in without a passcode, expire, revoke (CONTRACT 6).
 */
import { problem } from "#contract/problems.ts";
import type { SessionRecord } from "#contract/records.ts";
import { epochMs, isoInstant } from "#contract/scalars.ts";
import { Changes } from "./changes.ts";
import type { Decision } from "./decision.ts";
import type { Env } from "./env.ts";
import { beginSession, sessionState } from "./sessions.ts";
import type { AppWorld, World } from "./world.ts";

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
export const expireSession = (world: World, app: AppWorld, id: string, env: Env): Decision<SessionRecord> => {
  const session = app.find("sessions", id);
  if (session === undefined) return problem("unknown_record");
  const changes = new Changes(world);
  const now = env.now(app.app.appId);
  if (session.expiresAt <= isoInstant(now)) return changes.decided(session);
  const expiresAt = isoInstant(epochMs(Math.floor(now / 1000) * 1000));
  return changes.decided(changes.put("sessions", app.app.appId, { ...session, expiresAt }));
};

/** Revokes these sessions; one that is revoked already stays as it was. */
export const revokeSessions = (
  world: World,
  app: AppWorld,
  sessions: readonly SessionRecord[],
  env: Env,
  changes = new Changes(world),
): Decision<null> => {
  const revokedAt = isoInstant(env.now(app.app.appId));
  for (const session of sessions) {
    if (session.revokedAt === null) changes.put("sessions", app.app.appId, { ...session, revokedAt });
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
