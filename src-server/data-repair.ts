/**
 * `stagedoor doctor --repair`: makes damaged data such that a start reads it again. Every damaged file is kept beside, under
 * its name with `.damaged-<when>`; nothing is thrown away (CONTRACT 8).
 */
import { basename } from "node:path";
import { type DataDir, journalNumbers, prepareDir } from "#store/data-dir.ts";
import { StoreFailure } from "#store/failure.ts";
import { nodeFiles as files, syncDir, writeFully } from "#store/files.ts";
import { acquireLock, type Lock } from "#store/lock.ts";
import { machineProcesses } from "#store/processes.ts";
import { recover } from "#store/recovery.ts";
import { SnapshotFile, snapshotSlices } from "#store/snapshot.ts";
import { createSigningKey } from "#tokens/keys.ts";
import { readData } from "./data-check.ts";
import { salvage } from "./snapshot-salvage.ts";

/** Each mending takes a fault away; more than this and something else is wrong. */
const MOST_ROUNDS = 100;

/** One repair, with what it needs at hand. */
interface Repair {
  readonly dir: DataDir;
  /** What damaged files are called after, such as `20261120T141500Z`. */
  readonly stamp: string;
  readonly say: (line: string) => void;
}

const keptName = (file: string, { stamp }: Repair): string => `${file}.damaged-${stamp}`;

/** Keeps a whole copy; the file itself stays what it is until it is mended. */
const keepCopy = (file: string, repair: Repair): string => {
  const kept = keptName(file, repair);
  const bytes = files.read(file);
  const fd = files.create(kept);
  try {
    writeFully(files, fd, bytes, bytes.length, 0);
    files.sync(fd);
  } finally {
    files.close(fd);
  }
  return kept;
};

const setAside = (file: string, repair: Repair): void => {
  const kept = keptName(file, repair);
  files.rename(file, kept);
  repair.say(`${file} is set aside as ${basename(kept)}`);
};

/** Newer journals first: whatever is left if this is cut short is still seen to be damaged. */
const setJournalsAside = (repair: Repair, from: number): void => {
  const numbers = journalNumbers(files, repair.dir).filter((number) => number >= from);
  for (const number of numbers.toReversed()) setAside(repair.dir.journal(number), repair);
};

/** The first journal that is not in the snapshot. */
const generationOf = (dir: DataDir): number => {
  const value: unknown = JSON.parse(
    files
      .read(dir.snapshot)
      .toString("utf8")
      .replace(/^\uFEFF/, ""),
  );
  const named = typeof value === "object" && value !== null && "generation" in value ? value.generation : undefined;
  return typeof named === "number" ? named : 1;
};

const mendJournal = (repair: Repair, number: number, offset: number): void => {
  const file = repair.dir.journal(number);
  if (number < generationOf(repair.dir)) {
    setAside(file, repair);
    return;
  }
  setJournalsAside(repair, number + 1);
  if (offset === 0) {
    setAside(file, repair);
    return;
  }
  const kept = keepCopy(file, repair);
  const fd = files.open(file);
  try {
    files.truncate(fd, offset);
    files.sync(fd);
  } finally {
    files.close(fd);
  }
  repair.say(
    `${file} is cut at byte ${offset}, after its last good transaction; it is kept whole as ${basename(kept)}`,
  );
};

const startAnew = (repair: Repair): void => {
  setJournalsAside(repair, 0);
  if (files.list(repair.dir.path).includes(basename(repair.dir.snapshot))) setAside(repair.dir.snapshot, repair);
  repair.say("Nothing could be saved of the data: the next start begins anew.");
};

const mendSnapshot = async (repair: Repair): Promise<void> => {
  const { dir } = repair;
  const numbers = journalNumbers(files, dir);
  const names = files.list(dir.path);
  if (!names.includes(basename(dir.snapshot))) return startAnew(repair);
  const options = { alone: numbers.length === 0, generation: numbers[0] ?? 1, key: await createSigningKey() };
  const saved = salvage(files.read(dir.snapshot), options);
  if (saved === undefined) return startAnew(repair);
  const kept = keepCopy(dir.snapshot, repair);
  const file = new SnapshotFile(files, dir);
  try {
    for (const slice of snapshotSlices(saved.document)) file.write(slice);
    file.sync();
    file.publish();
  } catch (error) {
    file.discard();
    throw error;
  }
  const lost = saved.lost === 1 ? "1 entry that is damaged is" : `${saved.lost} entries that are damaged are`;
  repair.say(`${dir.snapshot}: ${lost} left out; the file is kept whole as ${basename(kept)}`);
  if (saved.newKey) repair.say("The signing key was lost: there is a new one, and tokens issued before are not valid.");
};

/**
 * Sets all data aside, damaged or not, for a start that begins anew (`start --reset`).
 * @param stamp when, as text for file names. @param say told each thing that was done.
 * @throws StoreFailure if a living process holds the directory; Node's errors.
 */
export const setDataAside = async (dataDir: string, stamp: string, say: (line: string) => void): Promise<void> => {
  const dir = prepareDir(files, dataDir);
  const lock = await acquireLock(files, dir, machineProcesses);
  try {
    startAnew({ dir, stamp, say });
    syncDir(files, dir.path);
  } finally {
    lock.release();
  }
};

/** @returns whether the damage is such that mending would only do harm: a newer program's data, unreadable files. */
const isBeyond = ({ exitStatus, file, message }: StoreFailure): boolean =>
  exitStatus !== 3 || file === null || /\bnewer Stagedoor\b|\bcannot be read\b/.test(message);

/**
 * Mends the data directory, holding its lock.
 * @param stamp when, as text for file names. @param say told each thing that was done.
 * @returns what is in the way: the damage that could not be mended, or the living process that holds the directory;
 * undefined if a start will read the data.
 * @throws Node's errors.
 */
export const repairData = async (
  dataDir: string,
  stamp: string,
  say: (line: string) => void,
): Promise<StoreFailure | undefined> => {
  const dir = prepareDir(files, dataDir);
  let lock: Lock;
  try {
    lock = await acquireLock(files, dir, machineProcesses);
  } catch (error) {
    if (error instanceof StoreFailure) return error;
    throw error;
  }
  const repair: Repair = { dir, stamp, say };
  try {
    let last: StoreFailure | undefined;
    for (let round = 0; round < MOST_ROUNDS; round++) {
      const read = readData(dataDir);
      if (!("damage" in read)) {
        // What a start would do itself: the end of a write that was cut short.
        recover(files, dir, say);
        return undefined;
      }
      last = read.damage;
      if (isBeyond(last) || last.file === null) return last;
      const number = journalNumbers(files, dir).find((known) => dir.journal(known) === last?.file);
      if (number === undefined) await mendSnapshot(repair);
      else mendJournal(repair, number, last.offset ?? 0);
      syncDir(files, dir.path);
    }
    return last;
  } finally {
    lock.release();
  }
};
