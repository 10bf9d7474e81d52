/**
 * The power fails at a random disk call: durability `disk` loses no acknowledged change, `process` at most
 * the last second, and the state afterwards is exactly that after some transaction.
 */
import { createHash } from "node:crypto";
import fc from "fast-check";
import type { Store } from "#domain/store.ts";
import { StoreFailure } from "#store/failure.ts";
import { openStore } from "#store/store.ts";
import { AT, beginning, contents, KEY } from "#test/store/records.ts";
import { type Step, step } from "#test/store/steps.ts";
import { HandTime } from "./hand-time.ts";
import { importMany, removeMany, ruleOf } from "./power-cut-rules.ts";
import { SimDisk } from "./sim-disk.ts";
import type { Order } from "./sim-node.ts";
import type { Trial } from "./trial.ts";

/** The size of a run. */
export interface PowerCutSize {
  /** Number of new directories; each goes through several power failures. */
  readonly directories: number;
  readonly cuts: number;
}

type Level = "disk" | "process";

/** What a power cut may cost, in milliseconds. */
const MAY_BE_LOST = { disk: 0, process: 1_000 } as const;

/** The order of a record's fields is no part of a state. */
const inOrder = (_key: string, value: unknown): unknown =>
  typeof value === "object" && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value;

/** Without the number of the last change. */
const digest = (store: Pick<Store, "world" | "keys">): string => {
  const { clock, apps } = contents(store.world) as { readonly clock: unknown; readonly apps: unknown };
  return createHash("sha256")
    .update(JSON.stringify([store.keys, clock, apps], inOrder))
    .digest("base64");
};

/** An acknowledged change: its number, and when. */
interface Answer {
  readonly seq: number;
  readonly at: number;
}

/** The history of a directory. */
class Story {
  readonly trial: Trial;
  readonly level: Level;
  readonly order: Order;
  readonly name: string;
  /** Each life has its own, so that nothing of an earlier one continues. */
  time = new HandTime();
  /** The state after each change that ended a transaction. */
  #history = new Map<number, string>();
  /** What was acknowledged: the number of the last change, and when. */
  #answered: Answer[] = [];
  /** After a kill nothing is synced until the next start, so this is when the process was last known to. */
  #safeUntil = Number.POSITIVE_INFINITY;
  #lives = 0;
  disk: SimDisk;

  constructor(trial: Trial, level: Level, order: Order, name: string) {
    this.trial = trial;
    this.level = level;
    this.order = order;
    this.name = name;
    this.disk = new SimDisk(this.#mount(), () => this.#pause());
  }

  /** Opens the store, works, and cuts the power at some call. @returns whether to continue. */
  async live(): Promise<boolean> {
    const { trial } = this;
    const { chance } = trial;
    this.time = new HandTime(this.time.now);
    const label = `${this.name}, life ${this.#lives}`;
    const disk = this.disk;
    let cut: { disk: SimDisk; answered: Answer[]; safe: number; until: number } | undefined;
    let cutAt = disk.calls + 1 + Math.floor(chance.next() ** 2 * 160);
    // Some lives begin with an import, and the cut comes while its document file is written or put in place.
    const imports = chance.is(0.1);
    if (imports) cutAt = Number.POSITIVE_INFINITY;
    // Some lives end with the process only: then the kernel keeps what it was given.
    const isKill = chance.is(imports ? 0.5 : 0.25);
    disk.onCall = () => {
      if (imports && cutAt === Number.POSITIVE_INFINITY && disk.hasFile(".tmp")) cutAt = disk.calls + chance.below(40);
      if (cut !== undefined || disk.calls < cutAt) return;
      if (imports && disk.hasFile(".tmp")) trial.count("cuts and kills while an import was written");
      const after = isKill
        ? disk.afterKill(this.#mount(), () => this.#pause())
        : disk.afterCut(this.#mount(), () => this.#pause(), this.order, chance);
      cut = {
        disk: after,
        answered: [...this.#answered],
        safe: this.#safe(isKill),
        until: isKill ? this.#safe(false) : Number.POSITIVE_INFINITY,
      };
    };
    const before = disk.contents();
    let store: Store;
    const notices: string[] = [];
    try {
      store = await this.#opened(disk, (text) => notices.push(text));
    } catch (error) {
      if (!(error instanceof StoreFailure)) throw error;
      trial.count(`refused with status ${error.exitStatus}, ${this.order}`);
      trial.check(this.order === "any order" && error.exitStatus === 3, `${label}: refused: ${error.message}`);
      this.#untouched(before, disk, label);
      return false;
    }
    trial.count(`starts of ${this.level}`);
    if (notices.some((text) => text.startsWith("recovered"))) trial.count("torn tails truncated");
    this.#check(store, label);
    if (imports) await this.#import(store, () => cut !== undefined);
    // Nothing was written after all, such as before a directory has data.
    if (cutAt === Number.POSITIVE_INFINITY) cutAt = disk.calls;
    await this.#work(store, () => cut !== undefined);
    if (cut === undefined) {
      disk.calls = cutAt;
      disk.onCall();
    }
    disk.onCall = () => undefined;
    if (cut === undefined) throw new Error("The power was not cut.");
    trial.count(isKill ? "kills between power cuts" : "power cuts");
    this.disk = cut.disk;
    const { safe } = cut;
    this.#answered = cut.answered.filter(({ at }) => at <= safe);
    this.#safeUntil = cut.until;
    return true;
  }

  /** @returns the time up to which every acknowledged change must exist: a power failure may cost the last second. */
  #safe(isKill: boolean): number {
    return isKill ? Number.POSITIVE_INFINITY : Math.min(this.time.now - MAY_BE_LOST[this.level], this.#safeUntil);
  }

  #mount(): string {
    this.#lives += 1;
    return `/simulated/${process.pid}-${this.name.replaceAll(/\W+/g, "-")}-${this.#lives}`;
  }

  #pause(): Promise<void> {
    return this.time.wait(this.trial.chance.below(20));
  }

  async #opened(disk: SimDisk, onNotice: (text: string) => void): Promise<Store> {
    const opening = openStore({
      dir: `${disk.mount}/data`,
      durability: this.level,
      // Every beginning is different, so that a new one is not mistaken for the old one.
      initial: async () => ({
        ...(await beginning()),
        key: { ...KEY, kid: `key-${this.trial.chance.below(2 ** 30)}` },
      }),
      onNotice,
      files: disk.files,
      later: this.time.later,
      now: () => this.time.now,
      monotonic: () => this.time.now,
      wait: (ms) => this.time.wait(ms),
      processes: { pid: 1, boot: "simulated", pidNamespace: "simulated", lives: () => false },
    });
    return await this.time.during(opening);
  }

  #check(store: Store, label: string): void {
    const { trial } = this;
    const { seq } = store.world;
    const must = this.#answered.at(-1)?.seq ?? -1;
    if (must >= 0) {
      trial.check(!store.isNew, `${label}: all data is missing, although change ${must} was acknowledged`);
      trial.check(seq >= must, `${label}: change ${must} was acknowledged, but the state ends at ${seq}`);
    }
    const now = digest(store);
    // A stored snapshot can be ahead of the data: then numbering continues after its own.
    const stored = store.snapshots.list(null).some((saved) => saved.seq === seq);
    const lowest = stored ? must : seq;
    const found = [...this.#history].filter(([key, then]) => key >= lowest && key <= seq && then === now);
    if (!store.isNew && this.#history.size > 0) {
      trial.count("states compared");
      trial.check(found.length > 0, `${label}: the state at change ${seq} differs from the original`);
    }
    // Later changes never happened. Earlier ones can still be what a power failure leaves.
    const last = Math.max(-1, ...found.map(([key]) => key));
    for (const later of [...this.#history.keys()].filter((key) => key > last)) this.#history.delete(later);
    this.#history.set(seq, now);
    this.#safeUntil = Number.POSITIVE_INFINITY;
    this.#answered = [{ seq, at: this.time.now }];
  }

  #untouched(before: Map<string, string>, disk: SimDisk, label: string): void {
    const ours = (files: Map<string, string>) => [...files].filter(([name]) => !/lock/.test(name)).sort();
    this.trial.same(ours(disk.contents()), ours(before), `${label}: a refused start modified a file`);
  }

  async #work(store: Store, isOver: () => boolean): Promise<void> {
    const { chance } = this.trial;
    for (const one of this.#steps(400)) {
      if (isOver()) return;
      await this.#commit(store, one);
      if (chance.is(0.05)) void store.writeDocument().catch(() => undefined);
      if (chance.is(0.6)) await this.time.pass(chance.below(chance.is(0.1) ? 1_500 : 60));
    }
  }

  /** Imports a large app while others write, so that it has to catch up with them. */
  async #import(store: Store, isOver: () => boolean): Promise<void> {
    let isDone = false;
    const before = store.world.seq;
    const work = store.transactInSteps(importMany).finally(() => {
      isDone = true;
    });
    while (!isDone) {
      for (const one of isOver() ? [] : this.#steps(1)) {
        const { seq } = store.world;
        store.transact(ruleOf(one));
        this.#note(store, seq);
      }
      await this.time.pass(5);
    }
    this.trial.count("imports", (await work).ok ? 1 : 0);
    this.#note(store, before);
    if (isOver()) return;
    // Large states take long to compare.
    const now = store.world.seq;
    store.transact(removeMany);
    this.#note(store, now);
  }

  #steps(count: number): Step[] {
    return fc.sample(step, { seed: this.trial.chance.below(2 ** 31), numRuns: count });
  }

  async #commit(store: Store, one: Step): Promise<void> {
    const { chance: lots } = this.trial;
    const before = store.world.seq;
    if (lots.is(0.04)) store.snapshots.save(lots.pick(["x", "y"]), null, AT);
    // What an import left makes it a large change, which is stored in steps.
    if (lots.is(0.04)) await this.time.during(store.snapshots.restore(lots.pick(["x", "y"]), null));
    else store.transact(ruleOf(one));
    this.#note(store, before);
  }

  /** Notes the state and its acknowledgement, if there is a change since number `before`. */
  #note(store: Store, before: number): void {
    const { time } = this;
    const answered = this.#answered;
    const { seq } = store.world;
    if (seq === before) return;
    this.#history.set(seq, digest(store));
    const answer = (): void => {
      this.trial.count(`acknowledged with ${this.level}`);
      answered.push({ seq, at: time.now });
    };
    const durable = store.durable();
    if (durable === undefined) answer();
    else durable.then(answer, () => undefined);
  }
}

/** @param size of the run. @param order in which unsynced writes of a file reach the disk. */
export const powerCuts =
  ({ directories, cuts }: PowerCutSize, order: Order = "in order") =>
  async (trial: Trial): Promise<void> => {
    for (let n = 0; n < directories; n += 1) {
      const level = n % 2 === 0 ? "disk" : "process";
      const story = new Story(trial, level, order, `${order}, ${level} ${n}`);
      for (let life = 0; life < cuts && (await story.live()); life += 1);
    }
  };
