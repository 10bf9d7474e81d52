/** Keys that are in the JWKS only while a backend is checked: in memory, so that a kill leaves none. */
import type { SessionRecord } from "#contract/service/records.ts";
import type { Signing, TokenClaims, Tokens } from "#contract/service/tokens.ts";
import { Refusal } from "./lookups/select.ts";

/** Longer than a check needs a key: two calls of 5 s, and a wait of at most 60 s. */
const LOAN_MS = 90_000;

type Loan = Awaited<ReturnType<Tokens["lend"]>> & { readonly timer: NodeJS.Timeout };

export class KeyLoans {
  readonly #tokens: Tokens;
  readonly #loans = new Map<SessionRecord["id"], Loan>();

  constructor(tokens: Tokens) {
    this.#tokens = tokens;
  }

  /** @throws Refusal with `--signing-key`, or if there is no key that could be retired. */
  async sign(defect: "newKey" | "retiredKey", claims: TokenClaims, signing: Signing): Promise<string> {
    if (this.#tokens.hasOwnKey) throw new Refusal({ code: "own_key" });
    const loan =
      this.#loans.get(claims.jti) ?? (defect === "newKey" ? await this.#lend(claims.jti, signing) : undefined);
    if (loan === undefined)
      throw new Refusal({
        code: "invalid_fields",
        fields: { defect: ["needs a token with newKey, at most 90 s before"] },
      });
    if (defect === "retiredKey") this.end(claims.jti);
    return await loan.sign(claims, signing);
  }

  /** Removes the key of a session from the JWKS, if it has one. */
  end(sessionId: SessionRecord["id"]): void {
    const loan = this.#loans.get(sessionId);
    clearTimeout(loan?.timer);
    loan?.end();
    this.#loans.delete(sessionId);
  }

  async #lend(sessionId: SessionRecord["id"], { algorithm = this.#tokens.defaultAlgorithm }: Signing): Promise<Loan> {
    if (algorithm === "HS256") throw new Error("HS256 has no key to lend");
    const lent = await this.#tokens.lend(algorithm);
    this.end(sessionId);
    const loan = { ...lent, timer: setTimeout(() => this.end(sessionId), LOAN_MS).unref() };
    this.#loans.set(sessionId, loan);
    return loan;
  }
}
