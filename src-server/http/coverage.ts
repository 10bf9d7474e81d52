/** Counts the outcomes of logins as they are answered: by app, in memory (CONTRACT 15). */
import type { CoverageAnswer, CoverageItem } from "#contract/coverage.ts";
import type { Publish } from "#contract/events.ts";
import { OUTCOME_IDS, OUTCOMES, type OutcomeId, thenOf } from "#contract/outcomes.ts";
import type { ProblemCode } from "#contract/problems.ts";
import { epochMs, foldUsername, isoInstant } from "#contract/scalars.ts";
import { usernameField } from "#contract/strategies.ts";
import { type LoginMemory, NO_MEMORY } from "#domain/login-outcomes.ts";
import type { Store } from "#domain/store.ts";
import type { AppWorld } from "#domain/world.ts";
import type { Exchange } from "./traffic/exchange.ts";

/** How an exchange ended: it was answered, the connection was cut on purpose, or the client had left. */
export type Ending = "answered" | "cut" | "left";

/** What the reasons of refusals are to somebody who signs in. */
const REFUSED: { readonly [K in ProblemCode]?: OutcomeId } = {
  sign_up_closed: "signUpRefused",
  rate_limited: "rateLimited",
  passcode_mismatch: "wrongCode",
  passcode_exhausted: "locked",
  passcode_expired: "expiredCode",
  passcode_replaced: "replacedCode",
  passcode_used: "usedCode",
  passcode_not_sent: "noCode",
};
const OF_REASONS: ReadonlyMap<string, OutcomeId> = new Map(Object.entries(REFUSED));

const SLOW_MS = 3_000;

/** What counting reads of a request. */
type CountedRow = Pick<Exchange, "atMs" | "id" | "isResent">;

/** How often an outcome was met, and when first and last; times in milliseconds since 1970. */
interface Tally {
  count: number;
  firstMs: number;
  lastMs: number;
  lastRequestId: string;
}
type Tallies = Map<OutcomeId, Tally>;

const count = (tallies: Tallies, outcome: OutcomeId, by: Tally): void => {
  const tally = tallies.get(outcome);
  if (tally === undefined) {
    tallies.set(outcome, { ...by });
    return;
  }
  tally.count += by.count;
  if (by.firstMs < tally.firstMs) tally.firstMs = by.firstMs;
  if (by.lastMs < tally.lastMs) return;
  tally.lastMs = by.lastMs;
  tally.lastRequestId = by.lastRequestId;
};

/** A set that forgets its oldest entries. */
class Recent {
  readonly #all = new Set<string>();

  add(entry: string): void {
    this.#all.add(entry);
    const [oldest] = this.#all;
    if (this.#all.size > 1_000 && oldest !== undefined) this.#all.delete(oldest);
  }

  has(entry: string): boolean {
    return this.#all.has(entry);
  }
}

/** What is known of one app. */
class AppCoverage implements LoginMemory {
  readonly own: Tallies = new Map();
  /** Of requests that were resent. */
  readonly resent: Tallies = new Map();
  readonly deleted = new Recent();
  readonly signedOut = new Recent();

  hasDeleted(username: string): boolean {
    return this.deleted.has(foldUsername(username));
  }

  hasSignedOut(sessionId: string): boolean {
    return this.signedOut.has(sessionId);
  }

  clear(): void {
    this.own.clear();
    this.resent.clear();
  }
}

const timeOrNull = (ms: number | undefined) => (ms === undefined ? null : isoInstant(epochMs(ms)));

const itemOf = (outcome: OutcomeId, own: Tally | undefined, resent: Tally | undefined): CoverageItem => {
  const { group, title, screen } = OUTCOMES[outcome];
  const both: Tallies = new Map();
  for (const tally of [own, resent]) if (tally !== undefined) count(both, outcome, tally);
  const all = both.get(outcome);
  return {
    outcome,
    group,
    title,
    screen,
    count: all?.count ?? 0,
    resent: resent?.count ?? 0,
    firstAt: timeOrNull(all?.firstMs),
    lastAt: timeOrNull(all?.lastMs),
    lastRequestId: all?.lastRequestId ?? null,
    provoke: thenOf(outcome),
  };
};

/** @see the file */
export class Coverage {
  readonly #store: Pick<Store, "world" | "watch">;
  readonly #publish: Publish;
  readonly #apps = new Map<string, AppCoverage>();
  /** Of apps that have been deleted. */
  readonly #gone = new AppCoverage();

  /** @param publish called when an app meets an outcome for the first time. */
  constructor(store: Pick<Store, "world" | "watch">, publish: Publish) {
    this.#store = store;
    this.#publish = publish;
    store.watch((changes) => {
      // An app that a reset makes anew in the same transaction goes on.
      for (const { change } of changes)
        if ("remove" in change && change.remove === "app" && store.world.app(change.appId) === undefined)
          this.#bury(change.appId);
    }, true);
  }

  #bury(appId: string): void {
    const app = this.#apps.get(appId);
    this.#apps.delete(appId);
    for (const kind of ["own", "resent"] as const)
      for (const [outcome, tally] of app?.[kind] ?? []) count(this.#gone[kind], outcome, tally);
  }

  /** @returns the coverage of an app; of all those that are gone, if it is. */
  #of(appId: string): AppCoverage {
    const known = this.#apps.get(appId);
    if (known !== undefined) return known;
    if (this.#store.world.app(appId) === undefined) return this.#gone;
    const made = new AppCoverage();
    this.#apps.set(appId, made);
    return made;
  }

  /** What the rules of a login may ask about the past of an app. */
  memoryOf(appId: string): LoginMemory {
    return this.#apps.get(appId) ?? NO_MEMORY;
  }

  /** Remembers users who are about to be deleted. */
  deleting(app: AppWorld, userIds: readonly string[]): void {
    const { deleted } = this.#of(app.app.appId);
    for (const userId of userIds) {
      const username = app.find("profiles", userId)?.[usernameField(app.app)] ?? null;
      if (username !== null) deleted.add(foldUsername(username));
    }
  }

  /** Remembers a session whose user has signed out. */
  signedOut(appId: string, sessionId: string): void {
    this.#of(appId).signedOut.add(sessionId);
  }

  /** Counts what a closed row of auth was to somebody who signs in. */
  note(row: Exchange, ending: Ending): void {
    const { appId, operation, outcomes } = row;
    const isLogin = operation === "startSession" || operation === "authenticate";
    // What a client repeats by itself, its user has met once.
    if (appId === null || row.repeats !== null || (!isLogin && outcomes.length === 0)) return;
    if (ending !== "answered") {
      if (isLogin) this.#count(appId, ending === "cut" ? "noAnswer" : "appGaveUp", row);
      return;
    }
    if (isLogin && row.durationMs >= SLOW_MS) this.#count(appId, "slowAnswer", row);
    if (row.status >= 500) {
      // Whatever the rule had decided.
      if (isLogin) this.#count(appId, "serverError", row);
      return;
    }
    for (const outcome of outcomes) this.#count(appId, outcome, row);
    const refused = row.reason === null ? undefined : OF_REASONS.get(row.reason);
    if (isLogin && refused !== undefined) this.#count(appId, refused, row);
  }

  /** Counts an outcome that comes after the answer: a message that arrives. */
  count(appId: string, outcome: OutcomeId, row: CountedRow): void {
    this.#count(appId, outcome, row);
  }

  #count(appId: string, outcome: OutcomeId, { atMs, id, isResent }: CountedRow): void {
    const app = this.#of(appId);
    const kind = isResent ? "resent" : "own";
    const tally = app[kind].get(outcome);
    if (tally !== undefined) {
      tally.count++;
      tally.lastMs = atMs;
      tally.lastRequestId = id;
      return;
    }
    const isFirst = app !== this.#gone && !app.own.has(outcome) && !app.resent.has(outcome);
    app[kind].set(outcome, { count: 1, firstMs: atMs, lastMs: atMs, lastRequestId: id });
    if (!isFirst) return;
    const item = itemOf(outcome, app.own.get(outcome), app.resent.get(outcome));
    this.#publish({ type: "coverage.put", appId, item });
  }

  /** @param appId absent: all apps, those that are gone included. @param withResent whether resent requests count. */
  list(appId: string | undefined, withResent: boolean): CoverageAnswer {
    const apps = appId === undefined ? [...this.#apps.values(), this.#gone] : [this.#apps.get(appId)];
    const own: Tallies = new Map();
    const resent: Tallies = new Map();
    for (const app of apps) {
      for (const [outcome, tally] of app?.own ?? []) count(own, outcome, tally);
      for (const [outcome, tally] of (withResent && app?.resent) || []) count(resent, outcome, tally);
    }
    const items = OUTCOME_IDS.map((outcome) => itemOf(outcome, own.get(outcome), resent.get(outcome)));
    return { items, met: items.filter((item) => item.count > 0).length, total: items.length };
  }

  /** Counts anew, for one app or for all. */
  clear(appId: string | undefined): void {
    if (appId !== undefined) this.#apps.get(appId)?.clear();
    else for (const app of [...this.#apps.values(), this.#gone]) app.clear();
  }
}
