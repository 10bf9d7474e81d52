/** Defective tokens for testing a backend. No schemas here, because the console imports it. */

interface DefectRow {
  /** What is wrong with the token. */
  readonly why: string;
  /** Most libraries accept it, rightly or not, so it never fails a check. */
  readonly advice?: true;
  /** Only possible for tokens signed with a key pair: HS256 has no `kid` and no public key. */
  readonly keyPair?: true;
  /** Only in a check that asks for it, because it adds a key to the JWKS for its duration. */
  readonly rotation?: true;
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
  newKey: { why: "Nothing is wrong with the token, but its key has just been added to the JWKS.", keyPair: true, rotation: true },
  retiredKey: { why: "The key of the token was in the JWKS, and has been removed from it.", advice: true, keyPair: true, rotation: true },
} as const satisfies Record<string, DefectRow>;

/** The name of a defect. */
export type Defect = keyof typeof DEFECTS;

const table: Readonly<Record<Defect, DefectRow>> = DEFECTS;

/** @returns what each of these names means, for descriptions. */
export const defectTexts = (names: readonly Defect[]): string =>
  `What is wrong with the token: ${names.map((name) => `${name}: ${table[name].why}`).join(" ")}`;

/** @returns whether a backend may accept a token with this defect. */
export const isAdvice = (defect: Defect): boolean => table[defect].advice === true;

/** @returns whether tokens of this algorithm can have the defect. */
export const canHave = (algorithm: string, defect: Defect): boolean =>
  algorithm !== "HS256" || table[defect].keyPair !== true;

const ALL = Object.keys(DEFECTS) as readonly Defect[];
/** All defects but those of a rotation, in table order. */
export const DEFECT_NAMES = ALL.filter((defect) => table[defect].rotation !== true);
/** The tokens of a check with `rotate`, in the order of the calls. The first must be accepted. */
export const ROTATION_NAMES = ALL.filter((defect) => table[defect].rotation === true);
