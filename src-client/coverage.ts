/** Login coverage, of an app or of all. */
import type { OfApp } from "./of-app.ts";
import type * as R from "./records.ts";
import type { Transport } from "./transport.ts";

/** @returns the calls. @see Client */
export const createCoverage = ({ ask, tell }: Transport) => ({
  /** @returns all outcomes with their counts, those of deleted apps included. @param query `resent: "0"`: without resent requests. */
  get: (query?: R.CoverageQuery): Promise<R.Coverage> => ask("GET", "coverage", { query }),
  /** Counts again. */
  clear: (of?: OfApp): Promise<void> => tell("DELETE", "coverage", { query: of }),
  /**
   * Arranges that the next login meets an outcome, once: `await client.coverage.provoke("expiredCode", { to })`.
   * @param options `to`: whose login; absent: any user's. @returns what was set, and what to do next.
   */
  provoke: (outcome: R.ProvokeInput["outcome"], options: Omit<R.ProvokeInput, "outcome"> = {}): Promise<R.Provoked> =>
    ask("POST", "coverage/provoke", { body: { ...options, outcome } }),
  /** Removes what was arranged and has not been met. */
  unprovoke: (of?: OfApp): Promise<void> => tell("DELETE", "coverage/provoke", { query: of }),
});
