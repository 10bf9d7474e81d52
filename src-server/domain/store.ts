/** The interface of the store, which owns the world. The store room implements it. */
import type { FixtureSource } from "#contract/control/fixture-source.ts";
import type { SnapshotItem } from "#contract/control/snapshots.ts";
import type { IsoInstant, JsonObject } from "#contract/scalars.ts";
import type { Problem } from "#contract/service/problems.ts";
import type { Steps } from "#contract/steps.ts";
import type { Change, Decision, Notes } from "./decision.ts";
import type { History } from "./history/history.ts";
import type { Shares } from "./shares.ts";
import type { World, WorldData } from "./world.ts";

/** The result of a transaction. If the disk failed, it is a problem like any other, and nothing was changed. */
export type Outcome<T> =
  | { readonly ok: true; readonly value: T; readonly notes?: Notes }
  | { readonly ok: false; readonly problem: Problem; readonly notes?: Notes };

/** A committed change and its number. */
export interface Committed {
  readonly seq: number;
  readonly change: Change;
}

/** Receives the changes of one transaction. */
export type ChangeListener = (changes: readonly Committed[]) => void;

/** What a crash can lose. */
export type DurabilityLevel = "process" | "disk" | "memory";

/** The result of restoring a snapshot. */
export interface Restored {
  readonly saved: SnapshotItem;
  readonly changes: number;
}

/** Named snapshots. */
export interface Snapshots {
  /** Lists snapshots of all apps (null) or of one app, oldest first. */
  list(appId: string | null): readonly SnapshotItem[];
  /** Saves the data of now over any of that name; on disk later. @returns it, or `too_many_snapshots`, `disk_full` … */
  save(name: string, appId: string | null, createdAt: IsoInstant): Outcome<SnapshotItem>;
  /** Deletes a snapshot. @returns `unknown_record` if it does not exist, or a disk problem. */
  remove(name: string, appId: string | null): Outcome<null>;
  /**
   * Reads a snapshot of the app, or else one of all apps. @param only this app alone; null: all.
   * @returns the snapshot and its data, `unknown_record`, or `snapshot_unreadable`.
   */
  read(name: string, only: string | null): Promise<Outcome<{ readonly saved: SnapshotItem; readonly data: WorldData }>>;
  /** Restores a snapshot in one transaction. @returns as `read`, or `secret_taken`. */
  restore(name: string, only: string | null, cause?: Cause): Promise<Outcome<Restored>>;
}

/** What the history keeps of a transaction next to its changes. */
export interface Cause {
  /** The row of the request log. */
  readonly requestId?: string | undefined;
  /** Whether a window of the console asked for it. */
  readonly byConsole?: boolean;
  /** What it does, in words, where its changes do not tell. */
  readonly what?: string;
  /** Whether the owner asked for it, in the control API: no share of an app limits it. */
  readonly byOwner?: boolean;
}

/** An open store. */
export interface Store {
  /** The live view. Do not keep its lists across an `await`. */
  readonly world: World;
  /** Absolute path with links resolved; null with `memory`. */
  readonly dataDir: string | null;
  readonly durability: DurabilityLevel;
  readonly isNew: boolean;
  /** The signing keys as private JWKs, oldest first. */
  readonly keys: readonly JsonObject[];
  /** Paths of the fixture files that the data was created from. */
  readonly fixtures: readonly FixtureSource[];
  /**
   * Runs the rule, appends its changes to the journal, applies and publishes them. Synchronous. The changes of a
   * refusal are made too. @param cause for the history.
   * @throws what the rule throws, and Error for inconsistent changes.
   */
  transact<T>(rule: (world: World) => Decision<T>, cause?: Cause): Outcome<T>;
  /**
   * Like `transact`, for many changes: decides and writes in slices, between which others can run; only to be made, it
   * blocks the event loop (about 250 ms for 100,000 profiles). If others change what the rule depends on, it decides
   * again, and in the end at once.
   */
  transactInSteps<T>(rule: (world: World) => Steps<Decision<T>>, cause?: Cause): Promise<Outcome<T>>;
  readonly snapshots: Snapshots;
  /** What each app keeps. */
  readonly shares: Shares;
  readonly history: History;
  /** Resolves when all commits are as durable as configured; undefined if they are. Rejects with NotDurable. */
  durable(): Promise<void> | undefined;
  /** Calls the listener once a transaction is as durable as configured, to publish it. @returns unsubscribe. */
  subscribe(listener: ChangeListener): () => void;
  /** Calls the listener immediately after each transaction, for unpublished derived state. @returns unsubscribe. */
  watch(listener: ChangeListener): () => void;
  /** @returns why nothing can be written now, such as a data folder that was moved, as a sentence; undefined if it can. */
  unwritable(): string | undefined;
  /** Stores the console URL in the lock file, for other processes. */
  setConsoleUrl(url: string): void;
  /** Replaces the signing keys, at least one; survives a crash once this resolves. Rejects like `durable`. */
  setKeys(keys: readonly JsonObject[]): Promise<void>;
  /** Sets the paths of the fixture files; the next document file has them. */
  setFixtures(fixtures: readonly FixtureSource[]): void;
  /** Writes the document file now, in slices. @throws Node errors, after which nothing has changed. */
  writeDocument(): Promise<void>;
  /** Stops cleanly: the document file then holds everything, and the lock is released. Never throws. */
  close(): Promise<void>;
}
