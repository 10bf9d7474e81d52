/**
 * Opens the store (domain/store.ts). lowdb holds the document; changes go to the journal first, then to the document
 * and its indexes, then to the listeners.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { Low, Memory } from "lowdb";
import type { Publish } from "#contract/events.ts";
import type { Problem } from "#contract/problems.ts";
import type { JsonObject } from "#contract/scalars.ts";
import type { SnapshotItem } from "#contract/snapshots.ts";
import type { Decision } from "#domain/decision.ts";
import { stepped } from "#domain/deterministic.ts";
import type { DurabilityLevel, Store } from "#domain/store.ts";
import type { World } from "#domain/world.ts";
import { type DataDir, prepareDir } from "./disk/data-dir.ts";
import { type FileSystem, nodeFiles } from "./disk/files.ts";
import { acquireLock, type TakenLock } from "./disk/lock.ts";
import { machineProcesses, type Processes } from "./disk/lock-file.ts";
import { type AppDocument, emptyDocument, type StoreDocument } from "./document/document.ts";
import { diskProblem, errorText, type Later, NotDurable, realLater, StoreFailure } from "./failure.ts";
import { Housekeeping } from "./housekeeping.ts";
import { WorldIndex } from "./index/indexes.ts";
import { JournalAdapter } from "./lowdb-adapter.ts";
import { NamedSnapshots, REFERENCE_LIMIT } from "./snapshots/named-snapshots.ts";
import { SnapshotFiles } from "./snapshots/snapshot-files.ts";
import { type Keeper, Transactions } from "./transactions.ts";

/** The initial content of a new data directory. */
export interface Beginning {
  /** The signing key, a private JWK. */
  readonly key: JsonObject;
  /** Paths of the fixture files. */
  readonly fixtures: readonly string[];
  /** Apps in document form. */
  readonly apps?: readonly AppDocument[];
  /** Fills the world like a transaction; a problem makes opening fail. */
  readonly fill?: (world: World) => Decision<unknown>;
}

/** @see openStore */
export interface StoreOptions {
  /** The data directory; ignored with `memory`. */
  readonly dir: string;
  readonly durability: DurabilityLevel;
  /** Called only for a new data directory. `openStore` throws what it throws. */
  readonly initial: () => Promise<Beginning>;
  /** Called for existing data before any file is changed. @returns what is wrong with its signing key. */
  readonly checkKey?: (key: JsonObject) => string | undefined;
  /** Called with messages for stderr: `recovered …`, or a failing disk. */
  readonly onNotice: (text: string) => void;
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
  /** Maximum number of references in memory for snapshots that have a file. */
  readonly snapshotReferences?: number;
}

const begin = async (initial: StoreOptions["initial"]): Promise<StoreDocument> => {
  const { key, fixtures, apps, fill } = await initial();
  const document = emptyDocument(key, [...fixtures]);
  document.apps.push(...(apps ?? []));
  for (const entry of document.apps) {
    const lists = [entry.profiles, entry.passcodes, entry.sessions, entry.connections];
    document.seq = Math.max(document.seq, entry.app.seq, ...lists.map((list) => list.at(-1)?.seq ?? 0));
  }
  const index = new WorldIndex(document);
  const filled = fill?.(index);
  const decision = filled === undefined ? undefined : stepped(index, filled);
  if (decision !== undefined && "problem" in decision) {
    const { code, fields } = decision.problem;
    throw new StoreFailure(1, `The first data is refused: ${fields === undefined ? code : JSON.stringify(fields)}.`);
  }
  for (const change of decision?.changes ?? []) index.apply(change, document.seq + 1);
  const flaw = index.flaw();
  if (flaw !== undefined) throw new StoreFailure(1, `The first data does not hold together: ${flaw.message}.`);
  return document;
};

const snapshotsOf = (
  { snapshotReferences = REFERENCE_LIMIT, later = realLater, publish = () => undefined, onNotice }: StoreOptions,
  store: ReturnType<Transactions["port"]>,
  files: SnapshotFiles | undefined,
  stored: readonly SnapshotItem[],
  check: () => Problem | undefined,
): NamedSnapshots =>
  new NamedSnapshots({ store, files, stored, referenceLimit: snapshotReferences, later, check, publish, onNotice });

const keysIn = ({ data }: Low<StoreDocument>): readonly JsonObject[] => [data.key, ...data.keys];

const inMemory: Keeper = { append: () => undefined, replace: () => undefined, durable: () => undefined };

const openMemory = async (options: StoreOptions): Promise<Store> => {
  const document = await begin(options.initial);
  const low = new Low<StoreDocument>(new Memory<StoreDocument>(), document);
  const transactions = new Transactions(low, new WorldIndex(low.data), inMemory, () => undefined, options.onNotice);
  const store = transactions.port();
  return {
    ...store,
    snapshots: snapshotsOf(options, store, undefined, [], () => undefined),
    get keys() {
      return keysIn(low);
    },
    get fixtures() {
      return low.data.fixtures;
    },
    addKey: async (key) => {
      low.data.keys = [...low.data.keys, key];
    },
    dataDir: null,
    durability: "memory",
    isNew: true,
    durable: () => undefined,
    setConsoleUrl: () => undefined,
    writeDocument: () => low.write(),
    close: async () => transactions.end(),
  };
};

const openDisk = async (options: StoreOptions, dir: DataDir, { lock, isDoubtful }: TakenLock): Promise<Store> => {
  const { durability, onNotice, files = nodeFiles, now = Date.now, later = realLater } = options;
  const checkKey = options.checkKey ?? (() => undefined);
  const adapter = new JournalAdapter({ files, dir, now, onNotice, checkKey, lock, isDoubtful });
  const low = new Low<StoreDocument>(adapter, emptyDocument({}, []));
  await low.read();
  const isNew = adapter.index === undefined;
  if (isNew) low.data = await begin(options.initial);
  const snapshotFiles = new SnapshotFiles(files, dir.snapshots, onNotice);
  const stored = await snapshotFiles.list();
  // Snapshots can be ahead of the data, if the data was moved away or a power cut lost its last second. Their numbers
  // are not assigned again.
  const highest = Math.max(low.data.seq, ...stored.map(({ seq }) => seq));
  if (isNew || highest > low.data.seq) {
    low.data.seq = highest;
    await low.write();
  }
  const writeDocument = async (): Promise<void> => {
    if (lock.isLost) return;
    try {
      await low.write();
      transactions.release();
    } catch (error) {
      onNotice(`${dir.document} could not be written (${errorText(error)}); the journal holds everything`);
      throw error;
    }
  };
  const housekeeping = new Housekeeping({
    later,
    sizes: () => ({ journal: adapter.journalSize, document: adapter.documentSize }),
    isClean: () => adapter.isClean(low.data),
    write: writeDocument,
    durable: () => adapter.durable(),
    isStuck: () => adapter.failed,
  });
  const keeper: Keeper = {
    append: (first, changes) => adapter.append(first, changes),
    replace: (document) => adapter.replace(document),
    durable: () => (durability === "disk" ? adapter.durable() : undefined),
  };
  const transactions = new Transactions(
    low,
    adapter.index ?? new WorldIndex(low.data),
    keeper,
    () => housekeeping.changed(),
    onNotice,
  );
  const store = transactions.port();
  const snapshots = snapshotsOf(options, store, snapshotFiles, stored, () => lock.check());
  const close = async (): Promise<void> => {
    transactions.end();
    housekeeping.stop();
    const snapshotsClosed = snapshots.close();
    // What cannot be written is in the journal; both failures have been reported.
    if (!adapter.isClean(low.data)) await writeDocument().catch(() => adapter.durable()?.catch(() => undefined));
    await snapshotsClosed;
    adapter.end();
    lock.release();
  };
  let closed: Promise<void> | undefined;
  return {
    ...store,
    snapshots,
    get keys() {
      return keysIn(low);
    },
    get fixtures() {
      return low.data.fixtures;
    },
    addKey: async (key) => {
      low.data.keys = [...low.data.keys, key];
      try {
        await writeDocument();
      } catch (error) {
        low.data.keys = low.data.keys.filter((one) => one !== key);
        throw new NotDurable("The signing key could not be stored.", diskProblem(error));
      }
    },
    dataDir: dir.path,
    durability,
    isNew,
    durable: keeper.durable,
    setConsoleUrl: (url) => lock.setConsoleUrl(url),
    writeDocument,
    close: () => {
      closed ??= close();
      return closed;
    },
  };
};

/** @returns the error as a failure for the command line. */
const asFailure = (error: unknown, dir: string): unknown => {
  const fromDisk = error instanceof Error && "code" in error && "syscall" in error;
  if (!fromDisk || error instanceof StoreFailure) return error;
  const what = `The data directory ${dir} cannot be used: ${errorText(error)}.`;
  const advice = "Choose another with --data, or check its permissions and its free space.";
  return new StoreFailure(1, what, { file: dir, advice, cause: error });
};

/**
 * Opens the store; creates the data directory if it is new.
 * @throws StoreFailure with exit status 1 if another process holds the directory or the disk fails, 3 for damaged data;
 * also what `initial` throws.
 */
export const openStore = async (options: StoreOptions): Promise<Store> => {
  if (options.durability === "memory") return openMemory(options);
  const { files = nodeFiles, processes = machineProcesses } = options;
  try {
    const dir = prepareDir(files, options.dir);
    const { now = Date.now, monotonic = () => performance.now(), later = realLater, onNotice, signal } = options;
    const wait = options.wait ?? ((ms) => sleep(ms, undefined, signal === undefined ? {} : { signal }));
    const taken = await acquireLock({ files, dir, processes, time: { now, monotonic, later }, wait, onNotice });
    try {
      return await openDisk(options, dir, taken);
    } catch (error) {
      taken.lock.release();
      throw error;
    }
  } catch (error) {
    throw asFailure(error, options.dir);
  }
};
