/** Session tokens: what they say, who signs and reads them, and why one is not active (D29, CONTRACT 11). */
import type { JsonObject } from "./scalars.ts";
import type { OwnClaims, TokenAlgorithm } from "./token-claims.ts";
import type { Defect } from "./token-defects.ts";

/** The claims of a session token (D29), all plain ASCII; `iat`, `nbf` and `exp` in whole seconds since 1970. */
export interface TokenClaims {
  readonly iss: string;
  /** Absent only in a token that was made wrong on purpose. */
  readonly aud?: string;
  /** The user's id. */
  readonly sub: string;
  /** The session's id. */
  readonly jti: string;
  readonly appId: string;
  readonly iat: number;
  readonly nbf: number;
  readonly exp: number;
}

/** Why introspection calls a token inactive; `reason` in its answer. */
export const TOKEN_REFUSALS = [
  "malformed",
  "algorithm_none",
  "wrong_algorithm",
  "no_kid",
  "unknown_kid",
  "bad_signature",
  "no_subject",
  "unknown_app",
  "unknown_user",
  "unknown_session",
  "revoked",
  "expired",
  "not_yet_valid",
  "issued_in_future",
] as const;
/** @see TOKEN_REFUSALS */
export type TokenRefusal = (typeof TOKEN_REFUSALS)[number];

/** How the tokens of an app are signed. Absent members cost nothing. */
export interface Signing {
  /** Absent: the default of the process. */
  readonly algorithm?: TokenAlgorithm;
  /** The app's secret; for HS256. */
  readonly secret: string;
  /** Claims of the app's own, which stand behind the others. */
  readonly more?: OwnClaims;
}

/** What a token was found to be. */
export type ReadToken = { readonly claims: TokenClaims } | { readonly refusal: TokenRefusal };

/** Signs and reads session tokens. */
export interface Tokens {
  /** The algorithm of apps that set none: ES256, or that of `--signing-key`. */
  readonly defaultAlgorithm: TokenAlgorithm;
  /**
   * @returns the JWT of these claims, which stand in it in the order of `TokenClaims`. Each call may give another signature.
   * @throws Error with a `problem` if a new key cannot be stored.
   */
  sign(claims: TokenClaims, signing: Signing): Promise<string>;
  /**
   * Signs a token that is wrong in one way.
   * @param claims as that defect has them. @throws Error if the algorithm cannot have the defect.
   */
  signWrong(claims: Partial<TokenClaims>, signing: Signing, defect: Defect): Promise<string>;
  /** Checks form, algorithm, key and signature, but neither the times nor what the claims say. */
  read(token: string): Promise<ReadToken>;
  /**
   * @param inUse the algorithms of the apps. @returns the public keys that `/.well-known/jwks.json` shows (RFC 7517 5): those
   * in use, and those that were.
   * @throws Error with a `problem` if a new key cannot be stored.
   */
  keys(inUse: Iterable<TokenAlgorithm>): Promise<readonly JsonObject[]>;
}
