/** Reads files that users name: regular files of a limited size, so that no pipe or device can hold up a start. */
import { closeSync, constants, fstatSync, openSync, readFileSync, readSync } from "node:fs";
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

const whyNot = (error: unknown): string => {
  if (!(error instanceof Error)) return `cannot be read (${String(error)})`;
  return REASONS["code" in error ? String(error.code) : ""] ?? `cannot be read (${error.message})`;
};

/** @returns a regular file that is open, and its size in bytes; or why it cannot be read, to follow its name. */
const opened = (path: string): { readonly fd: number; readonly size: number } | string => {
  let fd: number | undefined;
  try {
    fd = openSync(path, FLAGS);
    const found = fstatSync(fd);
    if (found.isFile()) return { fd, size: found.size };
    closeSync(fd);
    return found.isDirectory() ? FOLDER : NOT_REGULAR;
  } catch (error) {
    return whyNot(error);
  }
};

/** @param mostBytes its maximum size. @returns its bytes, or why they cannot be read, to follow its name. */
export const readUserFile = (path: string, mostBytes: number = MIB): Buffer | string => {
  const asset = assetAt(path);
  if (asset !== undefined) return asset;
  const file = opened(path);
  if (typeof file === "string") return file;
  try {
    if (file.size > mostBytes) return `is ${(file.size / MIB).toFixed(1)} MiB; ${most(mostBytes)}`;
    return readFileSync(file.fd);
  } catch (error) {
    return whyNot(error);
  } finally {
    closeSync(file.fd);
  }
};

/** Reads a file of any size by position, in bytes. @returns what `use` makes of it, or why it cannot be read. */
export const partsOfUserFile = async <T>(
  path: string,
  use: (file: { size: number; read(offset: number, length: number): Promise<Uint8Array> }) => Promise<T>,
): Promise<T | { readonly error: string }> => {
  const file = opened(path);
  if (typeof file === "string") return { error: file };
  const { fd, size } = file;
  const read = async (offset: number, length: number): Promise<Uint8Array> => {
    const bytes = Buffer.alloc(length);
    return bytes.subarray(0, readSync(fd, bytes, 0, length, offset));
  };
  try {
    return await use({ size, read });
  } catch (error) {
    return { error: whyNot(error) };
  } finally {
    closeSync(fd);
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
