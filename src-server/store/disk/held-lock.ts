/**
 * A lock that this process holds. It is renewed every 2 s by writing to its open file; if another process
 * has taken over the directory, that file no longer has a name, and the write does no harm. A process that could not
 * renew for 4 s checks who holds the lock before it writes anything else.
 */
import type { Problem } from "#contract/service/problems.ts";
import { errorCode, type Later } from "../failure.ts";
import { type DataDir, hasData, isFolderMissing } from "./data-dir.ts";
import { attempt } from "./files.ts";
import { claimFree, type Holder, readHolder, writeHolder } from "./lock-file.ts";

const RENEW_MS = 2_000;
/** Shorter than the time that other processes watch an unchanged lock before they take over. */
const LEASE_MS = 4_000;

/** The clocks of the lock. */
export interface LockTime {
  /** Milliseconds since 1970: continues while the machine sleeps, but can jump. */
  readonly now: () => number;
  /** Monotonic milliseconds: never jumps, but can pause while the machine sleeps. */
  readonly monotonic: () => number;
  readonly later: Later;
}

/** What a lock depends on. */
export interface HeldLockOptions {
  readonly dir: DataDir;
  readonly time: LockTime;
  /** Whether the previous holder could resume at any time, and write to the files that it has open. */
  readonly isDoubtful: boolean;
  /** Called once when another process holds the directory. */
  readonly onLost: (by: Holder | undefined) => void;
  /** Called when the directory is missing, and when it is there again. */
  readonly onMissing: (isMissing: boolean) => void;
  readonly onReleased: () => void;
}

const TAKEN: Problem = { code: "taken_over" };
const UNKNOWN: Problem = {
  code: "disk_failed",
  instruction: "The lock of the data folder cannot be renewed.",
};

/** @returns the problem of a data directory that is missing, or holds the data of others, in the words for its user. */
const missing = (folder: string, how: string): Problem => ({
  code: "data_folder_missing",
  instruction: `The data folder ${folder} was ${how}. Nothing was changed. Put it back, and Stagedoor continues without a restart.`,
});

/** @see HeldLockOptions */
export class HeldLock {
  /** Called when the lock file is missing. @returns whether the data is as this process left it. */
  isUntouched: () => boolean = () => true;
  /** Called after each renewal. */
  onRenewed: () => void = () => undefined;
  /** Called when the directory was missing, or emptied, and can be written again. */
  onBack: () => void = () => undefined;
  /** @see HeldLockOptions.isDoubtful */
  readonly isDoubtful: boolean;
  readonly #options: HeldLockOptions;
  #mine: Holder;
  /** The open lock file. */
  #fd: number | undefined;
  #identity = "";
  /** The identity of the folder. */
  #folder: string;
  /** When the last renewal started. */
  #renewed: { readonly now: number; readonly monotonic: number };
  #lost = false;
  /** The directory was missing at the last look. */
  #away = false;
  #cancel: () => void = () => undefined;

  /** @param mine the content of the lock, just created. @throws Node errors; Error if another process was faster. */
  constructor(mine: Holder, options: HeldLockOptions) {
    this.#mine = mine;
    this.#options = options;
    this.isDoubtful = options.isDoubtful;
    this.#folder = options.dir.files.stat(options.dir.path).identity;
    this.#renewed = this.#clocks();
    if (this.#whose() !== "mine") throw new Error("another process has taken it");
    this.#renewLater();
  }

  /** Stores the console URL for other processes; skipped if the disk is full. */
  setConsoleUrl(consoleUrl: string): void {
    this.#mine = { ...this.#mine, consoleUrl };
    this.#renew();
  }

  /** Call right before a write, and again before responding; cheap. @returns the problem if the lock is not ours. */
  check(): Problem | undefined {
    if (this.#lost) return TAKEN;
    if (this.#away) return this.#renew();
    const { now, monotonic } = this.#clocks();
    const age = Math.max(now - this.#renewed.now, monotonic - this.#renewed.monotonic);
    return age <= LEASE_MS ? undefined : this.#renew();
  }

  /** Like `check`, but looks whether the directory is there. @returns the problem if nothing can be written. */
  look(): Problem | undefined {
    return this.#lost || this.#isOurFolder() ? this.check() : this.#renew();
  }

  /** Whether the directory is missing: it may come back, with all that is in it. */
  get isAway(): boolean {
    return this.#away;
  }

  /** Whether another process holds the directory; nothing may be written after that. */
  get isLost(): boolean {
    return this.#lost;
  }

  /** Stops accepting writes: an earlier one may not be where others read it. @param by who holds the directory. */
  giveUp(by?: Holder): Problem {
    if (!this.#lost) this.#options.onLost(by);
    this.#lost = true;
    return TAKEN;
  }

  /** Releases the directory. */
  release(): void {
    const { dir, onReleased } = this.#options;
    this.#cancel();
    const isMine = !this.#lost && this.#whose() === "mine";
    this.#open(undefined);
    if (isMine) attempt(() => dir.files.remove(dir.lock));
    onReleased();
  }

  #clocks(): { now: number; monotonic: number } {
    const { now, monotonic } = this.#options.time;
    return { now: now(), monotonic: monotonic() };
  }

  #renewLater(): void {
    this.#cancel = this.#options.time.later(RENEW_MS, () => {
      this.#renew();
      if (!this.#lost) this.#renewLater();
    });
  }

  /** Renews the lock if this process or none holds it. @returns the problem if not. */
  #renew(): Problem | undefined {
    if (this.#lost) return TAKEN;
    const began = this.#clocks();
    this.#mine = { ...this.#mine, renewals: this.#mine.renewals + 1 };
    const { dir } = this.#options;
    try {
      // Write first, then check: if the lock is still ours, it was renewed before anyone could find it unchanged.
      if (this.#fd !== undefined) writeHolder(dir.files, this.#fd, this.#mine);
      let whose = this.#whose();
      if (whose === "nobody" && isFolderMissing(dir)) return this.#leave();
      // What others might have written would be lost; where no data is, nothing is. Our own folder may come back.
      const isEmptied = whose === "nobody" && !this.isUntouched();
      if (isEmptied && hasData(dir)) return this.#isOurFolder() ? this.giveUp() : this.#leave("replaced by other data");
      if (whose === "nobody") {
        claimFree(dir, this.#mine);
        whose = this.#whose();
      }
      if (whose !== "mine") return typeof whose === "string" ? UNKNOWN : this.giveUp(whose);
      // It may be a copy.
      this.#folder = dir.files.stat(dir.path).identity;
      this.#renewed = began;
      if (this.#away || isEmptied) this.#return();
      else this.onRenewed();
      return undefined;
    } catch {
      return UNKNOWN;
    }
  }

  #isOurFolder(): boolean {
    const { files, path } = this.#options.dir;
    let identity: string | undefined;
    attempt(() => (identity = files.stat(path).identity));
    return identity === this.#folder;
  }

  #leave(how = "removed or moved"): Problem {
    if (!this.#away) this.#options.onMissing(true);
    this.#away = true;
    return missing(this.#options.dir.path, how);
  }

  #return(): void {
    if (this.#away) this.#options.onMissing(false);
    this.#away = false;
    this.onBack();
  }

  /** @returns the holder, or `unknown` if it cannot be determined now. Opens the lock file if it is ours and closed. */
  #whose(): "mine" | "nobody" | "unknown" | Holder {
    const { files, lock } = this.#options.dir;
    let fd: number | undefined;
    try {
      if (files.stat(lock).identity === this.#identity) return "mine";
      fd = files.open(lock);
      const { identity } = files.stat(lock);
      // Read last: if the lock is ours now, the file opened before is ours too.
      const seen = readHolder(files, lock);
      if (typeof seen === "string") return seen === "gone" ? "nobody" : "unknown";
      if (seen.instance !== this.#mine.instance) return seen;
      this.#open(fd);
      fd = undefined;
      this.#identity = identity;
      return "mine";
    } catch (error) {
      return errorCode(error) === "ENOENT" ? "nobody" : "unknown";
    } finally {
      this.#close(fd);
    }
  }

  /** Keeps this file open and closes the previous one. */
  #open(fd: number | undefined): void {
    this.#close(this.#fd);
    this.#fd = fd;
  }

  #close(fd: number | undefined): void {
    if (fd !== undefined) attempt(() => this.#options.dir.files.close(fd));
  }
}
