/**
 * Named snapshots: moments that one can go back to. Each holds what was replaced between it and the next one, in memory or
 * (spiller.ts) in files; so saving costs nothing, and going back what has changed since.
 */
import type { Problem } from "#contract/problems.ts";
import { SNAPSHOT_LIMIT } from "#contract/snapshots.ts";
import type { Change } from "#domain/decision.ts";
import { pastsOfApp } from "#domain/past.ts";
import { joined, Undo } from "#domain/undo.ts";
import type { World } from "#domain/world.ts";
import type { SpilledUndo } from "./spilled-undo.ts";
import type { Spiller } from "./spiller.ts";
import { type HeldPasts, holdParts, type Part, UndoTrail } from "./undo-trail.ts";

/** A snapshot as it was saved. */
export interface SavedSnapshot {
  readonly name: string;
  /** Null: of all apps. */
  readonly appId: string | null;
  /** The number of the last change in it. */
  readonly seq: number;
  /** Milliseconds since 1970, real time. */
  readonly savedMs: number;
  readonly counts: {
    readonly apps: number;
    readonly profiles: number;
    readonly passcodes: number;
    readonly sessions: number;
    readonly connections: number;
  };
}

/** Hears of each snapshot that is saved (also anew) or gone. */
export type SnapshotListener = (event: "put" | "delete", saved: SavedSnapshot) => void;

interface Entry {
  readonly saved: SavedSnapshot;
  /** What was replaced after it, until the next one. */
  readonly trail: UndoTrail;
}

const countsOf = (world: World, appId: string | null): SavedSnapshot["counts"] => {
  const counts = { apps: 0, profiles: 0, passcodes: 0, sessions: 0, connections: 0 };
  for (const app of world.apps) {
    if (appId !== null && app.app.appId !== appId) continue;
    counts.apps += 1;
    counts.profiles += app.profiles.length;
    counts.passcodes += app.passcodes.length;
    counts.sessions += app.sessions.length;
    counts.connections += app.connections.length;
  }
  return counts;
};

const appOf = (change: Change): string | null =>
  "put" in change && change.put === "app" ? change.record.appId : change.appId;

/** Keeps the named snapshots of one process. */
export class NamedSnapshots {
  /** Oldest first. */
  readonly #entries: Entry[] = [];
  readonly #spiller: Spiller | undefined;
  #listener: SnapshotListener | undefined;

  /** @param spiller undefined: all is kept in memory. */
  constructor(spiller: Spiller | undefined) {
    this.#spiller = spiller;
  }

  /** @param listener told of each that is put or gone, right after it; one alone. */
  onEvent(listener: SnapshotListener): void {
    this.#listener = listener;
  }

  /** @returns those of all apps, or those of one, oldest first. */
  list(appId: string | null): readonly SavedSnapshot[] {
    return this.#entries.filter(({ saved }) => saved.appId === appId).map(({ saved }) => saved);
  }

  /** Saves this moment; an older one of that name gives way. */
  save(
    world: World,
    name: string,
    appId: string | null,
    savedMs: number,
  ): SavedSnapshot | { readonly problem: Problem } {
    const isNew = this.#placeOf(name, appId) === -1;
    if (isNew && this.#entries.length >= SNAPSHOT_LIMIT) return { problem: { code: "too_many_snapshots" } };
    this.#takeOut(name, appId);
    const saved = { name, appId, seq: world.seq, savedMs, counts: countsOf(world, appId) };
    this.#entries.push({ saved, trail: new UndoTrail() });
    this.#listener?.("put", saved);
    return saved;
  }

  /** Forgets one. @returns whether it was there. */
  remove(name: string, appId: string | null): boolean {
    const saved = this.#takeOut(name, appId);
    if (saved !== undefined) this.#listener?.("delete", saved);
    return saved !== undefined;
  }

  /** @returns the snapshot of this app, else that of all. */
  find(name: string, appId: string | null): SavedSnapshot | undefined {
    const own = this.#placeOf(name, appId);
    return this.#entries[own === -1 ? this.#placeOf(name, null) : own]?.saved;
  }

  /**
   * @param world as it is now. @param only of one app; null: of all that the snapshot holds.
   * @returns what leads back to a snapshot, to be read bit by bit; undefined if there is none, or that app was not there.
   */
  hold(world: World, name: string, only: string | null): HeldPasts | undefined {
    const parts = this.#since(world, name, only);
    return parts === undefined ? undefined : holdParts(parts);
  }

  /**
   * Reads what leads back to a snapshot. @param use called with it when all of it is in memory, nothing coming between;
   * undefined as of `hold`. @returns what `use` returns. @throws SnapshotUnreadable
   */
  async whenLoaded<T>(
    world: World,
    name: string,
    only: string | null,
    use: (saved: SavedSnapshot | undefined, undo: Undo | undefined) => T,
  ): Promise<T> {
    const loaded = new Map<SpilledUndo, Undo>();
    for (;;) {
      const parts = this.#since(world, name, only);
      if (parts === undefined) return use(undefined, undefined);
      const undos: Undo[] = [];
      const missing: SpilledUndo[] = [];
      for (const { past } of parts) {
        const undo = past instanceof Undo ? past : loaded.get(past);
        if (undo !== undefined) undos.push(undo);
        else if (!(past instanceof Undo)) missing.push(past);
      }
      if (missing.length === 0) return use(this.find(name, only), joined(undos, only ?? undefined));
      const { release } = holdParts(parts);
      try {
        for (const past of missing) loaded.set(past, await past.load(only));
      } finally {
        release();
      }
    }
  }

  /** Notes what a change is about to replace. @param into where; absent: for good. */
  note(world: World, change: Change, into?: Undo): void {
    if (this.#entries.length === 0 || !this.#concerns(appOf(change))) return;
    (into ?? this.#entries.at(-1)?.trail.live)?.note(world, change);
  }

  /** After a transaction: the snapshots of an app go with it. @param noted of it, so far apart. */
  settle(world: World, changes: readonly Change[], noted?: Undo): void {
    if (this.#entries.length === 0) return;
    if (noted !== undefined) this.#entries.at(-1)?.trail.live.append(noted);
    if (changes.some((change) => "remove" in change && change.remove === "app"))
      for (const { saved } of [...this.#entries])
        if (saved.appId !== null && world.app(saved.appId) === undefined) this.remove(saved.name, saved.appId);
    this.#spiller?.check(this.#parts());
  }

  /** Forgets all, without telling, at the end of the process. Resolves when no file is left. */
  async close(): Promise<void> {
    for (const { trail } of this.#entries.splice(0)) trail.drop();
    await this.#spiller?.stop();
  }

  #parts(from = 0): Part[] {
    return this.#entries.slice(from).flatMap(({ trail }) => trail.parts);
  }

  /** @see hold */
  #since(world: World, name: string, only: string | null): readonly Part[] | undefined {
    const saved = this.find(name, only);
    if (saved === undefined) return undefined;
    const parts = this.#parts(this.#placeOf(name, saved.appId));
    if (only === null) return parts;
    const pasts = parts.map(({ past }) => past);
    const [oldest] = pastsOfApp(pasts, only);
    const wasThere = oldest === undefined ? world.app(only) !== undefined : !oldest.app.born;
    return wasThere ? parts : undefined;
  }

  #takeOut(name: string, appId: string | null): SavedSnapshot | undefined {
    const place = this.#placeOf(name, appId);
    const entry = this.#entries[place];
    if (entry === undefined) return undefined;
    this.#entries.splice(place, 1);
    // What leads back over its time is still needed by those before it.
    const before = this.#entries[place - 1];
    if (before === undefined) entry.trail.drop();
    else before.trail.append(entry.trail);
    this.#forget();
    return entry.saved;
  }

  #placeOf(name: string, appId: string | null): number {
    return this.#entries.findIndex(({ saved }) => saved.name === name && saved.appId === appId);
  }

  /** Whether some snapshot may be asked to bring this app back. */
  #concerns(appId: string | null): boolean {
    return this.#entries.some(({ saved }) => saved.appId === null || saved.appId === appId);
  }

  /** Lets go of what no snapshot needs any more. */
  #forget(): void {
    for (const { trail } of this.#entries) trail.forget((appId) => this.#concerns(appId));
  }
}
