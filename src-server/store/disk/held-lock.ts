/**
 * A lock that this process holds (CONTRACT 8). It is renewed every 2 s, by writing to its own open file: if another process
 * has taken the directory over, that file has no name any more, and the renewal harms nobody. A process that could not
 * renew for 4 s looks who holds the lock before it writes anything more.
 */
import type { Problem } from "#contract/problems.ts";
import { errorCode, type Later } from "../failure.ts";
import type { DataDir } from "./data-dir.ts";
import { attempt, type FileSystem } from "./files.ts";
import { claimFree, type Holder, readHolder, writeHolder } from "./lock-file.ts";

const RENEW_MS = 2_000;
/** Less than the time for which others watch an unchanged lock before they take over. */
const LEASE_MS = 4_000;

/** Time, as the lock reads it. */
export interface LockTime {
  /** Milliseconds since 1970: goes on while the machine sleeps, and may jump. */
  readonly now: () => number;
  /** Milliseconds since some moment: never jumps, and may stand still while the machine sleeps. */
  readonly monotonic: () => number;
  readonly later: Later;
}

/** What the holder of a lock needs from outside. */
export interface HeldLockOptions {
  readonly files: FileSystem;
  readonly dir: DataDir;
  readonly time: LockTime;
  /** Told once, when another process holds the directory. */
  readonly onLost: (by: Holder | undefined) => void;
  readonly onReleased: () => void;
}

const TAKEN: Problem = { code: "taken_over" };
const UNKNOWN: Problem = { code: "disk_failed", instruction: "The lock of the data directory cannot be renewed." };

/** @see HeldLockOptions */
export class HeldLock {
  /** Asked when the lock is missing. @returns whether the data is as this process left it. */
  isUntouched: () => boolean = () => true;
  readonly #options: HeldLockOptions;
  #mine: Holder;
  /** The lock's file, kept open. */
  #fd: number | undefined;
  #identity = "";
  /** When the last renewal began. */
  #renewed: { readonly now: number; readonly monotonic: number };
  #lost = false;
  #cancel: () => void = () => undefined;

  /** @param mine what the lock says, made just now. @throws Node's errors; Error if another process was quicker. */
  constructor(mine: Holder, options: HeldLockOptions) {
    this.#mine = mine;
    this.#options = options;
    this.#renewed = this.#clocks();
    if (this.#whose() !== "mine") throw new Error("another process has taken it");
    this.#renewLater();
  }

  /** Notes where the console is, for those who come later; on a full disk it stays unsaid. */
  setConsoleUrl(consoleUrl: string): void {
    this.#mine = { ...this.#mine, consoleUrl };
    this.#renew();
  }

  /**
   * To be asked right before a write, and again before the write is answered. Two looks at the clock, as a rule.
   * @returns the problem, if another process holds the directory or the lock cannot be renewed.
   */
  check(): Problem | undefined {
    if (this.#lost) return TAKEN;
    const { now, monotonic } = this.#clocks();
    const age = Math.max(now - this.#renewed.now, monotonic - this.#renewed.monotonic);
    return age <= LEASE_MS ? undefined : this.#renew();
  }

  /** Whether another process holds the directory: from then on nothing may be written. */
  get isLost(): boolean {
    return this.#lost;
  }

  /** Accepts no more, since it cannot be told whether an earlier write is still where others will read it. */
  giveUp(): Problem {
    return this.#lose(undefined);
  }

  /** Gives the directory free. */
  release(): void {
    this.#cancel();
    const { files, dir } = this.#options;
    const isMine = !this.#lost && this.#whose() === "mine";
    this.#open(undefined);
    if (isMine) attempt(() => files.remove(dir.lock));
    this.#options.onReleased();
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

  /** Renews the lock, if it is still this process's or nobody's. @returns the problem, if not. */
  #renew(): Problem | undefined {
    if (this.#lost) return TAKEN;
    const began = this.#clocks();
    this.#mine = { ...this.#mine, renewals: this.#mine.renewals + 1 };
    const { files, dir } = this.#options;
    try {
      // Written first, looked at then: what is ours now was renewed before anybody could find it unchanged.
      if (this.#fd !== undefined) writeHolder(files, this.#fd, this.#mine);
      let whose = this.#whose();
      if (whose === "nobody") {
        if (!this.isUntouched()) return this.#lose(undefined);
        claimFree(files, dir, this.#mine);
        whose = this.#whose();
      }
      if (whose === "mine") this.#renewed = began;
      else return typeof whose === "string" ? UNKNOWN : this.#lose(whose);
      return undefined;
    } catch {
      return UNKNOWN;
    }
  }

  #lose(by: Holder | undefined): Problem {
    if (!this.#lost) this.#options.onLost(by);
    this.#lost = true;
    return TAKEN;
  }

  /** @returns whose the lock is, or that nobody can tell for now. Opens its file, if it is ours and not open yet. */
  #whose(): "mine" | "nobody" | "unknown" | Holder {
    const { files, dir } = this.#options;
    let fd: number | undefined;
    try {
      if (files.stat(dir.lock).identity === this.#identity) return "mine";
      fd = files.open(dir.lock);
      const { identity } = files.stat(dir.lock);
      // Read last: if it is ours now, then what was opened before is ours too.
      const seen = readHolder(files, dir.lock);
      if (typeof seen === "string") return seen === "gone" ? "nobody" : "unknown";
      if (seen.instance !== this.#mine.instance) return seen;
      this.#open(fd);
      fd = undefined;
      this.#identity = identity;
      return "mine";
    } catch (error) {
      return errorCode(error) === "ENOENT" ? "nobody" : "unknown";
    } finally {
      const unused = fd;
      if (unused !== undefined) attempt(() => files.close(unused));
    }
  }

  /** Keeps this file open, and closes the one before. */
  #open(fd: number | undefined): void {
    const before = this.#fd;
    this.#fd = fd;
    if (before !== undefined) attempt(() => this.#options.files.close(before));
  }
}
