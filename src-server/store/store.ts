/**
 * The store: the only keeper of the world. lowdb holds the document; changes go to the journal first, then into the
 * document and its indexes, then to those who listen.
 */
import { Low, Memory } from "lowdb";
import type { JsonObject } from "#contract/scalars.ts";
import type { Decision } from "#domain/decision.ts";
import { stepped } from "#domain/deterministic.ts";
import type { World } from "#domain/world.ts";
import { type DataDir, prepareDir } from "./data-dir.ts";
import { type AppDocument, emptyDocument, type StoreDocument } from "./document.ts";
import { errorText, StoreFailure } from "./failure.ts";
import { type FileSystem, nodeFiles } from "./files.ts";
import { Housekeeping, type Later, realLater } from "./housekeeping.ts";
import { LiveWorld, WorldIndex } from "./indexes.ts";
import { JournalAdapter } from "./journal-adapter.ts";
import { acquireLock, type Lock, type Processes } from "./lock.ts";
import { NamedSnapshots } from "./named-snapshots.ts";
import { machineProcesses } from "./processes.ts";
import type { Listener } from "./publisher.ts";
import { SNAPSHOT_MEMORY_BYTES, Spiller } from "./spiller.ts";
import { type Keeper, type Outcome, type Restored, Transactions } from "./transactions.ts";

/** How much a crash may cost (CONTRACT 8). */
export type DurabilityLevel = "process" | "disk" | "memory";

/** What a new data directory begins with. */
export interface Beginning {
  /** The signing key, a private JWK. */
  readonly key: JsonObject;
  /** The paths of the fixture files that it is started from. */
  readonly fixtures: readonly string[];
  /** Apps as they lie in the document. */
  readonly apps?: readonly AppDocument[];
  /** Fills the world, as a transaction would; a problem is a failure to open. */
  readonly fill?: (world: World) => Decision<unknown>;
}

/** @see openStore */
export interface StoreOptions {
  /** The data directory; not looked at with `memory`. */
  readonly dir: string;
  readonly durability: DurabilityLevel;
  /** Asked only for a new data directory. What it throws, `openStore` throws. */
  readonly initial: () => Promise<Beginning>;
  /** Told, for standard error, what people should know: `recovered …`, a disk that fails. */
  readonly onNotice: (text: string) => void;
  readonly files?: FileSystem;
  readonly processes?: Processes;
  readonly later?: Later;
  /** Milliseconds since 1970, real time: noted in the journal for its readers. */
  readonly now?: () => number;
  /** Beyond so many bytes, about, what named snapshots keep goes to files; not with `memory`. */
  readonly snapshotMemoryBytes?: number;
}

/** An open store; StorePort of the HTTP side is a part of it. */
export interface Store {
  /** The live view; look things up in it, keep none of its lists over an await. */
  readonly world: World;
  /** Absolute, links resolved; null with `memory`. */
  readonly dataDir: string | null;
  readonly durability: DurabilityLevel;
  /** Whether this very opening made the data. */
  readonly isNew: boolean;
  /** The signing key, a private JWK. */
  readonly key: JsonObject;
  /** The paths of the fixture files that the data was started from. */
  readonly fixtures: readonly string[];
  /**
   * Asks the rule, writes its changes to the journal in one append, applies them, publishes them. Synchronous. The changes
   * of a refusal are made too. @throws what the rule throws, and Error for changes that do not hold together.
   */
  transact<T>(rule: (world: World) => Decision<T>): Outcome<T>;
  /**
   * The same for changes that may be many: these are a new snapshot, all or nothing, and hold the event loop.
   * @param fixtures the new paths, if it starts the world anew.
   */
  transactBulk<T>(rule: (world: World) => Decision<T>, fixtures?: readonly string[]): Outcome<T>;
  /** Named snapshots, which live as long as the process. */
  readonly snapshots: NamedSnapshots;
  /**
   * Goes back to a snapshot, as one new transaction. @param appId only this app; null: all that the snapshot holds.
   * Costs what has changed since, unless that is most of what is stored. What lies in files is read before, in slices.
   */
  restore(name: string, appId: string | null): Promise<Outcome<Restored>>;
  /**
   * Resolves when all that was committed is as durable as was asked for; undefined when it is already.
   * Rejects with NotDurable, whose `problem` is what the client should be told.
   */
  durable(): Promise<void> | undefined;
  /** Hears of each transaction after it was applied. @returns how to stop. */
  subscribe(listener: Listener): () => void;
  /** Notes in the lock where the console is, for those who come later. */
  setConsoleUrl(url: string): void;
  /** Writes a snapshot now, in slices. @throws Node's errors: then everything is as before. */
  snapshot(): Promise<void>;
  /** A clean stop: the snapshot alone holds everything, the lock is free. No transaction may follow. Never throws. */
  close(): Promise<void>;
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
  const fault = index.fault();
  if (fault !== undefined) throw new StoreFailure(1, `The first data does not hold together: ${fault.message}.`);
  return document;
};

const inMemory: Keeper = { append: () => undefined, replace: () => undefined };

const openMemory = async (options: StoreOptions): Promise<Store> => {
  const document = await begin(options.initial);
  const low = new Low<StoreDocument>(new Memory<StoreDocument>(), document);
  const live = new LiveWorld(new WorldIndex(low.data));
  const snapshots = new NamedSnapshots(undefined);
  const transactions = new Transactions(low, live, inMemory, snapshots, () => undefined, options.onNotice);
  return {
    ...transactions.port(),
    get fixtures() {
      return low.data.fixtures;
    },
    dataDir: null,
    durability: "memory",
    isNew: true,
    durable: () => undefined,
    setConsoleUrl: () => undefined,
    snapshot: () => low.write(),
    close: async () => transactions.end(),
  };
};

const openDisk = async (options: StoreOptions, dir: DataDir, lock: Lock): Promise<Store> => {
  const { durability, onNotice, files = nodeFiles, now = Date.now, later = realLater } = options;
  const adapter = new JournalAdapter({ files, dir, now, onNotice });
  const low = new Low<StoreDocument>(adapter, emptyDocument({}, []));
  await low.read();
  const isNew = adapter.index === undefined;
  if (isNew) {
    low.data = await begin(options.initial);
    await low.write();
  }
  const live = new LiveWorld(adapter.index ?? new WorldIndex(low.data));
  const snapshot = async (): Promise<void> => {
    try {
      await low.write();
    } catch (error) {
      onNotice(`the snapshot ${dir.snapshot} could not be written (${errorText(error)}); the journal holds everything`);
      throw error;
    }
  };
  const housekeeping = new Housekeeping({
    later,
    sizes: () => ({ journal: adapter.journalSize, snapshot: adapter.snapshotSize }),
    isClean: () => adapter.isClean(low.data),
    snapshot,
    durable: () => adapter.durable(),
    isStuck: () => adapter.failed,
  });
  const limitBytes = options.snapshotMemoryBytes ?? SNAPSHOT_MEMORY_BYTES;
  const snapshots = new NamedSnapshots(new Spiller({ files, dir, limitBytes, onNotice }));
  const transactions = new Transactions(low, live, adapter, snapshots, () => housekeeping.changed(), onNotice);
  const close = async (): Promise<void> => {
    transactions.end();
    housekeeping.stop();
    await snapshots.close();
    // What a snapshot that fails leaves behind is in the journal; both failures have been told.
    if (!adapter.isClean(low.data)) await snapshot().catch(() => adapter.durable()?.catch(() => undefined));
    adapter.end();
    lock.release();
  };
  let closed: Promise<void> | undefined;
  return {
    ...transactions.port(),
    get fixtures() {
      return low.data.fixtures;
    },
    dataDir: dir.path,
    durability,
    isNew,
    durable: () => (durability === "disk" ? adapter.durable() : undefined),
    setConsoleUrl: (url) => lock.setConsoleUrl(url),
    snapshot,
    close: () => {
      closed ??= close();
      return closed;
    },
  };
};

/** @returns the error as one that the command line can end with. */
const asFailure = (error: unknown, dir: string): unknown => {
  const fromDisk = error instanceof Error && "code" in error && "syscall" in error;
  if (!fromDisk || error instanceof StoreFailure) return error;
  const what = `The data directory ${dir} cannot be used: ${errorText(error)}.`;
  return new StoreFailure(1, `${what} Choose another with --data, or see to its permissions and its room.`, {
    file: dir,
    cause: error,
  });
};

/**
 * Opens the store; makes the data directory, if it is new.
 * @throws StoreFailure with the exit status: 1 if another process holds the directory or the disk refuses, 3 for damaged
 * data. What `initial` throws comes through.
 */
export const openStore = async (options: StoreOptions): Promise<Store> => {
  if (options.durability === "memory") return openMemory(options);
  const { files = nodeFiles, processes = machineProcesses } = options;
  try {
    const dir = prepareDir(files, options.dir);
    const lock = await acquireLock(files, dir, processes);
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
