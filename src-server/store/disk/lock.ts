/**
 * Acquires the lock of a data directory: one process at a time; the lock of a dead process is taken over.
 *
 * A stale lock belongs to the process that first creates the one file named after it. Of many starting processes
 * exactly one wins, however slow each of them is.
 */
import { randomBytes } from "node:crypto";
import { errorText, StoreFailure } from "../failure.ts";
import type { DataDir } from "./data-dir.ts";
import { attempt } from "./files.ts";
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
  type Seen,
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
  readonly dir: DataDir;
  readonly processes: Processes;
  readonly time: LockTime;
  /** Waits for this many milliseconds; rejects to abort the start. */
  readonly wait: (ms: number) => Promise<unknown>;
  /** Called with messages for stderr. */
  readonly onNotice: (text: string) => void;
}

/** Directories held by this very process, for which its own pid in a lock proves nothing. */
const held = new Set<string>();

const instanceIn = (seen: Seen): string => (typeof seen === "string" ? seen : seen.instance);

/** One attempt to acquire the lock. */
const acquire = async ({ dir, time, processes, wait, onNotice }: LockOptions): Promise<HeldLock> => {
  const { files, lock } = dir;
  const watch = new Watch(processes, time.monotonic);
  const began = time.monotonic();
  const { pid, boot, pidNamespace } = processes;
  const instance = randomBytes(12).toString("hex");
  const mine: Holder = { pid, instance, consoleUrl: null, boot, pidNamespace, renewals: 0 };
  const own = ownPath(dir, mine);
  let hasTold = false;

  const nameOf = (one: Holder): string => {
    const where = standingOf(one, processes) === "elsewhere" ? " of another container or machine" : "";
    return `process ${one.pid}${where} (${one.consoleUrl === null ? "it is still starting" : `console at ${one.consoleUrl}`})`;
  };
  const refusal = (by: Holder): StoreFailure => {
    const advice = `Stop that one, or choose another folder with --data. If process ${by.pid} is not Stagedoor, remove ${lock}.`;
    const holder = { pid: by.pid, consoleUrl: by.consoleUrl };
    return new StoreFailure(1, `${dir.path} is in use by ${nameOf(by)}.`, { file: lock, holder, advice });
  };
  /** Takes over a stale lock if entitled to. @returns false if another process is doing so or was faster. */
  const takeOver = (stale: Seen): boolean => {
    let heir = heirPath(dir, instanceIn(stale));
    // The process entitled to take over may have died too; then its own heir is entitled, and so on.
    while (!claim(files, own, heir, mine)) {
      const other = readBeside(files, heir);
      if (other === "gone") return false;
      if (instanceIn(other) === instance) break;
      const judgement = watch.judge(heir, other);
      if (judgement !== "stale") {
        // Taking over is a single step, so a live process that has not done it in this time is suspended.
        if (other !== "unreadable" && watch.unchangedMs(heir, other) >= WATCH_MS) throw refusal(other);
        return false;
      }
      // A power cut can leave an heir file empty; its process never returns.
      heir = other === "unreadable" ? heir.replace(/\.tmp$/, "-torn.tmp") : heirPath(dir, other.instance);
    }
    const isSame = instanceIn(readHolder(files, lock)) === instanceIn(stale);
    // A slower process can create the file again after the faster one has cleaned up, so check the lock itself.
    if (isSame) files.rename(own, lock);
    else attempt(() => files.remove(heir));
    return isSame;
  };
  /** @returns whether the lock is ours now. @throws StoreFailure if another process holds it. */
  const look = (): boolean => {
    if (claim(files, own, lock, mine)) return true;
    const seen = readHolder(files, lock);
    if (seen === "gone") return false;
    const judgement = watch.judge(lock, seen);
    if (judgement === "stale") return takeOver(seen);
    if (seen === "unreadable") return false;
    if (judgement === "wait") {
      const then = "if it does not change, that process has ended, and this one takes over";
      if (!hasTold)
        onNotice(`${dir.path} is in use by ${nameOf(seen)}. Watching ${lock} for ${WATCH_MS / 1_000} s: ${then}`);
      hasTold = true;
    } else if (seen.consoleUrl !== null || time.monotonic() - began >= PATIENCE_MS) throw refusal(seen);
    return false;
  };

  writeNew(files, own, mine);
  try {
    while (!look()) await wait(LOOK_MS);
  } finally {
    attempt(() => files.remove(own));
  }
  const taken = new HeldLock(mine, {
    dir,
    time,
    isDoubtful: watch.isDoubtful,
    onLost: (by) => {
      const who = by === undefined ? "another process" : nameOf(by);
      onNotice(`${who} has taken over ${dir.path}. This process rejects all changes from now on. Stop it`);
    },
    onMissing: (isMissing) =>
      onNotice(
        isMissing
          ? `the data folder ${dir.path} was removed or moved: changes are rejected until it is back`
          : `the data folder ${dir.path} is back: changes are accepted again`,
      ),
    onReleased: () => void held.delete(dir.path),
  });
  removeStarters(dir, mine, processes);
  return taken;
};

/** @throws StoreFailure (exit status 1) that names a running holder; also what `wait` throws. */
export const acquireLock = async (options: LockOptions): Promise<HeldLock> => {
  const { dir, processes } = options;
  if (held.has(dir.path))
    throw new StoreFailure(1, `${dir.path} is in use by this very process (${processes.pid}).`, { file: dir.lock });
  held.add(dir.path);
  try {
    return await acquire(options);
  } catch (error) {
    held.delete(dir.path);
    if (error instanceof StoreFailure || (error instanceof Error && error.name === "AbortError")) throw error;
    const what = `The lock ${dir.lock} cannot be taken: ${errorText(error)}.`;
    const advice = "Look at it, and check that the folder is writable.";
    throw new StoreFailure(1, what, { file: dir.lock, advice, cause: error });
  }
};
