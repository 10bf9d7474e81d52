/** The claims of defective tokens; the tokens room handles their signatures. */
import { isoInstant } from "#contract/scalars.ts";
import type { SessionRecord } from "#contract/service/records.ts";
import type { Defect } from "#contract/service/token-defects.ts";
import type { TokenClaims } from "#contract/service/tokens.ts";
import { Changes, type Decision } from "./decision.ts";
import { beginSession } from "./sessions.ts";
import type { AppWorld, Env, World } from "./world.ts";

const HOUR_SECONDS = 3_600;

/** Times (seconds since 1970) and ids for defective tokens. */
export interface WrongBy {
  /** The earlier of the app's clock and real time, and the later: a backend can use either. */
  readonly earlier: number;
  readonly later: number;
  /** The id of a user that does not exist. */
  readonly stranger: string;
  /** A revoked session of the user. */
  readonly revoked: string;
}

/** @param claims of a valid token. @returns them with this defect; unchanged if it affects header or signature. */
export const wrongClaims = (claims: TokenClaims, defect: Defect, by: WrongBy): Partial<TokenClaims> => {
  const ahead = by.later + HOUR_SECONDS;
  const exp = Math.max(claims.exp, ahead + HOUR_SECONDS);
  const ended = by.earlier - HOUR_SECONDS;
  const begun = Math.min(claims.iat, ended - HOUR_SECONDS);
  const { aud: _, ...noAudience } = claims;
  const { sub: _2, ...noSubject } = claims;
  const wrong: Partial<Record<Defect, Partial<TokenClaims>>> = {
    expired: { ...claims, iat: begun, nbf: begun, exp: ended },
    notYetValid: { ...claims, nbf: ahead, exp },
    issuedInFuture: { ...claims, iat: ahead, exp },
    wrongIssuer: { ...claims, iss: "https://another-issuer.example" },
    wrongAudience: { ...claims, aud: "https://another-audience.example" },
    noAudience,
    noSubject,
    unknownUser: { ...claims, sub: by.stranger },
    revoked: { ...claims, jti: by.revoked },
  };
  return wrong[defect] ?? claims;
};

/** @returns a revoked session of the user: an existing one, or a new one. */
export const revokedSession = (
  world: World,
  app: AppWorld,
  { userId }: SessionRecord,
  env: Env,
): Decision<SessionRecord> => {
  const changes = new Changes(world);
  const known = app.of("sessions", userId).findLast(({ revokedAt }) => revokedAt !== null);
  if (known !== undefined) return changes.decided(known);
  const { appId } = app.app;
  const made = beginSession(changes, app, userId, env);
  return changes.decided(changes.put("sessions", appId, { ...made, revokedAt: isoInstant(env.now(appId)) }));
};
