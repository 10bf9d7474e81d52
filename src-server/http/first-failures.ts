/**
 * Tells of the first failure of each kind of an app, at most once a second. What comes within the second
 * is told after it, by app; a kind is known when it was told.
 */

import { BOUNDS } from "#contract/bounds.ts";
import { appLike } from "#contract/control/app-like.ts";
import type { FirstFailure } from "#contract/control/first-failure.ts";
import { cutText, epochMs, isJsonObject, isoInstant } from "#contract/scalars.ts";
import { parsedJson } from "#contract/words/parsed-json.ts";
import type { Exchange } from "./traffic/exchange.ts";

const INTERVAL_MS = 1_000;
/** So many kinds are remembered; the oldest is forgotten. */
const MOST_KINDS = 1_000;
/** So many apps wait to be told of; those of others are told when they come again. */
const MOST_APPS = 20;
const MOST_PATH = 200;

const jsonOf = (bytes: Buffer | null): unknown => parsedJson(bytes?.toString("utf8") ?? "");

/** @returns what to do about a refusal: its first advice, with how to create an app; else what its response says. */
const whatToDo = (row: Exchange): string => {
  const { advice } = row;
  const told = advice.filter(({ code }, at) => at === 0 || code === "create_app").map(({ text }) => text);
  const body = jsonOf(row.responseBody);
  const said = isJsonObject(body) && typeof body["instruction"] === "string" ? body["instruction"] : undefined;
  return cutText(told.length > 0 ? told.join(" ") : (said ?? ""), BOUNDS.logAdviceLength.most);
};

/** The first failure of an app that waits to be told. */
interface Waiting {
  readonly failure: Omit<FirstFailure, "more">;
  readonly appId: string | null;
  readonly kind: string;
  /** Its other kinds meanwhile: they are counted, and told when they come again. */
  readonly others: Set<string>;
}

/** Calls back once, after so many milliseconds of real time. */
type Later = (ms: number, run: () => void) => void;
const later: Later = (ms, run) => void setTimeout(run, ms).unref();

/** @see the file */
export class FirstFailures {
  readonly #tell: (failure: FirstFailure, appId: string | null) => void;
  readonly #monotonic: () => number;
  readonly #later: Later;
  /** The kinds that were told, oldest first. */
  readonly #known = new Set<string>();
  /** By app, oldest first. */
  readonly #waiting = new Map<string | null, Waiting>();
  #lastMs = -Infinity;
  #isTimed = false;

  /** @param monotonic a clock in milliseconds. @param later a timer; absent: the machine's. */
  constructor(
    tell: (failure: FirstFailure, appId: string | null) => void,
    monotonic: () => number,
    wait: Later = later,
  ) {
    this.#tell = tell;
    this.#monotonic = monotonic;
    this.#later = wait;
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
    const waiting = this.#waiting.get(app);
    if (waiting !== undefined) {
      if (waiting.kind !== kind && waiting.others.size < MOST_KINDS) waiting.others.add(kind);
    } else if (this.#waiting.size < MOST_APPS) {
      const { id: requestId, method } = row;
      const at = isoInstant(epochMs(row.atMs));
      const failure = { requestId, at, method, path, status, reason, app, text: whatToDo(row) };
      this.#waiting.set(app, { failure, appId: row.appId, kind, others: new Set() });
    }
    if (this.#monotonic() - this.#lastMs >= INTERVAL_MS) this.#tellNext();
    this.#wake();
  }

  #wake(): void {
    if (this.#isTimed || this.#waiting.size === 0) return;
    this.#isTimed = true;
    this.#later(INTERVAL_MS, () => {
      this.#isTimed = false;
      this.#tellNext();
      this.#wake();
    });
  }

  /** Tells of the app that has waited longest. From then on its kind is known. */
  #tellNext(): void {
    const [next] = this.#waiting;
    if (next === undefined) return;
    const [app, { failure, appId, kind, others }] = next;
    this.#waiting.delete(app);
    this.#lastMs = this.#monotonic();
    this.#known.add(kind);
    const [oldest = ""] = this.#known;
    if (this.#known.size > MOST_KINDS) this.#known.delete(oldest);
    this.#tell({ ...failure, more: others.size }, appId);
  }
}
