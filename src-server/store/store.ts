/**
 * Opens the store (domain/store.ts). lowdb holds the document; changes go to the journal first, then to the document
 * and its indexes, then to the listeners.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { Low, Memory } from "lowdb";
import type { Maxima } from "#contract/bounds.ts";
import type { Publish } from "#contract/control/events.ts";
import type { FixtureSource } from "#contract/control/fixture-source.ts";
import type { JsonObject } from "#contract/scalars.ts";
import { problems } from "#contract/service/problems.ts";
import type { Steps } from "#contract/steps.ts";
import type { Decision } from "#domain/decision.ts";
import type { ShareLimits } from "#domain/shares.ts";
import type { DurabilityLevel, Store } from "#domain/store.ts";
import type { World } from "#domain/world.ts";
import { type DataDir, prepareDir } from "./disk/data-dir.ts";
import { type FileSystem, nodeFiles } from "./disk/files.ts";
import type { HeldLock } from "./disk/held-lock.ts";
import { acquireLock } from "./disk/lock.ts";
import { machineProcesses, type Processes } from "./disk/lock-file.ts";
import { emptyDocument, type StoreDocument, setKeys } from "./document/document.ts";
import { diskProblem, errorText, type Later, NotDurable, realLater, StoreFailure } from "./failure.ts";
import { Housekeeping } from "./housekeeping.ts";
import { WorldIndex } from "./index/indexes.ts";
import { JournaledStorage } from "./lowdb-adapter.ts";
import type { CheckKey } from "./recovery/recovery.ts";
import { inSlices } from "./slices.ts";
import { NamedSnapshots, REFERENCE_LIMIT, type SnapshotOptions } from "./snapshots/named-snapshots.ts";
import { SnapshotFiles } from "./snapshots/snapshot-files.ts";
import { type Keeper, Transactions } from "./transactions.ts";

/** The initial content of a new data directory. */
export interface Beginning {
  /** The signing key, a private JWK. */
  readonly key: JsonObject;
  readonly fixtures: readonly FixtureSource[];
  /** Fills the world like a transaction; a problem makes opening fail. */
  readonly fill?: (world: World) => Steps<Decision<unknown>>;
}

/** @see openStore */
export interface StoreOptions {
  /** The data directory; ignored with `memory`. */
  readonly dir: string;
  readonly durability: DurabilityLevel;
  /** Called only for a new data directory. `openStore` throws what it throws. */
  readonly initial: () => Promise<Beginning>;
  /** Called for existing data before any file is changed. */
  readonly checkKey?: CheckKey;
  /** Called with messages for stderr: `recovered …`, or a failing disk. */
  readonly onNotice: (text: string) => void;
  /** Called when a listener throws. Absent: a message. */
  readonly onListenerError?: ((who: string, error: unknown) => void) | undefined;
  /** Publishes snapshots; transactions go to `subscribe`. */
  readonly publish?: Publish;
  readonly files?: FileSystem;
  readonly processes?: Processes;
  readonly later?: Later;
  /** Milliseconds since 1970, real time; recorded in the journal for information. */
  readonly now?: () => number;
  /** Monotonic milliseconds in real time, for the age of the lock. */
  readonly monotonic?: () => number;
  /** Waits this many milliseconds of real time for another process's lock. */
  readonly wait?: (ms: number) => Promise<unknown>;
  /** Aborts opening while it waits, with an AbortError. */
  readonly signal?: AbortSignal;
  /** Lower maxima than those of the table of limits, for the timeline. */
  readonly maxima?: Maxima | undefined;
  /** What all apps of the join token may keep together; undefined if no one can join. */
  readonly shared?: ShareLimits | undefined;
  /** Maximum number of references in memory for snapshots that have a file. */
  readonly snapshotReferences?: number;
}

const begin = async (initial: StoreOptions["initial"]): Promise<WorldIndex> => {
  const { key, fixtures, fill } = await initial();
  const index = new WorldIndex(emptyDocument(key, fixtures));
  const decision = fill === undefined ? { changes: [] } : await inSlices(fill(index));
  if ("problem" in decision) {
    const { code, fields } = decision.problem;
    throw new StoreFailure(1, `The initial data is invalid: ${fields === undefined ? code : JSON.stringify(fields)}.`);
  }
  index.applyAll(decision.changes ?? [], 1);
  const flaw = index.flaw();
  if (flaw !== undefined) throw new StoreFailure(1, `The first data does not hold together: ${flaw.message}.`);
  return index;
};

const snapshotsOf = (
  { snapshotReferences = REFERENCE_LIMIT, later = realLater, publish = () => undefined, onNotice }: StoreOptions,
  disk: Pick<SnapshotOptions, "store" | "files" | "stored" | "check">,
): NamedSnapshots => new NamedSnapshots({ ...disk, referenceLimit: snapshotReferences, later, publish, onNotice });

const openMemory = async (options: StoreOptions): Promise<Store> => {
  const index = await begin(options.initial);
  const low = new Low<StoreDocument>(new Memory<StoreDocument>(), index.document);
  const keeper = { append: () => undefined, replace: () => undefined, durable: () => undefined };
  const store = new Transactions(index, keeper, options);
  return Object.assign(store, {
    snapshots: snapshotsOf(options, { store, files: undefined, stored: [], check: () => undefined }),
    setKeys: async (keys: readonly JsonObject[]) => setKeys(low.data, keys),
    dataDir: null,
    durability: options.durability,
    isNew: true,
    unwritable: () => undefined,
    setConsoleUrl: () => undefined,
    writeDocument: () => low.write(),
    close: async () => store.end(),
  });
};

const openDisk = async (options: StoreOptions, dir: DataDir, lock: HeldLock): Promise<Store> => {
  const { durability, onNotice, checkKey, now = Date.now, later = realLater } = options;
  const adapter = new JournaledStorage({ dir, now, onNotice, checkKey, lock });
  const low = new Low<StoreDocument>(adapter, emptyDocument({}, []));
  await low.read();
  const isNew = adapter.index === undefined;
  const index = adapter.index ?? (await begin(options.initial));
  low.data = index.document;
  const files = new SnapshotFiles(dir.files, dir.snapshots, onNotice);
  const stored = await files.list();
  // Snapshots can be ahead of the data, if the data was moved away or a power cut lost its last second. Their numbers
  // are not assigned again.
  const highest = Math.max(low.data.seq, ...stored.map(({ seq }) => seq));
  if (isNew || highest > low.data.seq) {
    low.data.seq = highest;
    await low.write();
  }
  const writeDocument = async (): Promise<void> => {
    if (lock.isLost) return;
    // It is said once, when the folder was missed.
    if (lock.look() !== undefined && lock.isAway) throw new Error("the data folder is missing");
    try {
      await low.write();
      store.release();
    } catch (error) {
      onNotice(`${dir.document} could not be written (${errorText(error)}); the journal holds everything`);
      throw error;
    }
  };
  const housekeeping = new Housekeeping({
    later,
    sizes: () => ({ journal: adapter.journal.bytes, document: adapter.documentSize }),
    isClean: () => adapter.isClean(low.data),
    write: writeDocument,
    durable: () => adapter.durable(),
    isStuck: () => adapter.journal.isFailed,
  });
  adapter.onIncomplete = () => housekeeping.rewrite();
  const keeper: Keeper = {
    append: (first, changes) => {
      const problem = adapter.append(first, changes);
      if (problem?.code === "disk_full") housekeeping.refused();
      return problem;
    },
    replace: (document) => adapter.replace(document),
    durable: () => (durability === "disk" ? adapter.durable() : undefined),
  };
  const store = new Transactions(index, keeper, options, () => housekeeping.changed());
  const snapshots = snapshotsOf(options, { store, files, stored, check: () => lock.check() });
  const close = async (): Promise<void> => {
    store.end();
    housekeeping.stop();
    const snapshotsClosed = snapshots.close();
    if (lock.isAway)
      onNotice(`the data folder ${dir.path} is still missing; where it is now, its journal holds everything`);
    // What cannot be written is in the journal; both failures have been reported.
    if (!adapter.isClean(low.data)) await writeDocument().catch(() => adapter.durable()?.catch(() => undefined));
    await snapshotsClosed;
    await adapter.end();
    lock.release();
  };
  let closed: Promise<void> | undefined;
  return Object.assign(store, {
    snapshots,
    setKeys: async (keys: readonly JsonObject[]) => {
      const before = store.keys;
      setKeys(low.data, keys);
      try {
        await writeDocument();
      } catch (error) {
        setKeys(low.data, before);
        throw new NotDurable("The signing keys could not be stored.", diskProblem(error));
      }
    },
    dataDir: dir.path,
    durability,
    isNew,
    unwritable: () => {
      const problem = adapter.unwritable();
      return problem === undefined ? undefined : (problem.instruction ?? problems[problem.code].instruction);
    },
    setConsoleUrl: (url: string) => lock.setConsoleUrl(url),
    writeDocument,
    close: () => {
      closed ??= close();
      return closed;
    },
  });
};

const asFailure = (error: unknown, dir: string): unknown => {
  const fromDisk = error instanceof Error && "code" in error && "syscall" in error;
  if (!fromDisk || error instanceof StoreFailure) return error;
  const what = `The data folder ${dir} cannot be used: ${errorText(error)}.`;
  const advice = "Choose another with --data, or check its permissions and its free space.";
  return new StoreFailure(1, what, { file: dir, advice, cause: error });
};

/** Opens or creates the store. @throws StoreFailure (1: in use, or disk fails; 3: damaged), and as `initial`. */
export const openStore = async (options: StoreOptions): Promise<Store> => {
  if (options.durability === "memory") return openMemory(options);
  const { files = nodeFiles, processes = machineProcesses } = options;
  try {
    const dir = prepareDir(files, options.dir);
    const { now = Date.now, monotonic = () => performance.now(), later = realLater, onNotice, signal } = options;
    const wait = options.wait ?? ((ms) => sleep(ms, undefined, signal === undefined ? {} : { signal }));
    const lock = await acquireLock({ dir, processes, time: { now, monotonic, later }, wait, onNotice });
    try {
      return await openDisk(options, dir, lock);
    } catch (error) {
      lock.release();
      throw error;
    }
  } catch (error) {
    throw asFailure(error, options.dir);
  }
};
