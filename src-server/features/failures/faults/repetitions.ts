/** What a client repeats by itself after a cut, as browsers and Android do: it fails too, or reaches the service. */

import { createHash } from "node:crypto";
import { Recent } from "#contract/recent.ts";
import type { Exchange } from "#http/traffic/exchange.ts";

const WITHIN_MS = 1_000;
const MOST = 8;
const REMEMBERED = 1_000;

/** A connection that a fault has cut, or an answer that it has lost. */
interface Cut {
  /** `"lost"`: a repetition reaches the service. */
  readonly how: "drop" | "reset" | "lost";
  readonly fault: string;
  readonly first: string;
  readonly atMs: number;
  readonly left: number;
}

/** What is the same in a repetition: app, listener, method, path, peer and body (its size and kept beginning). */
const requestKey = (exchange: Exchange, appId: string | null): string => {
  const { listener, scheme, method, path, remote, requestBody, requestBodyBytes } = exchange;
  return createHash("sha256")
    .update(JSON.stringify([appId, listener, scheme, method, path, remote, requestBodyBytes]))
    .update(requestBody ?? "")
    .digest("base64url");
};

/** @param monotonic monotonic milliseconds. */
export const createRepetitions = (monotonic: () => number) => {
  /** By what is the same. */
  const cuts = new Recent<string, Cut>(REMEMBERED);
  return {
    /** Remembers a request whose connection is about to be cut, or whose answer is lost. */
    remember: (exchange: Exchange, how: Cut["how"]): void => {
      const { id: first, fault } = exchange;
      if (fault === null) return;
      cuts.set(requestKey(exchange, exchange.appId), { how, fault, first, atMs: monotonic(), left: MOST });
    },
    /** @param appId of the request. @returns the cut that it repeats, after counting it; undefined if it repeats none. */
    take: (exchange: Exchange, appId: string | null): Cut | undefined => {
      if (cuts.size === 0) return undefined;
      const key = requestKey(exchange, appId);
      const cut = cuts.get(key);
      // A request that started before the cut is not a retry of it.
      if (cut === undefined || exchange.startedMs < cut.atMs) return undefined;
      cuts.delete(key);
      if (cut.left === 0 || monotonic() - cut.atMs > WITHIN_MS) return undefined;
      cuts.set(key, { ...cut, left: cut.left - 1 });
      return cut;
    },
  };
};
/** @see createRepetitions */
export type Repetitions = ReturnType<typeof createRepetitions>;
