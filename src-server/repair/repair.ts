/**
 * `stagedoor doctor --repair`: truncates a damaged journal after its last valid transaction. Every damaged file is
 * kept, renamed with `.damaged-<when>`. A damaged `stagedoor.json` must be repaired by hand: it is readable JSON.
 */
import { basename } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type DataDir, journalNumbers, prepareDir } from "#store/disk/data-dir.ts";
import { cutDurably, nodeFiles as files, syncDir, writeDurably } from "#store/disk/files.ts";
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
  const numbers = journalNumbers(repair.dir).filter((number) => number >= from);
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

/** Runs an action that changes the directory, holding its lock. @throws StoreFailure if a running process holds it. */
const locked = async <T>(
  dataDir: string,
  options: RepairOptions,
  action: (repair: Repair) => T | Promise<T>,
): Promise<T> => {
  const dir = prepareDir(files, dataDir);
  const time = { now: Date.now, monotonic: () => performance.now(), later: realLater };
  const { onNotice } = options;
  const lock = await acquireLock({ dir, processes: machineProcesses, time, wait: sleep, onNotice });
  try {
    return await action({ ...options, dir });
  } finally {
    lock.release();
  }
};

/** Moves all data aside, for `start --reset`. @throws StoreFailure if a running process holds it; Node errors. */
export const setDataAside = (dataDir: string, options: RepairOptions): Promise<void> =>
  locked(dataDir, options, (repair) => {
    startAnew(repair);
    syncDir(files, repair.dir.path);
  });

/** Repairs what it can. @returns the remaining damage. */
const repairAll = async (repair: Repair): Promise<Damage | undefined> => {
  const { dir, say } = repair;
  for (let round = 0; ; round++) {
    const read = await inspectData(dir.path);
    if (!("damage" in read)) {
      const found = readData(dir);
      // As a start would: truncates the end of an interrupted write.
      if (found !== undefined) mendData(dir, found, say);
      return undefined;
    }
    const { damage } = read;
    if (!damage.isRepairable || round >= MOST_ROUNDS) return damage;
    const number = journalNumbers(dir).find((known) => dir.journal(known) === damage.file);
    if (number !== undefined) cutJournal(repair, number, damage.offset ?? 0);
    else if (damage.file === dir.document) startAnew(repair);
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
  try {
    return await locked(dataDir, options, repairAll);
  } catch (error) {
    if (error instanceof StoreFailure) return error;
    throw error;
  }
};
