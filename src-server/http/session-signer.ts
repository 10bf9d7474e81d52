/** Signs session tokens: valid ones by the app's settings, or defective ones (D29). */
import { Buffer } from "node:buffer";
import { isJsonObject } from "#contract/scalars.ts";
import type { SessionRecord } from "#contract/service/records.ts";
import type { OwnClaims } from "#contract/service/token-claims.ts";
import { canHave, type Defect } from "#contract/service/token-defects.ts";
import type { Signing, TokenClaims, Tokens } from "#contract/service/tokens.ts";
import { parsedJson } from "#contract/words/parsed-json.ts";
import { signingOf, tokenClaims } from "#domain/tokens.ts";
import type { Env } from "#domain/world.ts";
import { revokedSession, wrongClaims } from "#domain/wrong-tokens.ts";
import type { Deps } from "./deps.ts";
import { type Found, Refusal, settled, wrongFields } from "./lookups/select.ts";

/** The keys that signed the first tokens of sessions, as long as these are in memory. */
const signers = new WeakMap<SessionRecord, string>();
/** @returns the key that signed the first token of a session; undefined: not known, or the app's secret. */
export const signerOf = (session: SessionRecord): string | undefined => signers.get(session);

/** The last header that was read, and its key: the tokens of a key have the same one. */
let last = "";
let lastKid: string | undefined;
const kidOf = (token: string): string | undefined => {
  const text = token.slice(0, token.indexOf("."));
  if (text === last) return lastKid;
  const header = parsedJson(Buffer.from(text, "base64url").toString());
  last = text;
  lastKid = isJsonObject(header) && typeof header["kid"] === "string" ? header["kid"] : undefined;
  return lastKid;
};

/** @returns a function that signs the token of a session with the app's current settings. */
export const createSessionSigner =
  ({ store, tokens }: Pick<Deps, "store" | "tokens">) =>
  async (appId: string, session: SessionRecord): Promise<string> => {
    const token = await tokens.sign(tokenClaims(appId, session), signingOf(store.world.app(appId), session));
    const kid = kidOf(token);
    if (kid !== undefined && !signers.has(session)) signers.set(session, kid);
    return token;
  };

/** @param defect undefined: a valid token. @throws Refusal: 422 if the algorithm cannot have it; `KeyLoans.sign`. */
export const createWrongSigner =
  ({ store, tokens, env: { realNow } }: Pick<Deps, "store" | "tokens" | "env">, loans: KeyLoans) =>
  async (
    { app, record: session }: Found<"sessions">,
    defect: Defect | undefined,
    env: Env,
    claims?: OwnClaims,
  ): Promise<string> => {
    const { appId } = app.app;
    const signing = signingOf(app, session, claims);
    const good = tokenClaims(appId, session);
    if (defect === undefined) return await tokens.sign(good, signing);
    const algorithm = signing.algorithm ?? tokens.defaultAlgorithm;
    if (!canHave(algorithm, defect))
      throw wrongFields({
        defect: [`cannot be had with ${algorithm}, which has neither a key id nor a public key`],
      });
    if (defect === "newKey" || defect === "retiredKey") return await loans.sign(defect, good, signing);
    const times = [env.now(appId), realNow()].map((ms) => Math.floor(ms / 1000));
    const revoked =
      defect === "revoked" ? settled(store.transact((w) => revokedSession(w, app, session, env))) : session;
    const earlier = Math.min(...times);
    const later = Math.max(...times);
    const wrong = wrongClaims(good, defect, { earlier, later, stranger: env.uuid(), revoked: revoked.id });
    return await tokens.signWrong(wrong, signing, defect);
  };

/** Longer than a check needs a key: two calls of 5 s, and a wait of at most 60 s. */
const LOAN_MS = 90_000;

type Loan = Awaited<ReturnType<Tokens["lend"]>> & { readonly timer: NodeJS.Timeout };

/** Keys that are in the JWKS only while a backend is checked: in memory, so that a kill leaves none. */
export const createKeyLoans = (tokens: Tokens) => {
  const loans = new Map<SessionRecord["id"], Loan>();
  /** Removes the key of a session from the JWKS, if it has one. */
  const end = (sessionId: SessionRecord["id"]): void => {
    const loan = loans.get(sessionId);
    clearTimeout(loan?.timer);
    loan?.end();
    loans.delete(sessionId);
  };
  const lend = async (
    sessionId: SessionRecord["id"],
    { algorithm = tokens.defaultAlgorithm }: Signing,
  ): Promise<Loan> => {
    if (algorithm === "HS256") throw new Error("HS256 has no key to lend");
    const lent = await tokens.lend(algorithm);
    end(sessionId);
    const loan = { ...lent, timer: setTimeout(() => end(sessionId), LOAN_MS).unref() };
    loans.set(sessionId, loan);
    return loan;
  };
  /** @throws Refusal with `--signing-key`, or if there is no key that could be retired. */
  const sign = async (defect: "newKey" | "retiredKey", claims: TokenClaims, signing: Signing): Promise<string> => {
    if (tokens.hasOwnKey) throw new Refusal({ code: "own_key" });
    const loan = loans.get(claims.jti) ?? (defect === "newKey" ? await lend(claims.jti, signing) : undefined);
    if (loan === undefined) throw wrongFields({ defect: ["needs a token with newKey, at most 90 s before"] });
    if (defect === "retiredKey") end(claims.jti);
    return await loan.sign(claims, signing);
  };
  return { sign, end };
};
/** @see createKeyLoans */
type KeyLoans = ReturnType<typeof createKeyLoans>;
