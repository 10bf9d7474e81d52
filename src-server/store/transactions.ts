/** The path of a change: the rule decides, the keeper writes, the world is updated, the listeners are called. */
import type { Maxima } from "#contract/bounds.ts";
import type { FixtureSource } from "#contract/control/fixture-source.ts";
import type { JsonObject } from "#contract/scalars.ts";
import type { Problem } from "#contract/service/problems.ts";
import { finish, inSteps, mapInSteps, type Steps } from "#contract/steps.ts";
import { timeOf } from "#domain/clock.ts";
import type { Change, Decision } from "#domain/decision.ts";
import type { Difference } from "#domain/history/differences.ts";
import { differencesIn, differencesOf } from "#domain/history/history.ts";
import { type ShareLimits, Shares } from "#domain/shares.ts";
import type { Cause, Outcome } from "#domain/store.ts";
import type { World } from "#domain/world.ts";
import { copyOf, type StoreDocument } from "./document/document.ts";
import { errorText } from "./failure.ts";
import { KeptHistory, type Origin, originOf, requestOf } from "./history.ts";
import { preflightOf, WorldIndex } from "./index/indexes.ts";
import { numbered, unnumbered } from "./journal/format.ts";
import { Publisher } from "./publisher.ts";
import { countRecords, overShare } from "./shares.ts";
import { inSlices } from "./slices.ts";
import { Touched } from "./touched.ts";

/** Where changes are stored before they are applied; the adapter of lowdb is one. */
export interface Keeper {
  /** @param changes or their text. @returns the problem if it failed. */
  append(first: number, changes: readonly Change[] | string): Problem | undefined;
  /** Stores what the current document becomes, where the journal takes no more. @returns the problem if it failed. */
  replace(document: StoreDocument): Problem | undefined;
  /** @see Store.durable */
  readonly durable: () => Promise<void> | undefined;
}

/** Up to this many records are stored at once. */
const FEW = 1_000;

/** With so many steps a decision is made at once. */
const FEW_STEPS = 16;

const STOPPING: Problem = { code: "disk_failed", instruction: "Stagedoor is stopping: nothing was changed." };

/** How often a long transaction is decided again because others have contradicted it. */
const MOST_ATTEMPTS = 3;

/** @returns how many records the changes store or remove. */
const recordsIn = (changes: readonly Change[]): number =>
  changes.reduce((sum, change) => sum + ("ids" in change ? change.ids.length : 1), 0);

/** What removes this much is not rejected because the disk is full: the document file is smaller afterwards. */
const makesRoom = (changes: readonly Change[]): boolean =>
  changes.some((change) => "remove" in change && (change.remove === "app" || change.ids.length > FEW));

/** @returns work that is done. */
// biome-ignore lint/correctness/useYield: it has no steps left.
function* ended<T>(result: T): Steps<T> {
  return result;
}

/** @returns the result, if a few steps suffice. */
const atOnce = <T>(steps: Steps<T>): { readonly result: T } | undefined => {
  for (let count = 0; count < FEW_STEPS; count += 1) {
    const step = steps.next();
    if (step.done === true) return { result: step.value };
  }
  return undefined;
};

const outcomeOf = <T>(decision: Decision<T>, disk: Problem | undefined): Outcome<T> => {
  const { notes } = decision;
  const noted = notes === undefined ? {} : { notes };
  if (disk !== undefined) return { ok: false, problem: disk, ...noted };
  if ("problem" in decision) return { ok: false, problem: decision.problem, ...noted };
  return { ok: true, value: decision.value, ...noted };
};

/** The store's own view and transactions. */
export class Transactions {
  readonly #keeper: Keeper;
  readonly #onChanged: () => void;
  readonly #publisher: Publisher;
  readonly #now: () => number;
  #hasEnded = false;
  #last: Promise<unknown> = Promise.resolve();
  /** Whether a long transaction is under way. */
  #isLong = false;
  readonly world: WorldIndex;
  readonly history: KeptHistory;
  readonly shares: Shares;

  /**
   * @param onChanged called after each transaction that changed something.
   * @param now real time in milliseconds since 1970.
   */
  constructor(
    world: WorldIndex,
    keeper: Keeper,
    {
      onNotice,
      now = Date.now,
      maxima,
      shared,
      onListenerError = (who, error) => onNotice(`${who} failed: ${errorText(error)}`),
    }: {
      onNotice: (text: string) => void;
      now?: (() => number) | undefined;
      maxima?: Maxima | undefined;
      shared?: ShareLimits | undefined;
      onListenerError?: ((who: string, error: unknown) => void) | undefined;
    },
    onChanged: () => void = () => undefined,
  ) {
    this.world = world;
    this.#keeper = keeper;
    this.#now = now;
    this.#onChanged = onChanged;
    const isJoined = (appId: string | null): boolean => this.world.app(appId ?? "")?.app.joined !== undefined;
    this.history = new KeptHistory(world.seq, now(), maxima, isJoined);
    this.shares = new Shares(world, shared, (appId, bytes) => this.history.release(appId, bytes));
    countRecords(this.shares, world, this.history);
    this.#publisher = new Publisher(keeper.durable, (error) => onListenerError("What follows the data", error));
  }

  get keys(): readonly JsonObject[] {
    return [this.world.document.key, ...this.world.document.keys];
  }

  get fixtures(): readonly FixtureSource[] {
    return this.world.document.fixtures;
  }

  setFixtures(fixtures: readonly FixtureSource[]): void {
    this.world.document.fixtures = fixtures;
  }

  readonly durable: Keeper["durable"] = () => this.#keeper.durable();
  readonly subscribe: Publisher["subscribe"] = (listener) => this.#publisher.subscribe(listener);
  readonly watch: Publisher["watch"] = (listener) => this.#publisher.watch(listener);

  transact<T>(rule: (world: World) => Decision<T>, cause?: Cause): Outcome<T> {
    return this.#settle(rule(this.world), cause);
  }

  async transactInSteps<T>(rule: (world: World) => Steps<Decision<T>>, cause?: Cause): Promise<Outcome<T>> {
    // A small one does not wait for a long one.
    const early = this.#isLong ? this.#early(rule(this.world), cause) : undefined;
    if (early !== undefined && "outcome" in early) return early.outcome;
    // One at a time, because each would make the other decide again.
    const outcome = this.#last.then(async () => {
      for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt += 1) {
        const outcome = await this.#attempt(rule, cause);
        if (outcome !== "contradicted") return outcome;
      }
      return this.transact((world) => finish(rule(world)), cause);
    });
    this.#last = outcome.catch(() => undefined);
    return await outcome;
  }

  /** Delivers what the disk had rejected, once a new document file holds it. */
  release(): void {
    this.#publisher.release();
  }

  end(): void {
    this.#hasEnded = true;
  }

  /** Decides at once what a few steps decide, and makes it if it is small. @returns how to go on, if not. */
  #early<T>(
    steps: Steps<Decision<T>>,
    cause: Cause | undefined,
  ): { readonly outcome: Outcome<T> } | { readonly rest: Steps<Decision<T>> } {
    const early = atOnce(steps);
    if (early === undefined) return { rest: steps };
    const { result } = early;
    if (recordsIn(result.changes ?? []) <= FEW) return { outcome: this.#settle(result, cause) };
    return { rest: ended(result) };
  }

  async #attempt<T>(
    rule: (world: World) => Steps<Decision<T>>,
    cause: Cause | undefined,
  ): Promise<Outcome<T> | "contradicted"> {
    const early = this.#early(rule(this.world), cause);
    if ("outcome" in early) return early.outcome;
    const { seq } = this.world;
    const meanwhile: Change[] = [];
    this.#isLong = true;
    const stop = this.watch((committed) => {
      for (const { change } of committed) meanwhile.push(change);
    });
    try {
      const decision = await inSlices(early.rest);
      const { changes = [] } = decision;
      if ("problem" in decision || recordsIn(changes) <= FEW)
        return meanwhile.length > 0 && changes.length > 0 ? "contradicted" : this.#settle(decision, cause);
      const refused = overShare(this.shares, changes, cause);
      if (refused !== undefined) return outcomeOf(decision, refused);
      const differences: Difference[] = [];
      await inSlices(inSteps(changes, differencesIn(this.world, differences)));
      const touched = new Touched(this.world, decision.restores);
      await inSlices(inSteps(differences, (one) => touched.add(one)));
      const texts = await inSlices(mapInSteps(changes, unnumbered));
      // It finds what others have contradicted, too.
      const flaw: unknown = await inSlices(inSteps(changes, preflightOf(this.world, changes))).catch((error) => error);
      if (touched.isContradictedBy(meanwhile)) return "contradicted";
      if (flaw !== undefined) throw flaw;
      const text = numbered(changes, texts, seq, meanwhile.length);
      return outcomeOf(decision, this.#commit(changes, differences, originOf(decision, cause), text));
    } finally {
      stop();
      this.#isLong = false;
    }
  }

  #settle<T>(decision: Decision<T>, cause?: Cause): Outcome<T> {
    const { changes = [] } = decision;
    if (changes.length === 0) return outcomeOf(decision, undefined);
    const refused = overShare(this.shares, changes, cause);
    if (refused !== undefined) return outcomeOf(decision, refused);
    const check = preflightOf(this.world, changes);
    for (const [place, change] of changes.entries()) check(change, place);
    const differences = differencesOf(this.world, changes);
    return outcomeOf(decision, this.#commit(changes, differences, originOf(decision, cause)));
  }

  /** An app with a lease is a test's or a stage's, so that no one looks for its changes in the console's history. */
  #isLeased(one: Difference): boolean {
    const app = one.noun === "apps" ? (one.after ?? one.before) : this.world.app(one.appId ?? "")?.app;
    return app?.ttlSeconds !== undefined;
  }

  /** Stores changes with all else as a new document file, blocking the event loop. */
  #storeWhole(changes: readonly Change[], first: number): Problem | undefined {
    const next = new WorldIndex(copyOf(this.world.document));
    next.applyAll(changes, first);
    const problem = this.#keeper.replace(next.document);
    this.world.document.generation = next.document.generation;
    return problem;
  }

  /** Stores and applies changes, remembers and publishes them. @param text of them, if it is there already. */
  #commit(
    changes: readonly Change[],
    differences: readonly Difference[],
    { requestId, byConsole, byOwner: _, ...origin }: Origin,
    text?: string,
  ): Problem | undefined {
    const first = this.world.seq + 1;
    let problem = this.#hasEnded ? STOPPING : this.#keeper.append(first, text ?? changes);
    if (problem?.code === "disk_full" && makesRoom(changes)) problem = this.#storeWhole(changes, first);
    if (problem !== undefined) return problem;
    this.world.applyAll(changes, first);
    const realMs = this.#now();
    const app = this.world.app(differences[0]?.appId ?? "");
    this.history.add({
      first,
      seq: this.world.seq,
      realMs,
      atMs: timeOf(this.world, app, realMs),
      requestId: requestOf(changes, first, requestId),
      differences,
      ...(byConsole === true && !differences.some((one) => this.#isLeased(one)) && { byConsole }),
      ...origin,
    });
    this.#onChanged();
    this.#publisher.publish(first, changes);
    return undefined;
  }
}
