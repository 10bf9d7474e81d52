/** Reads files that users name: regular files of a limited size, so that no pipe or device can hold up a start. */
import { closeSync, constants, fstatSync, openSync, readFileSync } from "node:fs";
import { open } from "node:fs/promises";
import { assetAt } from "./program-files.ts";

/** Does not wait for the writer of a pipe, or take over a terminal. Windows has neither flag. */
const FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0);

/** The reason if there is no such file. */
export const NO_SUCH_FILE = "no such file";
const FOLDER = "is a folder, not a file";
const NOT_REGULAR = "is not a regular file";
const REASONS: Readonly<Record<string, string>> = {
  ENOENT: NO_SUCH_FILE,
  ENOTDIR: NO_SUCH_FILE,
  EISDIR: FOLDER,
  EACCES: "no permission to read it",
  EPERM: "no permission to read it",
  ENXIO: NOT_REGULAR,
};

const whyNot = (error: unknown): string => {
  if (!(error instanceof Error)) return `cannot be read (${String(error)})`;
  return REASONS["code" in error ? String(error.code) : ""] ?? `cannot be read (${error.message})`;
};

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
    return whyNot(error);
  } finally {
    if (opened !== undefined) closeSync(opened);
  }
};

/** Reads a file of any size by position, in bytes. @returns what `use` makes of it, or why it cannot be read. */
export const partsOfUserFile = async <T>(
  path: string,
  use: (file: { size: number; read(offset: number, length: number): Promise<Uint8Array> }) => Promise<T>,
): Promise<T | { readonly error: string }> => {
  const file = await open(path, FLAGS).catch(whyNot);
  if (typeof file === "string") return { error: file };
  try {
    const found = await file.stat();
    if (!found.isFile()) return { error: found.isDirectory() ? FOLDER : NOT_REGULAR };
    const read = async (offset: number, length: number): Promise<Uint8Array> => {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, offset);
      return buffer.subarray(0, bytesRead);
    };
    return await use({ size: found.size, read });
  } finally {
    await file.close();
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
