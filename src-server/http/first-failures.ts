/** Tells of the first failure of each kind of an app, at most once a second (CONTRACT 25). */

import { appLike } from "#contract/app-like.ts";
import { BOUNDS } from "#contract/bounds.ts";
import type { FirstFailure } from "#contract/first-failure.ts";
import { frozen } from "#contract/frozen.ts";
import { parsedJson } from "#contract/parsed-json.ts";
import { cutText, epochMs, isJsonObject, isoInstant } from "#contract/scalars.ts";
import type { Exchange } from "./traffic/exchange.ts";

const INTERVAL_MS = 1_000;
/** Advice on a body that has the id of an app at another place, or under another name. */
const KNOWN_ID = frozen<readonly string[]>(["misplaced_id", "renamed_id"]);
/** So many kinds are remembered; the oldest is forgotten. */
const MOST_KINDS = 1_000;
const MOST_PATH = 200;

const jsonOf = (bytes: Buffer | null): unknown => parsedJson(bytes?.toString("utf8") ?? "");

/** @returns what to do about a refusal: its advice, else what its response says. */
const whatToDo = (row: Exchange, sentApp: string | undefined): string => {
  const [advice] = row.advice;
  if (sentApp !== undefined && !KNOWN_ID.includes(advice?.code ?? ""))
    return `There is no app “${sentApp}”. Create it: stagedoor apps create --like ${row.id}`;
  const body = jsonOf(row.responseBody);
  const said = isJsonObject(body) && typeof body["instruction"] === "string" ? body["instruction"] : undefined;
  return cutText(advice?.text ?? said ?? "", BOUNDS.logAdviceLength.most);
};

/** @see the file */
export class FirstFailures {
  readonly #tell: (failure: FirstFailure, appId: string | null) => void;
  readonly #monotonic: () => number;
  readonly #known = new Set<string>();
  #lastMs = -Infinity;
  #untold = 0;

  /** @param monotonic a clock in milliseconds. */
  constructor(tell: (failure: FirstFailure, appId: string | null) => void, monotonic: () => number) {
    this.#tell = tell;
    this.#monotonic = monotonic;
  }

  /** @param row that has ended. */
  note(row: Exchange): void {
    const { reason, listener, status } = row;
    if (listener === "console" || status < 400 || reason === null || row.fault !== null || row.isResent) return;
    const sent = row.appId === null && listener === "auth" ? appLike(jsonOf(row.requestBody))?.appId : undefined;
    const app = row.appId ?? sent ?? null;
    const path = cutText(row.path, MOST_PATH);
    const kind = JSON.stringify([app, reason, app === null ? path : null]);
    if (this.#known.has(kind)) return;
    this.#known.add(kind);
    const [oldest = ""] = this.#known;
    if (this.#known.size > MOST_KINDS) this.#known.delete(oldest);
    const nowMs = this.#monotonic();
    if (nowMs - this.#lastMs < INTERVAL_MS) {
      this.#untold += 1;
      return;
    }
    this.#lastMs = nowMs;
    const { id: requestId, method } = row;
    const at = isoInstant(epochMs(row.atMs));
    const told = { requestId, at, method, path, status, reason, app, text: whatToDo(row, sent), more: this.#untold };
    this.#untold = 0;
    this.#tell(told, row.appId);
  }
}
