/**
 * Where things lie in a data directory (CONTRACT 8).
 */
import { randomBytes } from "node:crypto";
import path from "node:path";
import { errorCode } from "./failure.ts";
import { attempt, type FileSystem, syncDir } from "./files.ts";

const SNAPSHOT = "stagedoor.json";
const JOURNAL = /^journal-([1-9][0-9]{0,14})\.ndjson$/;
const SPILL = /^snapshots-[0-9a-f]{24}\.tmp$/;
const OURS =
  /^(?:snapshots-[0-9a-f]{24}\.tmp|stagedoor\.json(?:\.[0-9a-f]+\.tmp)?|journal-.*|lock\.json|lock-.*\.tmp|\..*)$/;

/** The names of one data directory. */
export interface DataDir {
  /** Absolute, links resolved. */
  readonly path: string;
  /** The snapshot as people know it. */
  readonly snapshot: string;
  /** The file that the snapshot is written to: where `snapshot` leads, if it is a symbolic link. */
  readonly target: string;
  readonly lock: string;
  /** @param number the journal's generation. */
  journal(number: number): string;
  /** @returns a name that nothing has, for what named snapshots do not keep in memory. */
  spill(): string;
}

/** @returns where `snapshot` leads; itself if it is no link. A link into nothing counts too. */
const targetOf = (files: FileSystem, snapshot: string): string => {
  try {
    if (files.stat(snapshot).kind !== "link") return snapshot;
    try {
      return files.realPath(snapshot);
    } catch {
      return path.resolve(path.dirname(snapshot), files.readLink(snapshot));
    }
  } catch (error) {
    if (errorCode(error) === "ENOENT") return snapshot;
    throw error;
  }
};

const isThere = (files: FileSystem, file: string): boolean => {
  try {
    files.stat(file);
    return true;
  } catch {
    return false;
  }
};

/** @returns the directories that a new one will have changed: those above it, up to the first that is there already. */
const changedBy = (files: FileSystem, dir: string): string[] => {
  const above = path.dirname(dir);
  return above === dir || isThere(files, dir) ? [] : [above, ...changedBy(files, above)];
};

/** Makes a directory; its name is durable too, or all that is synced within it could go with the name. */
const makeDurableDir = (files: FileSystem, dir: string): void => {
  const changed = changedBy(files, dir);
  // One that holds no data may have been made by a start that was killed before it came to this.
  if (changed.length === 0 && !isThere(files, path.join(dir, SNAPSHOT))) changed.push(path.dirname(dir));
  files.makeDir(dir);
  // Where one may pass but not look, it is left to the system.
  for (const above of changed) attempt(() => syncDir(files, above));
};

/** Makes the directory if need be, and keeps others out of it. @returns its names. @throws Node's errors. */
export const prepareDir = (files: FileSystem, dir: string): DataDir => {
  makeDurableDir(files, path.resolve(dir));
  const real = files.realPath(dir);
  // A directory that holds other things (--data .) is not ours to close to others.
  if ((files.stat(real).mode & 0o077) !== 0 && files.list(real).every((name) => OURS.test(name))) {
    attempt(() => files.setMode(real, 0o700));
  }
  const snapshot = path.join(real, SNAPSHOT);
  return {
    path: real,
    snapshot,
    target: targetOf(files, snapshot),
    lock: path.join(real, "lock.json"),
    journal: (number) => path.join(real, `journal-${number}.ndjson`),
    spill: () => path.join(real, `snapshots-${randomBytes(12).toString("hex")}.tmp`),
  };
};

/** @returns the numbers of the journals in the directory, ascending. */
export const journalNumbers = (files: FileSystem, dir: DataDir): number[] =>
  files
    .list(dir.path)
    .flatMap((name) => {
      const number = JOURNAL.exec(name)?.[1];
      return number === undefined ? [] : [Number(number)];
    })
    .sort((a, b) => a - b);

/** Removes what a snapshot that was cut short, and named snapshots of a process that was killed, have left. */
export const removeLeftovers = (files: FileSystem, dir: DataDir): void => {
  const folder = path.dirname(dir.target);
  const start = `${path.basename(dir.target)}.`;
  attempt(() => {
    for (const name of files.list(folder)) {
      if (name.startsWith(start) && /^[0-9a-f]{24}\.tmp$/.test(name.slice(start.length))) {
        attempt(() => files.remove(path.join(folder, name)));
      }
    }
  });
  attempt(() => {
    for (const name of files.list(dir.path)) {
      if (SPILL.test(name)) attempt(() => files.remove(path.join(dir.path, name)));
    }
  });
};
