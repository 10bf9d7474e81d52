/**
 * One process a data directory (CONTRACT 8). The lock file names its holder; a holder that is gone is followed at once.
 *
 * A lock is made complete in one step, by giving a finished file a second name. A stale one is taken over by whoever
 * first makes the one file that is named after it, and by nobody else: so that of many starters exactly one wins,
 * however slowly each of them goes.
 */
import { randomBytes } from "node:crypto";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import type { DataDir } from "./data-dir.ts";
import { errorCode, errorText, StoreFailure } from "./failure.ts";
import { attempt, type FileSystem, writeFully } from "./files.ts";

const holder = z.object({
  pid: z.int(),
  instance: z.string().regex(/^[0-9a-f]{24}$/),
  consoleUrl: z.string().nullable(),
});
/** Who holds a data directory. */
export type Holder = z.infer<typeof holder>;

/** What the lock needs to know of processes. */
export interface Processes {
  readonly pid: number;
  /** Whether a process of this id lives. */
  lives(pid: number): boolean;
}

/** A lock that is held. */
export interface Lock {
  /** Notes where the holder's console is, for those who come later; on a full disk it stays unsaid. */
  setConsoleUrl(url: string): void;
  /** Gives the directory free. */
  release(): void;
}

/** How long a refused starter waits for the holder to note its console's URL, and how often it looks. */
const PATIENCE_MS = 600;
const LOOK_MS = 20;

/** Directories that this very process holds: its own pid in a lock says nothing. */
const held = new Set<string>();

const readHolder = (files: FileSystem, file: string): Holder | "gone" | "unreadable" => {
  try {
    return holder.safeParse(JSON.parse(files.read(file).toString("utf8"))).data ?? "unreadable";
  } catch (error) {
    return errorCode(error) === "ENOENT" ? "gone" : "unreadable";
  }
};

const writeNew = (files: FileSystem, file: string, mine: Holder): void => {
  const bytes = Buffer.from(`${JSON.stringify(mine)}\n`);
  const fd = files.create(file);
  try {
    writeFully(files, fd, bytes, bytes.length, 0);
  } finally {
    files.close(fd);
  }
};

/** @returns whether `to` is now a name of the finished file `from`; false if there is a file of that name. */
const claim = (files: FileSystem, from: string, to: string, mine: Holder): boolean => {
  try {
    files.link(from, to);
    return true;
  } catch (error) {
    if (errorCode(error) === "EEXIST") return false;
    if (!["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EINVAL"].includes(errorCode(error))) throw error;
  }
  // A file system without second names.
  try {
    writeNew(files, to, mine);
    return true;
  } catch (error) {
    if (errorCode(error) === "EEXIST") return false;
    throw error;
  }
};

const refusal = (dir: DataDir, by: Holder): StoreFailure => {
  const at = by.consoleUrl === null ? "it is still starting" : `console at ${by.consoleUrl}`;
  const what = `${dir.path} is in use by process ${by.pid} (${at}).`;
  const advice = `Stop that one, or choose another directory with --data. If process ${by.pid} is no Stagedoor, remove ${dir.lock}.`;
  return new StoreFailure(1, `${what} ${advice}`, { file: dir.lock });
};

/** One starter's attempt. */
class Starter {
  readonly #files: FileSystem;
  readonly #dir: DataDir;
  readonly #processes: Processes;
  readonly #mine: Holder;
  readonly #own: string;

  constructor(files: FileSystem, dir: DataDir, processes: Processes) {
    this.#files = files;
    this.#dir = dir;
    this.#processes = processes;
    this.#mine = { pid: processes.pid, instance: randomBytes(12).toString("hex"), consoleUrl: null };
    this.#own = path.join(dir.path, `lock-${processes.pid}-${this.#mine.instance}.tmp`);
  }

  async acquire(): Promise<Lock> {
    writeNew(this.#files, this.#own, this.#mine);
    try {
      for (let waited = 0; ; waited += LOOK_MS) {
        if (claim(this.#files, this.#own, this.#dir.lock, this.#mine)) break;
        const seen = readHolder(this.#files, this.#dir.lock);
        if (seen === "gone") continue;
        if (this.#isStale(seen, waited)) {
          if (this.#takeOver(seen, waited)) break;
        } else if (seen !== "unreadable" && (seen.consoleUrl !== null || waited >= PATIENCE_MS)) {
          throw refusal(this.#dir, seen);
        }
        await sleep(LOOK_MS);
      }
    } finally {
      attempt(() => this.#files.remove(this.#own));
    }
    this.#tidyUp();
    return this.#lock();
  }

  /** One that cannot be read is being written on a file system without second names, or a power cut emptied it. */
  #isStale(seen: Holder | "unreadable", waited: number): boolean {
    return seen === "unreadable" ? waited >= PATIENCE_MS : this.#isGone(seen);
  }

  #isGone(one: Holder): boolean {
    const { pid, lives } = this.#processes;
    return one.pid <= 0 || one.pid === pid || !lives(one.pid);
  }

  /**
   * Takes a stale lock over, if that is for this starter to do.
   * @returns false if another one is at it, or was quicker.
   */
  #takeOver(stale: Holder | "unreadable", waited: number): boolean {
    let heir = this.#heirFile(stale === "unreadable" ? "unreadable" : stale.instance);
    // Who was to take over may be gone too; then its own heir is to do it, and so on.
    while (!claim(this.#files, this.#own, heir, this.#mine)) {
      const other = readHolder(this.#files, heir);
      if (other === "gone" || !this.#isStale(other, waited)) return false;
      if (other !== "unreadable" && other.instance === this.#mine.instance) break;
      // A power cut leaves an heir's file without its text: that one never comes.
      heir = other === "unreadable" ? heir.replace(/\.tmp$/, "-torn.tmp") : this.#heirFile(other.instance);
    }
    const now = readHolder(this.#files, this.#dir.lock);
    const same = typeof now === "string" || typeof stale === "string" ? now === stale : now.instance === stale.instance;
    // A slower starter may make the file anew after the quicker one has taken over and tidied up: the lock itself tells.
    if (same) this.#files.rename(this.#own, this.#dir.lock);
    if (!same) attempt(() => this.#files.remove(heir));
    return same;
  }

  #heirFile(instance: string): string {
    return path.join(this.#dir.path, `lock-heir-${instance}.tmp`);
  }

  /** Removes what starters that are gone have left. */
  #tidyUp(): void {
    attempt(() => {
      for (const name of this.#files.list(this.#dir.path)) {
        if (this.#isLeftover(name)) attempt(() => this.#files.remove(path.join(this.#dir.path, name)));
      }
    });
  }

  #isLeftover(name: string): boolean {
    const pid = /^lock-([0-9]+)-[0-9a-f]{24}\.tmp$/.exec(name)?.[1];
    // Its name tells whose it is: a living starter may be about to write it.
    if (pid !== undefined) return this.#isGone({ ...this.#mine, pid: Number(pid) });
    if (!/^lock-heir-.*\.tmp$/.test(name)) return false;
    const one = readHolder(this.#files, path.join(this.#dir.path, name));
    // An heir's file counts only as long as the lock is not taken over, and now it is.
    return one === "unreadable" || (one !== "gone" && (one.instance === this.#mine.instance || this.#isGone(one)));
  }

  #lock(): Lock {
    const [files, dir, mine, own] = [this.#files, this.#dir, this.#mine, this.#own];
    return {
      setConsoleUrl: (consoleUrl) =>
        attempt(() => {
          attempt(() => files.remove(own));
          writeNew(files, own, { ...mine, consoleUrl });
          files.rename(own, dir.lock);
        }),
      release: () => {
        held.delete(dir.path);
        const now = readHolder(files, dir.lock);
        if (typeof now !== "string" && now.instance === mine.instance) attempt(() => files.remove(dir.lock));
      },
    };
  }
}

/**
 * Takes the lock of a data directory.
 * @throws StoreFailure (exit status 1) naming the holder's pid and console, if a living process holds it.
 */
export const acquireLock = async (files: FileSystem, dir: DataDir, processes: Processes): Promise<Lock> => {
  if (held.has(dir.path)) {
    throw new StoreFailure(1, `${dir.path} is in use by this very process (${processes.pid}).`, { file: dir.lock });
  }
  held.add(dir.path);
  try {
    return await new Starter(files, dir, processes).acquire();
  } catch (error) {
    held.delete(dir.path);
    if (error instanceof StoreFailure) throw error;
    const what = `The lock ${dir.lock} cannot be made: ${errorText(error)}.`;
    throw new StoreFailure(1, `${what} See that the directory may be written.`, { file: dir.lock, cause: error });
  }
};
