/**
 * `stagedoor doctor --repair`: truncates a damaged journal after its last valid transaction. Every damaged file is
 * kept, renamed with `.damaged-<when>`. A damaged `stagedoor.json` must be repaired by hand: it is readable JSON.
 */
import { basename } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type DataDir, journalNumbers, prepareDir } from "#store/disk/data-dir.ts";
import { cutDurably, nodeFiles as files, syncDir, writeDurably } from "#store/disk/files.ts";
import type { HeldLock } from "#store/disk/held-lock.ts";
import { acquireLock } from "#store/disk/lock.ts";
import { machineProcesses } from "#store/disk/lock-file.ts";
import { realLater, StoreFailure } from "#store/failure.ts";
import { mendData, readData } from "#store/recovery/recovery.ts";
import { type Damage, inspectData } from "./inspect.ts";

/** Each round truncates or moves one journal; more rounds mean that something else is wrong. */
const MOST_ROUNDS = 100;

/** Options of a repair. */
export interface RepairOptions {
  /** Suffix for the names of damaged files, such as `20261120T141500Z`. */
  readonly stamp: string;
  /** Called with each action taken. */
  readonly say: (line: string) => void;
  /** Called with what it is waiting for. */
  readonly onNotice: (line: string) => void;
}

/** The context of one repair. */
interface Repair extends RepairOptions {
  readonly dir: DataDir;
}

const setAside = (file: string, { stamp, say }: Repair): void => {
  const kept = `${file}.damaged-${stamp}`;
  files.rename(file, kept);
  say(`Moved ${file} to ${basename(kept)}`);
};

/** Newer journals first, so that an interrupted repair leaves data that is still detected as damaged. */
const setJournalsAside = (repair: Repair, from: number): void => {
  const numbers = journalNumbers(files, repair.dir).filter((number) => number >= from);
  for (const number of numbers.toReversed()) setAside(repair.dir.journal(number), repair);
};

const startAnew = (repair: Repair): void => {
  setJournalsAside(repair, 0);
  if (files.list(repair.dir.path).includes(basename(repair.dir.document))) setAside(repair.dir.document, repair);
};

/** @param end the offset after the last valid transaction. */
const cutJournal = (repair: Repair, number: number, end: number): void => {
  setJournalsAside(repair, number + 1);
  const file = repair.dir.journal(number);
  if (end === 0) {
    setAside(file, repair);
    return;
  }
  const kept = `${file}.damaged-${repair.stamp}`;
  writeDurably(files, kept, files.read(file));
  cutDurably(files, file, end);
  repair.say(`Cut ${file} at byte ${end}, after its last good transaction. The whole file is now ${basename(kept)}`);
};

/** @throws StoreFailure if a running process holds the directory. */
const lockDir = async (dir: DataDir, onNotice: (line: string) => void): Promise<HeldLock> => {
  const time = { now: Date.now, monotonic: () => performance.now(), later: realLater };
  return (await acquireLock({ files, dir, processes: machineProcesses, time, wait: sleep, onNotice })).lock;
};

/**
 * Moves all data aside, damaged or not, for `start --reset`.
 * @throws StoreFailure if a running process holds the directory; Node errors.
 */
export const setDataAside = async (dataDir: string, options: RepairOptions): Promise<void> => {
  const dir = prepareDir(files, dataDir);
  const lock = await lockDir(dir, options.onNotice);
  try {
    startAnew({ ...options, dir });
    syncDir(files, dir.path);
  } finally {
    lock.release();
  }
};

/** Repairs what it can. @returns the remaining damage. */
const repairAll = async (dataDir: string, repair: Repair): Promise<Damage | undefined> => {
  const { dir, say } = repair;
  for (let round = 0; ; round++) {
    const read = await inspectData(dataDir);
    if (!("damage" in read)) {
      const found = readData(files, dir);
      // As a start would: truncates the end of an interrupted write.
      if (found !== undefined) mendData(files, dir, found, say);
      return undefined;
    }
    const { damage } = read;
    const numbers = journalNumbers(files, dir);
    const number = numbers.find((known) => dir.journal(known) === damage.file);
    const isMissing = damage.file === dir.document && !files.list(dir.path).includes(basename(dir.document));
    if (!damage.isRepairable || round >= MOST_ROUNDS) return damage;
    if (number !== undefined) cutJournal(repair, number, damage.offset ?? 0);
    else if (isMissing) startAnew(repair);
    else return damage;
    syncDir(files, dir.path);
  }
};

/**
 * Repairs the data directory, holding its lock.
 * @returns the obstacle: the remaining damage, or the running process that holds the directory; undefined if a start
 * can read the data.
 * @throws Node errors.
 */
export const repairData = async (dataDir: string, options: RepairOptions): Promise<Damage | undefined> => {
  const dir = prepareDir(files, dataDir);
  let lock: HeldLock;
  try {
    lock = await lockDir(dir, options.onNotice);
  } catch (error) {
    if (error instanceof StoreFailure) return error;
    throw error;
  }
  try {
    return await repairAll(dataDir, { ...options, dir });
  } finally {
    lock.release();
  }
};
