/** Session tokens: their claims, who signs and reads them, and why a token is inactive (D29). */
import { z } from "zod";
import type { JsonObject } from "../scalars.ts";
import type { SigningKeyFacts } from "./signing-keys.ts";
import type { KeyAlgorithm, OwnClaims, TokenAlgorithm } from "./token-claims.ts";
import type { Defect } from "./token-defects.ts";

/** The claims of a session token (D29), all plain ASCII; `iat`, `nbf` and `exp` in whole seconds since 1970. */
export const sessionClaims = z.object({
  iss: z.string(),
  // Absent only in a defective token.
  aud: z.union([z.string(), z.array(z.string())]).exactOptional(),
  // The user's id.
  sub: z.string(),
  // The session's id.
  jti: z.string(),
  appId: z.string(),
  iat: z.int(),
  nbf: z.int(),
  exp: z.int(),
});
export type TokenClaims = Readonly<z.infer<typeof sessionClaims>>;

/** Why introspection reports a token as inactive: `reason` in its response. */
// biome-ignore format: a list
export const TOKEN_REFUSALS = [
  "whitespace", "malformed", "algorithm_none", "wrong_algorithm", "no_kid", "unknown_kid", "bad_signature", "no_subject",
  "unknown_app", "unknown_user", "unknown_session", "revoked", "expired", "not_yet_valid", "issued_in_future",
] as const;
export type TokenRefusal = (typeof TOKEN_REFUSALS)[number];

/** How the tokens of an app are signed. */
export interface Signing {
  /** Absent: the default of the process. */
  readonly algorithm?: TokenAlgorithm;
  /** The app's secret; for HS256. */
  readonly secret: string;
  /** The app's custom claims; they come after the others. */
  readonly more?: OwnClaims;
}

/** The result of reading a token. */
export type ReadToken = { readonly claims: TokenClaims } | { readonly refusal: TokenRefusal };

/** A public key as in `/.well-known/jwks.json` (RFC 7517 4). */
export type PublicJwk = JsonObject & { readonly kid: string; readonly alg: KeyAlgorithm };

/** A key that is published until `end`, but signs nothing else and is never stored. */
interface LentKey {
  /** Signs a token of an app with it, also after its end. */
  readonly sign: (claims: TokenClaims, signing: Signing) => Promise<string>;
  readonly end: () => void;
}

/** Signs and reads session tokens. */
export interface Tokens {
  /** The algorithm of apps that set none: ES256, or that of `--signing-key`. */
  readonly defaultAlgorithm: KeyAlgorithm;
  /** @returns a JWT with the claims in the order of `TokenClaims`. The signature can differ between calls. */
  sign(claims: TokenClaims, signing: Signing): Promise<string>;
  /**
   * Signs a defective token.
   * @param claims already changed for the defect. @throws Error if the algorithm cannot have the defect.
   */
  signWrong(claims: Partial<TokenClaims>, signing: Signing, defect: Defect): Promise<string>;
  /** Checks format, algorithm, key and signature, but not the times or the content of the claims. */
  read(token: string): Promise<ReadToken>;
  /**
   * @param inUse the algorithms of the apps. @returns the public keys for `/.well-known/jwks.json` (RFC 7517 5): those
   * in use now or earlier.
   * @throws Error with a `problem` if a new key cannot be stored.
   */
  keys(inUse: Iterable<TokenAlgorithm>): Promise<readonly PublicJwk[]>;
  /** As `keys`, but what the control API shows of them; without lent ones. */
  signingKeys(inUse: Iterable<TokenAlgorithm>): Promise<readonly SigningKeyFacts[]>;
  /** Whether the keys are those of `--signing-key`, which cannot be changed. */
  readonly hasOwnKey: boolean;
  /** Creates a key that signs from now on. @returns its id. @throws as `keys` */
  rotate(algorithm: KeyAlgorithm): Promise<string>;
  /** Removes a key permanently. @returns why not; undefined: done. @throws as `keys` */
  retire(kid: string): Promise<"unknown" | "current" | undefined>;
  /** Publishes a temporary key. */
  lend(algorithm: KeyAlgorithm): Promise<LentKey>;
}
