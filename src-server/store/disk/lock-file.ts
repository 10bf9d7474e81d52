/** `lock.json`: which process holds a data directory (CONTRACT 8). Nothing else reads or writes this file. */
import fs from "node:fs";
import { hostname } from "node:os";
import path from "node:path";
import { z } from "zod";
import { errorCode } from "../failure.ts";
import type { DataDir } from "./data-dir.ts";
import { attempt, closing, type FileSystem, writeFully } from "./files.ts";

/** What the lock needs to know of processes. */
export interface Processes {
  readonly pid: number;
  /** This boot of this machine: after a restart of the machine it is another one. */
  readonly boot: string;
  /** In which the pids count: each container has its own. */
  readonly pidNamespace: string;
  /** Whether a process of this pid lives. */
  lives(pid: number): boolean;
}

/** A process that was killed lives on as an entry until its parent has looked; it holds nothing any more. */
const isZombie = (pid: number): boolean => {
  if (process.platform !== "linux") return false;
  try {
    const stat = fs.readFileSync(`/proc/${pid}/stat`, "latin1");
    // The name of the program stands before the state, in brackets, and may itself hold brackets.
    return /^[ZX]/.test(stat.slice(stat.lastIndexOf(")") + 2));
  } catch {
    return false;
  }
};

/** Where the system does not tell, the name of the machine has to do: containers have names of their own, too. */
const orHostname = (read: () => string): string => {
  try {
    return read().trim();
  } catch {
    return `${process.platform} ${hostname().slice(0, 255)}`;
  }
};

/** The processes of this machine. One that belongs to somebody else lives too. */
export const machineProcesses: Processes = {
  pid: process.pid,
  boot: orHostname(() => fs.readFileSync("/proc/sys/kernel/random/boot_id", "latin1")),
  pidNamespace: orHostname(() => fs.readlinkSync("/proc/self/ns/pid")),
  lives: (pid) => {
    try {
      process.kill(pid, 0);
      return !isZombie(pid);
    } catch (error) {
      return errorCode(error) === "EPERM";
    }
  },
};

/** Where a console can be. Anybody may have put the file there, so that it names no other machine and no escape sequence. */
const CONSOLE_URL = /^http:\/\/(?:127\.0\.0\.1|localhost|\[::1\]):[0-9]{1,5}$/;

const holder = z.object({
  pid: z.int(),
  /** Of this opening: a process that opens the directory again has another. */
  instance: z.string().regex(/^[0-9a-f]{24}$/),
  /** Null: it is still starting, or runs without one. */
  consoleUrl: z.string().regex(CONSOLE_URL).nullable().catch(null),
  /** Which boot of which machine, and which pid namespace, the pid belongs to. Version 0.1.0 did not write them. */
  boot: z.string().nullable().default(null),
  pidNamespace: z.string().nullable().default(null),
  /** How often it has been renewed: a lock that changes is held. */
  renewals: z.int().default(0),
});
/** Who holds a data directory. */
export type Holder = z.infer<typeof holder>;

/** Far more than a lock has. */
const MOST_BYTES = 64 * 1024;
/** Locks are padded to one size, so that a renewal overwrites all of the one before. */
const BYTES = 1024;

const parseHolder = (text: string): Holder | undefined => {
  try {
    return holder.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
};

/**
 * @returns the holder; `unreadable` for a file with something else in it, as a power cut leaves it.
 * @throws Node's errors, and Error for what is no regular file: that is not ours to remove.
 */
export const readHolder = (files: FileSystem, file: string): Holder | "gone" | "unreadable" => {
  try {
    // A link into nothing is there, though there is nothing to read.
    if (files.stat(file).kind === "link") throw new Error("it is a link, not a file");
    return parseHolder(files.read(file, MOST_BYTES).toString("utf8")) ?? "unreadable";
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes(errorCode(error))) return "gone";
    if (errorCode(error) === "EFBIG") return "unreadable";
    throw error;
  }
};

/** Writes the lock, over one that is there. */
export const writeHolder = (files: FileSystem, fd: number, mine: Holder): void => {
  const bytes = Buffer.from(`${JSON.stringify(mine).padEnd(BYTES - 1)}\n`);
  writeFully(files, fd, bytes, bytes.length, 0);
};

/** Whether the process that a lock names still runs: as far as this process can tell. */
export type Standing = "runs" | "gone" | "elsewhere";

/** @returns `elsewhere` if its pid means nothing here: it is one of another boot, machine or pid namespace. */
export const standingOf = ({ pid, boot, pidNamespace }: Holder, processes: Processes): Standing => {
  const isHere = boot === processes.boot && pidNamespace === processes.pidNamespace;
  if (!isHere && boot !== null) return "elsewhere";
  return pid <= 0 || pid === processes.pid || !processes.lives(pid) ? "gone" : "runs";
};

/** @returns the path of a starter's own file. */
export const ownPath = (dir: DataDir, { pid, instance }: Holder): string =>
  path.join(dir.path, `lock-${pid}-${instance}.tmp`);

/** @returns the path of the file that only the one who takes this lock over can make. */
export const heirPath = (dir: DataDir, { instance }: Pick<Holder, "instance">): string =>
  path.join(dir.path, `lock-heir-${instance}.tmp`);

/** Makes a file that names its holder. @throws Node's errors. */
export const writeNew = (files: FileSystem, file: string, mine: Holder): void => {
  closing(files, files.create(file), (fd) => writeHolder(files, fd, mine));
};

/** The file system has no second names. */
const NO_LINKS = ["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EINVAL"];

/**
 * Gives a finished file another name in one step. @param own a file that names `mine`.
 * @returns whether `to` now names it too; false if there is a file of that name. @throws Node's errors.
 */
export const claim = (files: FileSystem, own: string, to: string, mine: Holder): boolean => {
  const link = (): void => {
    try {
      files.link(own, to);
    } catch (error) {
      if (!NO_LINKS.includes(errorCode(error))) throw error;
      writeNew(files, to, mine);
    }
  };
  try {
    link();
    return true;
  } catch (error) {
    if (errorCode(error) === "EEXIST") return false;
    throw error;
  }
};

/** Makes the lock if there is none. @throws Node's errors. */
export const claimFree = (files: FileSystem, dir: DataDir, mine: Holder): void => {
  const own = ownPath(dir, mine);
  writeNew(files, own, mine);
  try {
    claim(files, own, dir.lock, mine);
  } finally {
    attempt(() => files.remove(own));
  }
};

/** @returns what one of these files says; something that is no file says nothing. */
export const readBeside = (files: FileSystem, file: string): Holder | "gone" | "unreadable" => {
  try {
    return readHolder(files, file);
  } catch {
    return "unreadable";
  }
};

/** Removes what starters that are gone have left. @param mine who holds the lock now. */
export const removeStarters = (files: FileSystem, dir: DataDir, mine: Holder, processes: Processes): void => {
  const ownHeir = path.basename(heirPath(dir, mine));
  const isLeftover = (name: string): boolean => {
    // An heir's file counts only as long as the lock that it is named after stands.
    if (/^lock-heir-.*\.tmp$/.test(name)) return name !== ownHeir;
    const pid = /^lock-([0-9]+)-[0-9a-f]{24}\.tmp$/.exec(name)?.[1];
    if (pid === undefined) return false;
    const one = readBeside(files, path.join(dir.path, name));
    // Its name tells whose it is: a living starter may be about to write it.
    const starter = one === "unreadable" ? { ...mine, pid: Number(pid) } : one;
    return starter !== "gone" && standingOf(starter, processes) === "gone";
  };
  attempt(() => {
    for (const name of files.list(dir.path))
      if (isLeftover(name)) attempt(() => files.remove(path.join(dir.path, name)));
  });
};

/** For so long a starter waits for a lock without text to get one. */
const EMPTY_MS = 600;
/** For so long a lock of another boot, machine or container must not change before it is taken over. */
export const WATCH_MS = 6_000;

/** `wait`: it cannot be told yet. */
export type Judgement = "stale" | "held" | "wait";

/** What one starter has seen of the locks, and of those who take them over. */
export class Watch {
  /**
   * Whether a lock was judged stale though its holder may still be about, stopped, and write to the files that it has open
   * when it goes on.
   */
  isDoubtful = false;
  readonly #processes: Processes;
  readonly #monotonic: () => number;
  /** By path: what the file said when it was last looked at, since when, and whether it has ever changed. */
  readonly #seen = new Map<string, { text: string; since: number; changed: boolean }>();

  /** @param monotonic milliseconds since some moment. */
  constructor(processes: Processes, monotonic: () => number) {
    this.#processes = processes;
    this.#monotonic = monotonic;
  }

  /** @param seen what the file says now. @returns whether it counts, after all that was seen of it. */
  judge(file: string, seen: Holder | "unreadable"): Judgement {
    const unchangedMs = this.unchangedMs(file, seen);
    const standing = seen === "unreadable" ? "elsewhere" : standingOf(seen, this.#processes);
    if (standing !== "elsewhere") return standing === "gone" ? "stale" : "held";
    // One without text is being written on a file system without second names, or a power cut emptied it.
    if (seen !== "unreadable" && this.#seen.get(file)?.changed === true) return "held";
    if (unchangedMs < (seen === "unreadable" ? EMPTY_MS : WATCH_MS)) return "wait";
    this.isDoubtful = true;
    return "stale";
  }

  /** @returns for how long the file has said the same, as far as this starter has seen; milliseconds. */
  unchangedMs(file: string, seen: Holder | "unreadable"): number {
    const text = JSON.stringify(seen);
    const now = this.#monotonic();
    const before = this.#seen.get(file);
    if (before?.text === text) return now - before.since;
    this.#seen.set(file, { text, since: now, changed: before !== undefined });
    return 0;
  }
}
