/**
 * Acquires the lock of a data directory (CONTRACT 8): one process at a time; the lock of a dead process is taken over.
 *
 * A stale lock belongs to the process that first creates the one file named after it. Of many starting processes
 * exactly one wins, however slow each of them is.
 */
import { randomBytes } from "node:crypto";
import { errorText, StoreFailure } from "../failure.ts";
import type { DataDir } from "./data-dir.ts";
import { attempt, type FileSystem } from "./files.ts";
import { HeldLock, type LockTime } from "./held-lock.ts";
import {
  claim,
  type Holder,
  heirPath,
  ownPath,
  type Processes,
  readBeside,
  readHolder,
  removeStarters,
  standingOf,
  WATCH_MS,
  Watch,
  writeNew,
} from "./lock-file.ts";

/** Polling interval while waiting for the lock, in milliseconds. */
const LOOK_MS = 20;
/** How long a rejected process waits for the holder to publish its console URL, in milliseconds. */
const PATIENCE_MS = 3_000;

/** Dependencies of a starting process. */
export interface LockOptions {
  readonly files: FileSystem;
  readonly dir: DataDir;
  readonly processes: Processes;
  readonly time: LockTime;
  /** Waits for this many milliseconds; rejects to abort the start. */
  readonly wait: (ms: number) => Promise<unknown>;
  /** Called with messages for stderr. */
  readonly onNotice: (text: string) => void;
}

/** An acquired lock. */
export interface TakenLock {
  readonly lock: HeldLock;
  /** @see Watch.isDoubtful */
  readonly isDoubtful: boolean;
}

/** Directories held by this very process, for which its own pid in a lock proves nothing. */
const held = new Set<string>();

/** One attempt to acquire the lock. */
class Starter {
  readonly #options: LockOptions;
  readonly #mine: Holder;
  readonly #own: string;
  readonly #watch: Watch;
  readonly #began: number;
  #hasTold = false;

  constructor(options: LockOptions) {
    const { processes, dir, time } = options;
    this.#options = options;
    this.#watch = new Watch(processes, time.monotonic);
    this.#began = time.monotonic();
    const { pid, boot, pidNamespace } = processes;
    const instance = randomBytes(12).toString("hex");
    this.#mine = { pid, instance, consoleUrl: null, boot, pidNamespace, renewals: 0 };
    this.#own = ownPath(dir, this.#mine);
  }

  async acquire(): Promise<TakenLock> {
    const { files, dir, time, processes, wait } = this.#options;
    writeNew(files, this.#own, this.#mine);
    try {
      while (!this.#look()) await wait(LOOK_MS);
    } finally {
      attempt(() => files.remove(this.#own));
    }
    const onLost = (by: Holder | undefined): void => this.#tellLost(by);
    const onReleased = (): void => void held.delete(dir.path);
    const lock = new HeldLock(this.#mine, { files, dir, time, onLost, onReleased });
    removeStarters(files, dir, this.#mine, processes);
    return { lock, isDoubtful: this.#watch.isDoubtful };
  }

  /** @returns whether the lock is ours now. @throws StoreFailure if another process holds it. */
  #look(): boolean {
    const { files, dir, time } = this.#options;
    if (claim(files, this.#own, dir.lock, this.#mine)) return true;
    const seen = readHolder(files, dir.lock);
    if (seen === "gone") return false;
    const judgement = this.#watch.judge(dir.lock, seen);
    if (judgement === "stale") return this.#takeOver(seen);
    if (seen === "unreadable") return false;
    if (judgement === "wait") this.#tellWatching(seen);
    else if (seen.consoleUrl !== null || time.monotonic() - this.#began >= PATIENCE_MS) throw this.#refusal(seen);
    return false;
  }

  /** Takes over a stale lock if entitled to. @returns false if another process is doing so or was faster. */
  #takeOver(stale: Holder | "unreadable"): boolean {
    const { files, dir } = this.#options;
    let heir = heirPath(dir, stale === "unreadable" ? { instance: stale } : stale);
    // The process entitled to take over may have died too; then its own heir is entitled, and so on.
    while (!claim(files, this.#own, heir, this.#mine)) {
      const other = readBeside(files, heir);
      if (other === "gone") return false;
      if (other !== "unreadable" && other.instance === this.#mine.instance) break;
      const judgement = this.#watch.judge(heir, other);
      if (judgement !== "stale") {
        // Taking over is a single step, so a live process that has not done it in this time is suspended.
        if (other !== "unreadable" && this.#watch.unchangedMs(heir, other) >= WATCH_MS) throw this.#refusal(other);
        return false;
      }
      // A power cut can leave an heir file empty; its process never returns.
      heir = other === "unreadable" ? heir.replace(/\.tmp$/, "-torn.tmp") : heirPath(dir, other);
    }
    const now = readHolder(files, dir.lock);
    const same = typeof now === "string" || typeof stale === "string" ? now === stale : now.instance === stale.instance;
    // A slower process can create the file again after the faster one has cleaned up, so check the lock itself.
    if (same) files.rename(this.#own, dir.lock);
    else attempt(() => files.remove(heir));
    return same;
  }

  #name(one: Holder): string {
    const where = standingOf(one, this.#options.processes) === "elsewhere" ? " of another container or machine" : "";
    return `process ${one.pid}${where} (${one.consoleUrl === null ? "it is still starting" : `console at ${one.consoleUrl}`})`;
  }

  #refusal(by: Holder): StoreFailure {
    const { dir } = this.#options;
    const advice = `Stop that one, or choose another directory with --data. If process ${by.pid} is not Stagedoor, remove ${dir.lock}.`;
    const holder = { pid: by.pid, consoleUrl: by.consoleUrl };
    return new StoreFailure(1, `${dir.path} is in use by ${this.#name(by)}.`, { file: dir.lock, holder, advice });
  }

  #tellWatching(by: Holder): void {
    if (this.#hasTold) return;
    this.#hasTold = true;
    const { dir, onNotice } = this.#options;
    onNotice(
      `${dir.path} is in use by ${this.#name(by)}. Watching ${dir.lock} for ${WATCH_MS / 1_000} s: if it does not ` +
        "change, that process is gone, and this one takes over",
    );
  }

  #tellLost(by: Holder | undefined): void {
    const { dir, onNotice } = this.#options;
    const who = by === undefined ? "another process" : this.#name(by);
    onNotice(`${who} has taken over ${dir.path}. This process refuses all changes from now on. Stop it`);
  }
}

/**
 * Acquires the lock of a data directory.
 * @throws StoreFailure (exit status 1) with the holder's pid and console URL if a running process holds it; also what
 * `wait` throws.
 */
export const acquireLock = async (options: LockOptions): Promise<TakenLock> => {
  const { dir, processes } = options;
  if (held.has(dir.path)) {
    throw new StoreFailure(1, `${dir.path} is in use by this very process (${processes.pid}).`, { file: dir.lock });
  }
  held.add(dir.path);
  try {
    return await new Starter(options).acquire();
  } catch (error) {
    held.delete(dir.path);
    if (error instanceof StoreFailure || (error instanceof Error && error.name === "AbortError")) throw error;
    const what = `The lock ${dir.lock} cannot be taken: ${errorText(error)}.`;
    const advice = "See what lies there, and check that the directory can be written.";
    throw new StoreFailure(1, what, { file: dir.lock, advice, cause: error });
  }
};
