/** The paths inside a data directory (CONTRACT 8). */
import path from "node:path";
import { errorCode } from "../failure.ts";
import { attempt, type FileSystem, syncDir } from "./files.ts";

const DOCUMENT = "stagedoor.json";
const JOURNAL = /^journal-([1-9][0-9]{0,14})\.ndjson$/;
const OURS = /^(?:snapshots|stagedoor\.(?:log|json(?:\..*)?)|journal-.*|lock\.json|lock-.*\.tmp|\..*)$/;

/** The paths of one data directory. */
export interface DataDir {
  /** Absolute, links resolved. */
  readonly path: string;
  /** `stagedoor.json`, the document file that users see. */
  readonly document: string;
  /** The file actually written: the target of `document` if that is a symbolic link. */
  readonly target: string;
  readonly lock: string;
  /** @param number the generation of the journal. */
  journal(number: number): string;
  /** The directory of named snapshots; it may not exist. */
  readonly snapshots: string;
}

/** @returns the target of `document`, or itself if it is not a link. The target of a dangling link counts too. */
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

/** @returns the directories to create, outermost first. */
const missing = (files: FileSystem, dir: string): string[] =>
  path.dirname(dir) === dir || isThere(files, dir) ? [] : [...missing(files, path.dirname(dir)), dir];

/** Creates one directory unless it exists. @throws Node errors. */
export const makeDir = (files: FileSystem, dir: string): void => {
  try {
    files.makeDir(dir);
  } catch (error) {
    if (errorCode(error) !== "EEXIST") throw error;
  }
};

/** Creates a directory durably: if its name were lost, everything synced inside it would be lost too. */
const makeDurableDir = (files: FileSystem, dir: string): void => {
  const made = missing(files, dir);
  // One by one: Node's recursive mkdir hangs in a place such as /proc, where nothing can be created.
  for (const one of made) makeDir(files, one);
  // A directory without data may come from a start that was killed before the sync below.
  if (made.length === 0 && !isThere(files, path.join(dir, DOCUMENT))) made.push(dir);
  // If a parent can be traversed but not opened, leave the sync to the system.
  for (const one of made.toReversed()) attempt(() => syncDir(files, path.dirname(one)));
};

/** @param dir an existing directory. @returns its paths. @throws Node errors. */
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

/** Creates the directory if necessary, and closes it to other users. @returns its paths. @throws Node errors. */
export const prepareDir = (files: FileSystem, dir: string): DataDir => {
  makeDurableDir(files, path.resolve(dir));
  const found = dataDirAt(files, dir);
  // Do not change the mode of a directory that contains other files (--data .).
  if ((files.stat(found.path).mode & 0o077) !== 0 && files.list(found.path).every((name) => OURS.test(name))) {
    attempt(() => files.setMode(found.path, 0o700));
  }
  return found;
};

/** @returns the generations of the journals in the directory, ascending. */
export const journalNumbers = (files: FileSystem, dir: DataDir): number[] =>
  files
    .list(dir.path)
    .flatMap((name) => {
      const number = JOURNAL.exec(name)?.[1];
      return number === undefined ? [] : [Number(number)];
    })
    .sort((a, b) => a - b);

/** Removes the temporary files of interrupted writes. @param start prefix of the file that was being replaced. */
export const removeLeftovers = (files: FileSystem, folder: string, start: string): void =>
  attempt(() => {
    for (const name of files.list(folder))
      if (name.startsWith(start) && /\.[0-9a-f]{24}\.tmp$/.test(name))
        attempt(() => files.remove(path.join(folder, name)));
  });
