/** Signs session tokens: valid ones by the app's settings, or defective ones (D29). */
import { Buffer } from "node:buffer";
import { isJsonObject } from "#contract/scalars.ts";
import type { SessionRecord } from "#contract/service/records.ts";
import type { OwnClaims } from "#contract/service/token-claims.ts";
import { canHave, type Defect } from "#contract/service/token-defects.ts";
import { parsedJson } from "#contract/words/parsed-json.ts";
import { signingOf, tokenClaims } from "#domain/tokens.ts";
import type { Env } from "#domain/world.ts";
import { revokedSession, wrongClaims } from "#domain/wrong-tokens.ts";
import type { Deps } from "./deps.ts";
import type { KeyLoans } from "./key-loans.ts";
import { type Found, Refusal, settled } from "./lookups/select.ts";

/** The keys that signed the first tokens of sessions, as long as these are in memory. */
const signers = new WeakMap<SessionRecord, string>();
/** @returns the key that signed the first token of a session; undefined: not known, or the app's secret. */
export const signerOf = (session: SessionRecord): string | undefined => signers.get(session);

/** The last header that was read, and its key: the tokens of a key have the same one. */
let last = "";
let lastKid: string | undefined;
/** @returns the key in the header of a token; undefined if it names none. */
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
      throw new Refusal({
        code: "invalid_fields",
        fields: { defect: [`cannot be had with ${algorithm}, which has neither a key id nor a public key`] },
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
