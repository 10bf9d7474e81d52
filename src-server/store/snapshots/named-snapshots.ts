/**
 * Named snapshots. Each holds references to the records of their moment, and is written to its own file, which is
 * read after a restart and when the references would take too much memory.
 */
import type { Publish } from "#contract/control/events.ts";
import { SNAPSHOT_LIMIT, type SnapshotItem } from "#contract/control/snapshots.ts";
import type { IsoInstant } from "#contract/scalars.ts";
import type { Problem } from "#contract/service/problems.ts";
import { countsOf } from "#contract/service/records.ts";
import { dataOf, isSameApp, referencesOf, restoreTo } from "#domain/history/copy.ts";
import { memoryOfLists } from "#domain/history/memory.ts";
import type { Cause, ChangeListener, Outcome, Restored, Snapshots, Store } from "#domain/store.ts";
import type { WorldData } from "#domain/world.ts";
import { attempt } from "../disk/files.ts";
import { diskProblem, errorText, type Later } from "../failure.ts";
import type { SnapshotFiles } from "./snapshot-files.ts";
import type { SnapshotWrite } from "./snapshot-write.ts";

/** Maximum number of references in memory for all snapshots that have a file. */
export const REFERENCE_LIMIT = 1_000_000;
/** A reference to a large record counts several times: once for this many bytes in the file. */
const BYTES_PER_REFERENCE = 256;
/** How long closing waits for unfinished files, in milliseconds. */
const CLOSE_MS = 1_000;

interface Entry {
  saved: SnapshotItem;
  /** Undefined: read it from the file. */
  data: WorldData | undefined;
  weight: number;
  /** What its records weigh, estimated in bytes, of an app whose share counts. */
  readonly bytes: number;
  /** Set while it is being written. */
  write: SnapshotWrite | undefined;
}

/** Dependencies of named snapshots. */
export interface SnapshotOptions {
  readonly store: Pick<Store, "world" | "transactInSteps" | "watch" | "shares">;
  /** Undefined with durability `memory`, which writes nothing. */
  readonly files: SnapshotFiles | undefined;
  /** The snapshots that already have a file, oldest first. */
  readonly stored: readonly SnapshotItem[];
  readonly referenceLimit: number;
  readonly later: Later;
  /** Called right before a write. @returns the problem if another process holds the directory. */
  readonly check: () => Problem | undefined;
  /** Publishes each snapshot that is saved (even again), stored or removed. */
  readonly publish: Publish;
  /** Called with messages for stderr about files that could not be written. */
  readonly onNotice: (text: string) => void;
}

const refused = (problem: Problem): { readonly ok: false; readonly problem: Problem } => ({ ok: false, problem });

/** @see the file */
export class NamedSnapshots implements Snapshots {
  readonly #options: SnapshotOptions;
  readonly #entries: Entry[];
  /** Files are written one at a time. */
  #writes: Promise<void> = Promise.resolve();
  #ended = false;

  constructor(options: SnapshotOptions) {
    this.#options = options;
    this.#entries = options.stored.map((saved) => ({
      saved,
      data: undefined,
      weight: 0,
      bytes: 0,
      write: undefined,
    }));
    options.store.shares.counts("snapshots", (appId) => this.#memoryOf(appId));
    options.store.watch((changes) => this.#follow(changes));
  }

  list(appId: string | null): readonly SnapshotItem[] {
    return this.#entries.filter(({ saved }) => saved.appId === appId).map(({ saved }) => saved);
  }

  save(name: string, appId: string | null, createdAt: IsoInstant): Outcome<SnapshotItem> {
    const { store, files, check } = this.#options;
    const problem = check();
    if (problem !== undefined) return refused(problem);
    const before = this.#find(name, appId);
    const isLimited = appId !== null && store.shares.isLimited(appId);
    const others = this.#entries.filter((one) => !store.shares.isLimited(one.saved.appId)).length;
    if (before === undefined && !isLimited && others >= SNAPSHOT_LIMIT) return refused({ code: "too_many_snapshots" });
    const data = dataOf(store.world, appId);
    const bytes = isLimited ? data.apps.reduce((sum, app) => sum + memoryOfLists(app), 0) : 0;
    const overShare = isLimited ? store.shares.refusal(appId, bytes) : undefined;
    if (overShare !== undefined) return refused(overShare);
    const saved = { name, appId, seq: store.world.seq, createdAt, counts: countsOf(data), stored: false };
    const entry: Entry = { saved, data, weight: referencesOf(data), bytes, write: undefined };
    try {
      const reserved = this.#entries.reduce((sum, { write }) => sum + (write?.remaining ?? 0), 0);
      entry.write = files?.begin(saved, data, reserved);
    } catch (error) {
      return refused(diskProblem(error));
    }
    if (before !== undefined) this.#entries.splice(this.#entries.indexOf(before), 1);
    this.#entries.push(entry);
    this.#tell(saved);
    this.#writes = this.#writes.then(() => this.#write(entry));
    return { ok: true, value: saved };
  }

  #memoryOf(appId: string): number {
    let sum = 0;
    for (const { saved, bytes } of this.#entries) if (saved.appId === appId) sum += bytes;
    return sum;
  }

  remove(name: string, appId: string | null): Outcome<null> {
    const entry = this.#find(name, appId);
    if (entry === undefined) return refused({ code: "unknown_record" });
    const problem = this.#options.check();
    if (problem !== undefined) return refused(problem);
    try {
      this.#options.files?.remove(entry.saved);
    } catch (error) {
      return refused(diskProblem(error));
    }
    this.#drop(entry);
    return { ok: true, value: null };
  }

  async read(name: string, only: string | null): Promise<Outcome<{ saved: SnapshotItem; data: WorldData }>> {
    const entry = this.#find(name, only) ?? this.#find(name, null);
    const data = entry?.data ?? (entry && (await this.#options.files?.read(entry.saved)));
    if (entry === undefined || data === undefined) return refused({ code: "unknown_record" });
    if ("code" in data) return refused(data);
    const apps = data.apps.filter(({ app }) => only === null || app.appId === only);
    const now = only === null ? undefined : this.#options.store.world.app(only);
    const isAnother = now?.app.joined !== undefined && !isSameApp(apps[0], now);
    if (only !== null && (apps.length === 0 || isAnother)) return refused({ code: "unknown_record" });
    return { ok: true, value: { saved: entry.saved, data: { clock: data.clock, apps } } };
  }

  async restore(name: string, only: string | null, cause?: Cause): Promise<Outcome<Restored>> {
    const read = await this.read(name, only);
    if (!read.ok) return read;
    const { saved, data } = read.value;
    const outcome = await this.#options.store.transactInSteps(restoreTo(data, only), cause);
    return outcome.ok ? { ok: true, value: { saved, changes: outcome.value } } : outcome;
  }

  /** Finishes unfinished files within a second, and aborts the rest. Never rejects. */
  async close(): Promise<void> {
    const cancel = this.#options.later(CLOSE_MS, () => {
      this.#ended = true;
    });
    await this.#writes;
    cancel();
  }

  #tell(saved: SnapshotItem): void {
    this.#options.publish({ type: "snapshot.put", appId: saved.appId, item: saved });
  }

  /** Deleting an app deletes its snapshots, unless the same transaction creates it again. */
  #follow(changes: Parameters<ChangeListener>[0]): void {
    const isRemoval = changes.some(({ change }) => "remove" in change && change.remove === "app");
    if (!isRemoval) return;
    for (const entry of [...this.#entries]) {
      const { appId } = entry.saved;
      if (appId === null || this.#options.store.world.app(appId) !== undefined) continue;
      attempt(() => this.#options.files?.remove(entry.saved));
      this.#drop(entry);
    }
  }

  async #write(entry: Entry): Promise<void> {
    const isVoid = (): boolean => this.#ended || !this.#entries.includes(entry) || this.#options.check() !== undefined;
    try {
      const size = await entry.write?.finish(isVoid);
      if (size !== undefined && !isVoid()) this.#stored(entry, size);
    } catch (error) {
      const { name } = entry.saved;
      const what = `the snapshot ${name} could not be stored (${errorText(error)})`;
      if (!isVoid()) this.#options.onNotice(`${what}: it is held in memory. Save it again once there is room`);
    }
    entry.write = undefined;
  }

  #stored(entry: Entry, size: number): void {
    entry.saved = { ...entry.saved, stored: true };
    entry.weight = Math.max(entry.weight, size / BYTES_PER_REFERENCE);
    this.#tell(entry.saved);
    let held = this.#entries.reduce((sum, { data, weight }) => sum + (data === undefined ? 0 : weight), 0);
    for (const one of this.#entries) {
      if (held <= this.#options.referenceLimit) break;
      if (one.data === undefined || !one.saved.stored) continue;
      one.data = undefined;
      held -= one.weight;
    }
  }

  #drop(entry: Entry): void {
    const { name, appId } = entry.saved;
    this.#entries.splice(this.#entries.indexOf(entry), 1);
    this.#options.publish({ type: "snapshot.remove", appId, item: { name } });
  }

  #find(name: string, appId: string | null): Entry | undefined {
    return this.#entries.find(({ saved }) => saved.name === name && saved.appId === appId);
  }
}
