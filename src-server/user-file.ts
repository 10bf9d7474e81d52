/** Reads files that users name: regular files of a limited size, so that no pipe or device can hold up a start. */
import { closeSync, constants, fstatSync, openSync, readFileSync } from "node:fs";
import { frozen } from "#contract/frozen.ts";
import { assetAt } from "./program-files.ts";

/** Does not wait for the writer of a pipe, or take over a terminal. Windows has neither flag. */
const FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0);

/** The reason if there is no such file. */
export const NO_SUCH_FILE = "no such file";
const FOLDER = "is a folder, not a file";
const NOT_REGULAR = "is not a regular file";
const REASONS = frozen<Readonly<Record<string, string>>>({
  ENOENT: NO_SUCH_FILE,
  ENOTDIR: NO_SUCH_FILE,
  EISDIR: FOLDER,
  EACCES: "no permission to read it",
  EPERM: "no permission to read it",
  ENXIO: NOT_REGULAR,
});

const MIB = 1_048_576;
const most = (bytes: number): string => `the maximum is ${bytes / MIB} MiB`;

/** @param mostBytes its maximum size. @returns its bytes, or why they cannot be read, to follow its name. */
export const readUserFile = (path: string, mostBytes: number = MIB): Buffer | string => {
  const asset = assetAt(path);
  if (asset !== undefined) return asset;
  let opened: number | undefined;
  try {
    opened = openSync(path, FLAGS);
    const found = fstatSync(opened);
    if (!found.isFile()) return found.isDirectory() ? FOLDER : NOT_REGULAR;
    if (found.size > mostBytes) return `is ${(found.size / MIB).toFixed(1)} MiB; ${most(mostBytes)}`;
    return readFileSync(opened);
  } catch (error) {
    if (!(error instanceof Error)) return `cannot be read (${String(error)})`;
    return REASONS["code" in error ? String(error.code) : ""] ?? `cannot be read (${error.message})`;
  } finally {
    if (opened !== undefined) closeSync(opened);
  }
};

/** @param stream such as standard input. @returns its bytes, or that there are too many. */
export const readStream = async (stream: AsyncIterable<Buffer>, mostBytes: number): Promise<Buffer | string> => {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > mostBytes) return `is too large; ${most(mostBytes)}`;
  }
  return Buffer.concat(chunks);
};
