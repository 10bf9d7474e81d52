/** Tells of the first failure of each kind of an app, at most once a second; the others wait, by app. */

import { BOUNDS } from "#contract/bounds.ts";
import { appLike } from "#contract/control/app-like.ts";
import type { FirstFailure } from "#contract/control/requests.ts";
import { cutText, epochMs, isJsonObject, isoInstant } from "#contract/scalars.ts";
import { parsedJson } from "#contract/words/parsed-json.ts";
import type { Exchange } from "./traffic/exchange.ts";

const INTERVAL_MS = 1_000;
/** So many kinds are remembered; the oldest is forgotten. */
const MOST_KINDS = 1_000;
/** So many kinds of an app wait to be told; further ones are counted. */
const MOST_WAITING = 5;
/** So many apps wait to be told of; those of others are told when they come again. */
const MOST_APPS = 20;
const MOST_PATH = 200;

const jsonOf = (bytes: Buffer | null): unknown => parsedJson(bytes?.toString("utf8") ?? "");

/** @returns what to do about a rejection: its first advice, with how to create an app unless one is near; else what its response says. */
const whatToDo = (row: Exchange): string => {
  const { advice } = row;
  const isNear = advice[0]?.code === "near_app";
  const told = advice.filter(({ code }, at) => at === 0 || (code === "create_app" && !isNear)).map(({ text }) => text);
  const body = jsonOf(row.responseBody);
  const said = isJsonObject(body) && typeof body["instruction"] === "string" ? body["instruction"] : undefined;
  return cutText(told.length > 0 ? told.join(" ") : (said ?? ""), BOUNDS.logAdviceLength.most);
};

/** @returns what the first advice names: the field, if it is about one, and the slip. */
const slipOf = ({ advice: [first], reason }: Exchange): readonly (string | undefined)[] =>
  first === undefined
    ? []
    : [first.code, reason === "invalid_fields" ? (/“([\w.[\]-]{1,40})”/.exec(first.text)?.[1] ?? first.at) : undefined];

interface Waiting {
  readonly appId: string | null;
  /** By kind, oldest first; the first has the others as `more`. */
  readonly failures: Map<string, Omit<FirstFailure, "more">>;
  /** Further kinds: they are counted, and told when they come again. */
  readonly others: Set<string>;
}

/** Calls back once, after so many milliseconds of real time. */
type Later = (ms: number, run: () => void) => void;
const later: Later = (ms, run) => void setTimeout(run, ms).unref();

export class FirstFailures {
  readonly #tell: (failure: FirstFailure, appId: string | null) => void;
  readonly #monotonic: () => number;
  readonly #later: Later;
  readonly #known = new Set<string>();
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

  note(row: Exchange): void {
    const { reason, listener, status } = row;
    if (listener === "console" || status < 400 || reason === null || row.fault !== null || row.isResent) return;
    const sent = row.appId === null && listener === "auth" ? appLike(jsonOf(row.requestBody))?.appId : undefined;
    const app = row.appId ?? sent ?? null;
    const path = cutText(row.path, MOST_PATH);
    const kind = JSON.stringify([app, reason, app === null ? path : null, ...slipOf(row)]);
    if (this.#known.has(kind)) return;
    const waiting = this.#waiting.get(app) ?? { appId: row.appId, failures: new Map(), others: new Set() };
    if (!waiting.failures.has(kind) && this.#waiting.size < MOST_APPS) {
      const { id: requestId, method } = row;
      const at = isoInstant(epochMs(row.atMs));
      if (waiting.failures.size < MOST_WAITING)
        waiting.failures.set(kind, { requestId, at, method, path, status, reason, app, text: whatToDo(row) });
      else if (waiting.others.size < MOST_KINDS) waiting.others.add(kind);
      this.#waiting.set(app, waiting);
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

  /** Tells of the app that has waited longest, which then waits with its other kinds. From then on this kind is known. */
  #tellNext(): void {
    const [next] = this.#waiting;
    const [first] = next?.[1].failures ?? [];
    if (next === undefined || first === undefined) return;
    const [app, { appId, failures, others }] = next;
    const [kind, failure] = first;
    failures.delete(kind);
    this.#waiting.delete(app);
    if (failures.size > 0) this.#waiting.set(app, { appId, failures, others: new Set() });
    this.#lastMs = this.#monotonic();
    this.#known.add(kind);
    const [oldest = ""] = this.#known;
    if (this.#known.size > MOST_KINDS) this.#known.delete(oldest);
    this.#tell({ ...failure, more: others.size }, appId);
  }
}
