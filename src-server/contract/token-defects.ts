/** Defective tokens for testing a backend (CONTRACT 11). No schemas here, because the console imports it. */

interface DefectRow {
  /** What is wrong with the token. */
  readonly why: string;
  /** Most libraries accept it, rightly or not, so it never fails a check. */
  readonly advice?: true;
  /** Only possible for tokens signed with a key pair: HS256 has no `kid` and no public key. */
  readonly keyPair?: true;
}

// biome-ignore format: a table
export const DEFECTS = {
  expired: { why: "The token expired an hour ago (exp)." },
  notYetValid: { why: "The token is valid only from an hour from now (nbf)." },
  issuedInFuture: { why: "The token claims to be issued an hour from now (iat).", advice: true },
  wrongIssuer: { why: "The token has another issuer (iss)." },
  wrongAudience: { why: "The token is meant for another service (aud)." },
  noAudience: { why: "The token has no audience (aud)." },
  wrongKey: { why: "The token is signed with another key, under the key id of the right one." },
  unknownKid: { why: "The token is signed with a key that is not in the JWKS (kid).", keyPair: true },
  noKid: { why: "The token has no key id (kid). If the JWKS has a single key, many libraries use that one.", advice: true, keyPair: true },
  tampered: { why: "A claim was changed after the token was signed (exp): the signature does not match." },
  algNone: { why: "The token is not signed at all (alg: none)." },
  hmacWithPublicKey: { why: "The token is signed with HS256, with the public key as the secret (algorithm confusion).", keyPair: true },
  noSubject: { why: "The token has no user (sub).", advice: true },
  unknownUser: { why: "The token names a user that does not exist (sub).", advice: true },
  revoked: { why: "The session of the token was revoked. Only introspection shows it.", advice: true },
  garbage: { why: "This is not a token." },
} as const satisfies Record<string, DefectRow>;

/** The name of a defect. */
export type Defect = keyof typeof DEFECTS;

const table: Readonly<Record<Defect, DefectRow>> = DEFECTS;

/** @returns whether a backend may accept a token with this defect. */
export const isAdvice = (defect: Defect): boolean => table[defect].advice === true;

/** @returns whether tokens of this algorithm can have the defect. */
export const canHave = (algorithm: string, defect: Defect): boolean =>
  algorithm !== "HS256" || table[defect].keyPair !== true;

/** All defects, in table order. */
export const DEFECT_NAMES = Object.keys(DEFECTS) as readonly Defect[];
