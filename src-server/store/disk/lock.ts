/**
 * Taking the lock of a data directory (CONTRACT 8): one process at a time, and a holder that is gone is followed.
 *
 * A stale lock is taken over by whoever first makes the one file that is named after it, and by nobody else: so that of
 * many starters exactly one wins, however slowly each of them goes.
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

/** How often a starter that waits looks at the lock. */
const LOOK_MS = 20;
/** For so long a refused starter waits for the holder to note the URL of its console. */
const PATIENCE_MS = 3_000;

/** What a starter needs from outside. */
export interface LockOptions {
  readonly files: FileSystem;
  readonly dir: DataDir;
  readonly processes: Processes;
  readonly time: LockTime;
  /** Waits so many milliseconds; rejects to give the start up. */
  readonly wait: (ms: number) => Promise<unknown>;
  /** Told, for standard error, what people should know. */
  readonly onNotice: (text: string) => void;
}

/** A lock, taken. */
export interface TakenLock {
  readonly lock: HeldLock;
  /** @see Watch.isDoubtful */
  readonly isDoubtful: boolean;
}

/** Directories that this very process holds: its own pid in a lock says nothing. */
const held = new Set<string>();

/** One starter's attempt. */
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

  /** @returns whether the lock is ours now. @throws StoreFailure if somebody holds it. */
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

  /** Takes a stale lock over, if that is for this starter to do. @returns false if another one is at it, or was quicker. */
  #takeOver(stale: Holder | "unreadable"): boolean {
    const { files, dir } = this.#options;
    let heir = heirPath(dir, stale === "unreadable" ? { instance: stale } : stale);
    // Who was to take over may be gone too; then its own heir is to do it, and so on.
    while (!claim(files, this.#own, heir, this.#mine)) {
      const other = readBeside(files, heir);
      if (other === "gone") return false;
      if (other !== "unreadable" && other.instance === this.#mine.instance) break;
      const judgement = this.#watch.judge(heir, other);
      if (judgement !== "stale") {
        // It takes one step: a living process that does not do it in all this time was stopped.
        if (other !== "unreadable" && this.#watch.unchangedMs(heir, other) >= WATCH_MS) throw this.#refusal(other);
        return false;
      }
      // A power cut leaves an heir's file without its text: that one never comes.
      heir = other === "unreadable" ? heir.replace(/\.tmp$/, "-torn.tmp") : heirPath(dir, other);
    }
    const now = readHolder(files, dir.lock);
    const same = typeof now === "string" || typeof stale === "string" ? now === stale : now.instance === stale.instance;
    // A slower starter may make the file anew after the quicker one has taken over and tidied up: the lock itself tells.
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
 * Takes the lock of a data directory.
 * @throws StoreFailure (exit status 1) naming the holder's pid and console, if a living process holds it. What `wait`
 * throws comes through.
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
