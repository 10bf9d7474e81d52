/** The paths inside a data directory. */
import path from "node:path";
import { errorCode } from "../failure.ts";
import { attempt, type FileSystem, syncDir, writeDurably } from "./files.ts";

const DOCUMENT = "stagedoor.json";
const JOURNAL = /^journal-([1-9][0-9]{0,14})\.ndjson$/;
const OURS = /^(?:snapshots|stagedoor\.(?:log|json(?:\..*)?)|journal-.*|requests-.*|lock\.json|lock-.*\.tmp|\..*)$/;

/** @returns the target of `document`, or itself if it is not a link. The target of a dangling link counts too. */
const linkTargetOf = (files: FileSystem, document: string): string => {
  try {
    if (files.stat(document).kind !== "link") return document;
  } catch (error) {
    if (errorCode(error) === "ENOENT") return document;
    throw error;
  }
  try {
    return files.realPath(document);
  } catch {
    return path.resolve(path.dirname(document), files.readLink(document));
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
export const dataDirAt = (files: FileSystem, dir: string) => {
  const real = files.realPath(dir);
  const document = path.join(real, DOCUMENT);
  return {
    /** The file system that holds it. */
    files,
    /** Absolute, links resolved. */
    path: real,
    /** The document file that users see, and the file actually written: its target if it is a symbolic link. */
    document,
    target: linkTargetOf(files, document),
    lock: path.join(real, "lock.json"),
    /** @param number the generation of the journal. */
    journal: (number: number): string => path.join(real, `journal-${number}.ndjson`),
    /** The directory of named snapshots; it may not exist. */
    snapshots: path.join(real, "snapshots"),
  };
};
/** The paths of one data directory. */
export type DataDir = Readonly<ReturnType<typeof dataDirAt>>;

/** Creates the directory if necessary, and closes it to other users. @returns its paths. @throws Node errors. */
export const prepareDir = (files: FileSystem, dir: string): DataDir => {
  makeDurableDir(files, path.resolve(dir));
  const found = dataDirAt(files, dir);
  // Do not change the mode of a directory that contains other files (--data .).
  if ((files.stat(found.path).mode & 0o077) !== 0 && files.list(found.path).every((name) => OURS.test(name)))
    attempt(() => files.setMode(found.path, 0o700));
  return found;
};

/** @returns the generations of the journals in the directory, ascending. */
export const journalNumbers = (dir: DataDir): number[] =>
  dir.files
    .list(dir.path)
    .flatMap((name) => JOURNAL.exec(name)?.[1] ?? [])
    .map(Number)
    .sort((a, b) => a - b);

/** @returns whether the directory is missing, removed or moved. */
export const isFolderMissing = ({ files, path: folder }: DataDir): boolean => {
  try {
    return ["file", "other"].includes(files.stat(folder).kind);
  } catch (error) {
    return ["ENOENT", "ENOTDIR"].includes(errorCode(error));
  }
};

/** @returns whether the directory has a document file or a journal. @throws Node errors. */
export const hasData = (dir: DataDir): boolean => isThere(dir.files, dir.target) || journalNumbers(dir).length > 0;

/** A page of a disk: less is often there on a full one. */
const TRIAL = { name: `stagedoor.json.${"0".repeat(24)}.tmp`, bytes: 65_536 } as const;

/** @returns whether the directory takes a new file, which is removed again. */
export const isWritable = ({ files, path: folder }: DataDir): boolean => {
  const file = path.join(folder, TRIAL.name);
  try {
    attempt(() => files.remove(file));
    writeDurably(files, file, Buffer.alloc(TRIAL.bytes));
    return true;
  } catch {
    return false;
  } finally {
    attempt(() => files.remove(file));
  }
};

/** Makes the names in the directory durable, and that of the document file where it is a link. @throws Node errors. */
export const syncNames = ({ files, path: folder, target }: DataDir): void => {
  for (const one of new Set([folder, path.dirname(target)])) syncDir(files, one);
};

/** Removes files, as far as possible. @param isLeftover asked for each name in the folder. */
export const removeWhere = (files: FileSystem, folder: string, isLeftover: (name: string) => boolean): void =>
  attempt(() => {
    for (const name of files.list(folder)) if (isLeftover(name)) attempt(() => files.remove(path.join(folder, name)));
  });

/** @returns whether this is the temporary file of an interrupted write. @param start prefix: the file to replace. */
export const isTemporary =
  (start: string) =>
  (name: string): boolean =>
    name.startsWith(start) && /\.[0-9a-f]{24}\.tmp$/.test(name);
