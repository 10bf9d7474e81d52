/** Where things lie in a data directory (CONTRACT 8). */
import path from "node:path";
import { errorCode } from "../failure.ts";
import { attempt, type FileSystem, syncDir } from "./files.ts";

const DOCUMENT = "stagedoor.json";
const JOURNAL = /^journal-([1-9][0-9]{0,14})\.ndjson$/;
const OURS = /^(?:snapshots|stagedoor\.json(?:\..*)?|journal-.*|lock\.json|lock-.*\.tmp|\..*)$/;

/** The names of one data directory. */
export interface DataDir {
  /** Absolute, links resolved. */
  readonly path: string;
  /** `stagedoor.json`, the document file as people know it. */
  readonly document: string;
  /** The file that is written: where `document` leads, if it is a symbolic link. */
  readonly target: string;
  readonly lock: string;
  /** @param number the journal's generation. */
  journal(number: number): string;
  /** The directory of the named snapshots; it may be missing. */
  readonly snapshots: string;
}

/** @returns where `document` leads; itself if it is no link. A link into nothing counts too. */
const targetOf = (files: FileSystem, document: string): string => {
  try {
    if (files.stat(document).kind !== "link") return document;
    try {
      return files.realPath(document);
    } catch {
      return path.resolve(path.dirname(document), files.readLink(document));
    }
  } catch (error) {
    if (errorCode(error) === "ENOENT") return document;
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

/** @returns the directories that have to be made, from the top down. */
const missing = (files: FileSystem, dir: string): string[] =>
  path.dirname(dir) === dir || isThere(files, dir) ? [] : [...missing(files, path.dirname(dir)), dir];

/** Makes one directory, if it is not there. @throws Node's errors. */
export const makeDir = (files: FileSystem, dir: string): void => {
  try {
    files.makeDir(dir);
  } catch (error) {
    if (errorCode(error) !== "EEXIST") throw error;
  }
};

/** Makes a directory; its name is durable too, or all that is synced within it could go with the name. */
const makeDurableDir = (files: FileSystem, dir: string): void => {
  const made = missing(files, dir);
  // One by one: Node's recursive mkdir never comes back from a place such as /proc, where nothing can be made.
  for (const one of made) makeDir(files, one);
  // One that holds no data may have been made by a start that was killed before it came to this.
  if (made.length === 0 && !isThere(files, path.join(dir, DOCUMENT))) made.push(dir);
  // Where one may pass but not look, it is left to the system.
  for (const one of made.toReversed()) attempt(() => syncDir(files, path.dirname(one)));
};

/** @param dir is there. @returns its names. @throws Node's errors. */
export const dataDirAt = (files: FileSystem, dir: string): DataDir => {
  const real = files.realPath(dir);
  const document = path.join(real, DOCUMENT);
  return {
    path: real,
    document,
    target: targetOf(files, document),
    lock: path.join(real, "lock.json"),
    journal: (number) => path.join(real, `journal-${number}.ndjson`),
    snapshots: path.join(real, "snapshots"),
  };
};

/** Makes the directory if need be, and keeps others out of it. @returns its names. @throws Node's errors. */
export const prepareDir = (files: FileSystem, dir: string): DataDir => {
  makeDurableDir(files, path.resolve(dir));
  const found = dataDirAt(files, dir);
  // A directory that holds other things (--data .) is not ours to close to others.
  if ((files.stat(found.path).mode & 0o077) !== 0 && files.list(found.path).every((name) => OURS.test(name))) {
    attempt(() => files.setMode(found.path, 0o700));
  }
  return found;
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

/**
 * Removes what writes that were cut short have left. @param start how the name of the file begins that was to be replaced.
 */
export const removeLeftovers = (files: FileSystem, folder: string, start: string): void =>
  attempt(() => {
    for (const name of files.list(folder))
      if (name.startsWith(start) && /\.[0-9a-f]{24}\.tmp$/.test(name))
        attempt(() => files.remove(path.join(folder, name)));
  });
