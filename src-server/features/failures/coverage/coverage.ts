/** Counts the outcomes of logins as they are answered: by app, in memory. It only reads timeline and rows. */

import type { Publish } from "#contract/control/events.ts";
import { Recent } from "#contract/recent.ts";
import { epochMs, foldUsername, instantMs, isoInstant } from "#contract/scalars.ts";
import type { ProblemCode } from "#contract/service/problems.ts";
import type { PasscodeRecord } from "#contract/service/records.ts";
import { usernameField } from "#contract/service/strategies.ts";
import type { HistoryEntry } from "#domain/history/history.ts";
import type { Store } from "#domain/store.ts";
import type { Ending, Exchange } from "#http/traffic/exchange.ts";
import type { RequestLog } from "#http/traffic/request-log.ts";
import type { CoverageAnswer, CoverageItem } from "./contract/coverage.ts";
import { OUTCOME_IDS, OUTCOMES, type OutcomeId, thenOf } from "./contract/outcomes.ts";
import { outcomesOf } from "./login-outcomes.ts";

/** The outcome of each reason of a refusal, for the user who signs in. */
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
/** A message that takes longer is late. */
const LATE_MS = 10_000;

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

/** Memory of an entry in bytes. */
const ENTRY = 300;

const MOST_RECENT = 1_000;

/** @returns what a login met on its way, whatever the rule had decided. */
function* onTheLine(row: Exchange, ending: Ending): Generator<OutcomeId> {
  if (row.repeats !== null) yield "sentTwice";
  if (row.twice !== null) return;
  if (row.carriedOut !== null) yield "answerLost";
  if (ending !== "answered") yield ending === "cut" ? "noAnswer" : "appGaveUp";
  else {
    if (row.durationMs >= SLOW_MS) yield "slowAnswer";
    if (row.status >= 500) yield "serverError";
  }
}

/** What is known of one app, or of all that are gone. */
export class AppCoverage {
  readonly own: Tallies = new Map();
  readonly resent: Tallies = new Map();
  readonly deleted = new Recent<string, true>(MOST_RECENT);
  readonly signedOut = new Recent<string, true>(MOST_RECENT);
  /** Whether its app is, and so not counted together with others. */
  readonly isHidden: boolean;

  constructor(isHidden = false) {
    this.isHidden = isHidden;
  }

  /** What this is, estimated in bytes. */
  get bytes(): number {
    return ENTRY * (this.own.size + this.resent.size + this.deleted.size + this.signedOut.size);
  }

  clear(): void {
    this.own.clear();
    this.resent.clear();
  }

  add(other: AppCoverage): void {
    for (const kind of ["own", "resent"] as const)
      for (const [outcome, tally] of other[kind]) count(this[kind], outcome, tally);
  }
}

interface Reading {
  readonly outcomes: readonly OutcomeId[];
  /** The sessions that it revoked. */
  readonly revoked: readonly string[];
}

interface Sources {
  readonly store: Pick<Store, "world" | "watch" | "history">;
  readonly log: Pick<RequestLog, "row">;
  /** Real time, and that of the service, in milliseconds since 1970. */
  readonly realNow: () => number;
  readonly now: () => number;
}

const timeOrNull = (ms: number | undefined) => (ms === undefined ? null : isoInstant(epochMs(ms)));

const itemOf = (outcome: OutcomeId, app: AppCoverage): CoverageItem => {
  const { group, title, screen } = OUTCOMES[outcome];
  const both: Tallies = new Map();
  const resent = app.resent.get(outcome);
  for (const tally of [app.own.get(outcome), resent]) if (tally !== undefined) count(both, outcome, tally);
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

export class Coverage {
  readonly #sources: Sources;
  readonly #publish: Publish;
  readonly #apps = new Map<string, AppCoverage>();
  /** Of the apps that are gone. */
  readonly #gone = new AppCoverage();
  readonly #read = new Recent<string, Reading>(MOST_RECENT);

  /** @param publish called when an app meets an outcome for the first time. */
  constructor(sources: Sources, publish: Publish) {
    this.#sources = sources;
    this.#publish = publish;
    const { store } = sources;
    store.watch((changes) => {
      // An app that a reset makes again in the same transaction goes on.
      for (const { change } of changes)
        if ("remove" in change && change.remove === "app" && !store.world.app(change.appId)) this.#end(change.appId);
    });
    store.watch(() => {
      const past = store.history.latest;
      // A rewind is neither a login nor a deletion.
      const isReturn = past?.rewoundTo !== undefined || past?.undoes !== undefined || past?.what !== undefined;
      if (past !== undefined && !isReturn) this.#follow(past);
    });
  }

  #end(appId: string): void {
    const ended = this.#apps.get(appId);
    if (ended?.isHidden === false) this.#gone.add(ended);
    this.#apps.delete(appId);
  }

  /** @returns what is counted of an app, from now on if need be; of all that are gone, if it is. */
  #of(appId: string): AppCoverage {
    const app = this.#sources.store.world.app(appId)?.app;
    const known = this.#apps.get(appId) ?? (app === undefined ? this.#gone : new AppCoverage(app.hidden === true));
    if (known !== this.#gone) this.#apps.set(appId, known);
    return known;
  }

  /** @returns what is kept of an app, estimated in bytes. */
  bytesOf(appId: string): number {
    return this.#apps.get(appId)?.bytes ?? 0;
  }

  #all(): readonly AppCoverage[] {
    return [...[...this.#apps.values()].filter(({ isHidden }) => !isHidden), this.#gone];
  }

  /** Reads the outcomes of a transaction for the user who signs in, right after it. */
  #follow(past: HistoryEntry): void {
    const { world } = this.#sources.store;
    const revoked: string[] = [];
    for (const one of past.differences) {
      if (one.noun === "passcodes" && one.before !== undefined && one.after !== undefined)
        this.#countArrival(one.appId, one.before.transit?.arrivals, one.after);
      if (one.noun === "sessions" && one.before?.revokedAt === null && one.after) revoked.push(one.after.id);
      const app = one.noun === "profiles" && one.after === undefined ? world.app(one.appId) : undefined;
      const username = app && one.noun === "profiles" && one.before?.[usernameField(app.app)];
      if (typeof username === "string") this.#of(one.appId ?? "").deleted.set(foldUsername(username), true);
    }
    const { requestId } = past;
    const app = world.app(past.differences[0]?.appId ?? "");
    if (requestId === null || app === undefined) return;
    const outcomes = outcomesOf(past, app, this.#apps.get(app.app.appId) ?? this.#gone);
    if (outcomes.length + revoked.length > 0) this.#read.set(requestId, { outcomes, revoked });
  }

  /** Counts a message that arrives after the answer. */
  #countArrival(appId: string, before: number | undefined, { transit, requestId }: PasscodeRecord): void {
    const { log, realNow, now } = this.#sources;
    if (transit === undefined || requestId === null || transit.arrivals <= (before ?? 0)) return;
    // Its row can have been cleared.
    const row = { atMs: now(), id: requestId, isResent: log.row(requestId)?.isResent ?? false };
    if (transit.arrivals === 2) this.#count(appId, "codeTwice", row);
    else if (realNow() - instantMs(transit.sentAt) > LATE_MS) this.#count(appId, "codeLate", row);
  }

  /** Counts the outcomes of a closed row of auth for the user who signs in. */
  note(row: Exchange, ending: Ending): void {
    const { appId, operation } = row;
    const { outcomes = [], revoked = [] } = this.#read.get(row.id) ?? {};
    this.#read.delete(row.id);
    const isLogin = operation === "startSession" || operation === "authenticate";
    if (appId === null || !(isLogin || operation === "endSession")) return;
    // What a client repeats by itself and a fault cut again, its user has met once.
    if (row.repeats !== null && row.check === "fault" && row.carriedOut === null) return;
    if (isLogin) for (const outcome of onTheLine(row, ending)) this.#count(appId, outcome, row);
    // Whatever the rule had decided; of two, only the second is answered.
    if (row.twice !== null || ending !== "answered" || row.status >= 500) return;
    for (const outcome of outcomes) this.#count(appId, outcome, row);
    if (operation === "endSession" && revoked.length > 0) {
      for (const id of revoked) this.#of(appId).signedOut.set(id, true);
      this.#count(appId, "signedOut", row);
    }
    // A malformed field is a mistake of the app's form, and no way for a login to end.
    const refused = OF_REASONS.get(row.reason ?? "");
    if (isLogin && refused !== undefined) this.#count(appId, refused, row);
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
    this.#publish({ type: "coverage.put", appId, item: itemOf(outcome, app) });
  }

  /** @param appId absent: all apps, those that are gone included. @param withResent whether resent requests count. */
  list(appId: string | undefined, withResent: boolean): CoverageAnswer {
    const apps = appId === undefined ? this.#all() : [this.#apps.get(appId)];
    const sum = new AppCoverage();
    for (const app of apps) if (app !== undefined) sum.add(app);
    if (!withResent) sum.resent.clear();
    const items = OUTCOME_IDS.map((outcome) => itemOf(outcome, sum));
    return { items, met: items.filter((item) => item.count > 0).length, total: items.length };
  }

  clear(appId: string | undefined): void {
    if (appId !== undefined) this.#apps.get(appId)?.clear();
    else for (const app of this.#all()) app.clear();
  }
}
