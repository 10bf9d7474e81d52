/** `lock.json`: which process holds a data directory. Only this module reads or writes it. */
import fs from "node:fs";
import { hostname, uptime } from "node:os";
import path from "node:path";
import { z } from "zod";
import { errorCode } from "../failure.ts";
import { type DataDir, removeWhere } from "./data-dir.ts";
import { attempt, closing, type FileSystem, writeFully } from "./files.ts";

/** Process information for the lock. */
export interface Processes {
  readonly pid: number;
  /** Identifies the current boot of the machine. */
  readonly boot: string;
  /** The namespace of pids; each container has its own. */
  readonly pidNamespace: string;
  /** Whether a process with this pid is alive. */
  lives(pid: number): boolean;
}

const readOr = (otherwise: string, read: () => string): string => {
  try {
    return read().trim();
  } catch {
    return otherwise;
  }
};

/** A killed process remains in the process table until its parent reaps it, but holds nothing any more. */
const isZombie = (pid: number): boolean => {
  const stat = readOr("", () => fs.readFileSync(`/proc/${pid}/stat`, "latin1"));
  // The state follows the program name, which is in parentheses and can contain parentheses itself.
  return /^[ZX]/.test(stat.slice(stat.lastIndexOf(")") + 2));
};

/** What other systems than Linux do not tell. Containers have host names of their own. */
const MACHINE = `${process.platform} ${hostname().slice(0, 255)}`;

/**
 * Names a boot where the system does not, as macOS and Windows: otherwise a pid in a lock that a power cut has left could be
 * that of another program. By ten minutes, since clocks get corrected; a wrong name costs a start six seconds, and nothing else.
 * @param now seconds since 1970. @param up seconds since the boot.
 */
export const bootName = (now: number, up: number): string => ` since ${Math.round((now - up) / 600)}`;
const thisBoot = bootName(performance.timeOrigin / 1_000 + process.uptime(), uptime());

/** The processes of this machine, including those of other users. */
export const machineProcesses: Processes = {
  pid: process.pid,
  boot: readOr(MACHINE + thisBoot, () => fs.readFileSync("/proc/sys/kernel/random/boot_id", "latin1")),
  pidNamespace: readOr(MACHINE, () => fs.readlinkSync("/proc/self/ns/pid")),
  lives: (pid) => {
    try {
      process.kill(pid, 0);
      return !isZombie(pid);
    } catch (error) {
      return errorCode(error) === "EPERM";
    }
  },
};

/** Allowed console URLs. Anyone could have created the file: it must not name another machine or hold escape codes. */
const CONSOLE_URL = /^http:\/\/(?:127\.0\.0\.1|localhost|\[::1\]):[0-9]{1,5}$/;

const holder = z.object({
  pid: z.int(),
  /** A random id for each time that a process opens the directory. */
  instance: z.string().regex(/^[0-9a-f]{24}$/),
  /** Null while it starts, or if it has no console. */
  consoleUrl: z.string().regex(CONSOLE_URL).nullable().catch(null),
  /** The boot and pid namespace that the pid belongs to. Version 0.1.0 did not write them. */
  boot: z.string().nullable().default(null),
  pidNamespace: z.string().nullable().default(null),
  /** Renewal counter: a changing lock is held. */
  renewals: z.int().default(0),
});
/** The holder of a data directory. */
export type Holder = z.infer<typeof holder>;

/** Far more than a lock file contains. */
const MOST_BYTES = 64 * 1024;
/** Locks are padded to the same size, so that a renewal overwrites the previous one completely. */
const BYTES = 1024;

/** What a lock file says: its holder, `gone` if it does not exist, or `unreadable`, as after a power cut. */
export type Seen = Holder | "gone" | "unreadable";

/** @returns the content of a lock. @throws Node errors; Error if it is not a regular file, which we must not remove. */
export const readHolder = (files: FileSystem, file: string): Seen => {
  let text: string;
  try {
    // A dangling link exists, although it cannot be read.
    if (files.stat(file).kind === "link") throw new Error("it is a link, not a file");
    text = files.read(file, MOST_BYTES).toString("utf8");
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes(errorCode(error))) return "gone";
    if (errorCode(error) === "EFBIG") return "unreadable";
    throw error;
  }
  try {
    return holder.parse(JSON.parse(text));
  } catch {
    return "unreadable";
  }
};

/** Writes the lock, overwriting the current content. */
export const writeHolder = (files: FileSystem, fd: number, mine: Holder): void => {
  const bytes = Buffer.from(`${JSON.stringify(mine).padEnd(BYTES - 1)}\n`);
  writeFully(files, fd, bytes, bytes.length, 0);
};

/** Whether the process in a lock is running, as far as this process can tell. */
export type HolderState = "runs" | "gone" | "elsewhere";

/** @returns `elsewhere` if the pid belongs to another boot, machine or pid namespace. */
export const standingOf = ({ pid, boot, pidNamespace }: Holder, processes: Processes): HolderState => {
  const isHere = boot === processes.boot && pidNamespace === processes.pidNamespace;
  if (!isHere && boot !== null) return "elsewhere";
  return pid <= 0 || pid === processes.pid || !processes.lives(pid) ? "gone" : "runs";
};

/** @returns the path of a starting process's own file. */
export const ownPath = (dir: DataDir, { pid, instance }: Holder): string =>
  path.join(dir.path, `lock-${pid}-${instance}.tmp`);

/** @returns the path of the file that only the process taking over the lock of this instance can create. */
export const heirPath = (dir: DataDir, instance: string): string => path.join(dir.path, `lock-heir-${instance}.tmp`);

/** Creates a file that names its holder. @throws Node errors. */
export const writeNew = (files: FileSystem, file: string, mine: Holder): void =>
  closing(files, files.create(file), (fd) => writeHolder(files, fd, mine));

/** Errors of file systems without hard links. */
const NO_LINKS: readonly string[] = ["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EINVAL"];

/** Gives `own`, a complete file, another name atomically. @returns false if that exists. @throws Node errors. */
export const claim = (files: FileSystem, own: string, to: string, mine: Holder): boolean => {
  try {
    try {
      files.link(own, to);
    } catch (error) {
      if (!NO_LINKS.includes(errorCode(error))) throw error;
      writeNew(files, to, mine);
    }
    return true;
  } catch (error) {
    if (errorCode(error) === "EEXIST") return false;
    throw error;
  }
};

/** Creates the lock if there is none. @throws Node errors. */
export const claimFree = (dir: DataDir, mine: Holder): void => {
  const own = ownPath(dir, mine);
  writeNew(dir.files, own, mine);
  try {
    claim(dir.files, own, dir.lock, mine);
  } finally {
    attempt(() => dir.files.remove(own));
  }
};

/** @returns the content of a file next to the lock; `unreadable` also if it is not a regular file. */
export const readBeside = (files: FileSystem, file: string): Seen => {
  try {
    return readHolder(files, file);
  } catch {
    return "unreadable";
  }
};

/** Removes the files of starting processes that have died. @param mine the current holder of the lock. */
export const removeStarters = (dir: DataDir, mine: Holder, processes: Processes): void => {
  const ownHeir = path.basename(heirPath(dir, mine.instance));
  removeWhere(dir.files, dir.path, (name) => {
    // An heir file is valid only while the lock that it is named after exists.
    if (/^lock-heir-.*\.tmp$/.test(name)) return name !== ownHeir;
    const pid = /^lock-([0-9]+)-[0-9a-f]{24}\.tmp$/.exec(name)?.[1];
    if (pid === undefined) return false;
    const one = readBeside(dir.files, path.join(dir.path, name));
    // The name contains the owner's pid: a running process may be about to write the file.
    const starter = one === "unreadable" ? { ...mine, pid: Number(pid) } : one;
    return starter !== "gone" && standingOf(starter, processes) === "gone";
  });
};

/** How long a starting process waits for an empty lock file to be filled, in milliseconds. */
const EMPTY_MS = 600;
/** How long a lock of another boot, machine or container must stay unchanged before takeover, in milliseconds. */
export const WATCH_MS = 6_000;

/** What a starting process has observed of locks and of processes taking them over. */
export class Watch {
  /** Whether a lock was judged stale whose holder could be suspended, and write to its open files when it resumes. */
  isDoubtful = false;
  readonly #processes: Processes;
  readonly #monotonic: () => number;
  /** By path: the last content seen, since when, and whether it ever changed. */
  readonly #seen = new Map<string, { text: string; since: number; changed: boolean }>();

  /** @param monotonic milliseconds on a monotonic clock. */
  constructor(processes: Processes, monotonic: () => number) {
    this.#processes = processes;
    this.#monotonic = monotonic;
  }

  /** @param seen the current content of the file. @returns whether it is valid; `wait`: cannot be decided yet. */
  judge(file: string, seen: Exclude<Seen, "gone">): "stale" | "held" | "wait" {
    const unchangedMs = this.unchangedMs(file, seen);
    const standing = seen === "unreadable" ? "elsewhere" : standingOf(seen, this.#processes);
    if (standing !== "elsewhere") return standing === "gone" ? "stale" : "held";
    // An empty file is being written (on a file system without hard links), or is the result of a power cut.
    if (seen !== "unreadable" && this.#seen.get(file)?.changed === true) return "held";
    if (unchangedMs < (seen === "unreadable" ? EMPTY_MS : WATCH_MS)) return "wait";
    this.isDoubtful = true;
    return "stale";
  }

  /** @returns for how long the file has not changed since this process first saw it, in milliseconds. */
  unchangedMs(file: string, seen: Seen): number {
    const text = JSON.stringify(seen);
    const now = this.#monotonic();
    const before = this.#seen.get(file);
    if (before?.text === text) return now - before.since;
    this.#seen.set(file, { text, since: now, changed: before !== undefined });
    return 0;
  }
}
