/** The store as the rest of the program sees it: the only keeper of the world. The store room implements it. */
import type { Problem } from "#contract/problems.ts";
import type { IsoInstant, JsonObject } from "#contract/scalars.ts";
import type { SnapshotItem } from "#contract/snapshots.ts";
import type { Change, Decision, Notes } from "./decision.ts";
import type { Moment } from "./history/moment.ts";
import type { World } from "./world.ts";

/** The result of a transaction. A problem with the disk is a problem like others: nothing was changed. */
export type Outcome<T> =
  | { readonly ok: true; readonly value: T; readonly notes?: Notes }
  | { readonly ok: false; readonly problem: Problem; readonly notes?: Notes };

/** A change that was made, with its number. */
export interface Committed {
  readonly seq: number;
  readonly change: Change;
}

/** Hears of one transaction. */
export type Listener = (changes: readonly Committed[]) => void;

/** How much a crash may cost (CONTRACT 8). */
export type DurabilityLevel = "process" | "disk" | "memory";

/** The result of going back to a snapshot. */
export interface Restored {
  readonly saved: SnapshotItem;
  /** How many changes it took. */
  readonly changes: number;
}

/** Named snapshots: moments to go back to. */
export interface Snapshots {
  /** Those of all apps (null), or those of one, oldest first. */
  list(appId: string | null): readonly SnapshotItem[];
  /**
   * Saves this moment; overwrites any snapshot of that name. It is stored later, unless durability is `memory`.
   * @param createdAt real time. @returns it, or `too_many_snapshots`, or a problem with the disk.
   */
  save(name: string, appId: string | null, createdAt: IsoInstant): Outcome<SnapshotItem>;
  /** @returns `unknown_record` if it is not there, or a problem with the disk. */
  remove(name: string, appId: string | null): Outcome<null>;
  /**
   * What a snapshot holds: that of the app, else that of all. @param only this app alone; null: all.
   * @returns it, `unknown_record`, or `snapshot_unreadable`.
   */
  read(name: string, only: string | null): Promise<Outcome<{ readonly saved: SnapshotItem; readonly moment: Moment }>>;
  /** Goes back to a snapshot in one transaction. @returns as `read`, or `secret_taken`. */
  restore(name: string, only: string | null): Promise<Outcome<Restored>>;
}

/** An open store. */
export interface Store {
  /** The live view; look things up in it, keep none of its lists over an await. */
  readonly world: World;
  /** Absolute, links resolved; null with `memory`. */
  readonly dataDir: string | null;
  readonly durability: DurabilityLevel;
  /** Whether this opening created the data. */
  readonly isNew: boolean;
  /** The signing keys, as private JWKs: that of the first start, then those that were added. */
  readonly keys: readonly JsonObject[];
  /** The paths of the fixture files that the data was started from. */
  readonly fixtures: readonly string[];
  /**
   * Asks the rule, appends its changes to the journal, applies them, publishes them. Synchronous. The changes of a refusal
   * are made too. @throws what the rule throws, and Error for changes that do not fit together.
   */
  transact<T>(rule: (world: World) => Decision<T>): Outcome<T>;
  /**
   * The same for changes that may be many: if they are most of what is stored, a new document file holds them, not a line of
   * the journal. Holds the event loop. @param fixtures the new paths, if it starts the world anew.
   */
  transactBulk<T>(rule: (world: World) => Decision<T>, fixtures?: readonly string[]): Outcome<T>;
  readonly snapshots: Snapshots;
  /**
   * Resolves when everything committed is as durable as was asked for; undefined when it is already.
   * Rejects with an error that carries, as `problem`, what the client should be told.
   */
  durable(): Promise<void> | undefined;
  /** Hears of each transaction once it is as durable as was asked for, so that others may be told. @returns how to stop. */
  subscribe(listener: Listener): () => void;
  /** Hears of each transaction at once: for what is derived from the world, and told to nobody. @returns how to stop. */
  watch(listener: Listener): () => void;
  /** Notes in the lock where the console is, for processes that come later. */
  setConsoleUrl(url: string): void;
  /** Adds a signing key, a private JWK; once it resolves, the key outlives a crash. Rejects as `durable` does: it is not added. */
  addKey(key: JsonObject): Promise<void>;
  /** Writes the document file now, in slices. @throws Node's errors: then everything is as before. */
  writeDocument(): Promise<void>;
  /** A clean stop: the document file alone holds everything, the lock is free. No transaction may follow. Never throws. */
  close(): Promise<void>;
}
