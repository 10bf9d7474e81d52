/**
 * The file system as the store uses it: one small door, so that tests can let any call fail (RELIABILITY 1.6, S4).
 */
import fs from "node:fs";
import { promisify } from "node:util";

/** What `stat` tells. */
export interface FileStat {
  readonly kind: "file" | "directory" | "link" | "other";
  /** Permission bits, such as 0o600. */
  readonly mode: number;
  /** In bytes. */
  readonly size: number;
}

/** All calls throw (or reject with) Node's own errors, with their `code`. */
export interface FileSystem {
  /** Makes a directory and those above it, for the owner alone (0700). */
  makeDir(path: string): void;
  /** The names in a directory. */
  list(path: string): readonly string[];
  /** Of the path itself, not of what a link points to. */
  stat(path: string): FileStat;
  /** The path with all links resolved. */
  realPath(path: string): string;
  /** What a symbolic link says. */
  readLink(path: string): string;
  read(path: string): Buffer;
  /** Makes a file that is not there yet (a planted link is not followed), mode 0600. @returns its descriptor. */
  create(path: string): number;
  /** Opens an existing file for reading and writing. */
  open(path: string): number;
  /** Opens a file or directory for reading. */
  openToRead(path: string): number;
  /** @returns how many bytes were written, which may be fewer than asked for. */
  write(fd: number, bytes: Buffer, offset: number, length: number, position: number): number;
  /** As `write`, without holding the event loop. */
  writeLater(fd: number, bytes: Buffer, offset: number, length: number, position: number): Promise<number>;
  /** @returns how many bytes were read, without holding the event loop; 0 at the end. */
  readLater(fd: number, bytes: Buffer, offset: number, length: number, position: number): Promise<number>;
  truncate(fd: number, size: number): void;
  /** Data and metadata to the disk. */
  sync(fd: number): void;
  syncLater(fd: number): Promise<void>;
  /** Data (and what is needed to read it) to the disk. */
  syncData(fd: number): void;
  syncDataLater(fd: number): Promise<void>;
  close(fd: number): void;
  closeLater(fd: number): Promise<void>;
  rename(from: string, to: string): void;
  /** A second name for a file; fails if that name is taken. */
  link(from: string, to: string): void;
  remove(path: string): void;
  removeLater(path: string): Promise<void>;
  /** Sets the permission bits. */
  setMode(path: string, mode: number): void;
}

const writeLater = promisify(fs.write);
const readLater = promisify(fs.read);

const kindOf = (stat: fs.Stats): FileStat["kind"] => {
  if (stat.isSymbolicLink()) return "link";
  if (stat.isFile()) return "file";
  return stat.isDirectory() ? "directory" : "other";
};

/** The real one. */
export const nodeFiles: FileSystem = {
  makeDir: (path) => void fs.mkdirSync(path, { recursive: true, mode: 0o700 }),
  list: (path) => fs.readdirSync(path),
  stat: (path) => {
    const stat = fs.lstatSync(path);
    return { kind: kindOf(stat), mode: stat.mode & 0o777, size: stat.size };
  },
  realPath: (path) => fs.realpathSync(path),
  readLink: (path) => fs.readlinkSync(path),
  read: (path) => fs.readFileSync(path),
  create: (path) => fs.openSync(path, "wx", 0o600),
  open: (path) => fs.openSync(path, "r+"),
  openToRead: (path) => fs.openSync(path, "r"),
  write: (fd, bytes, offset, length, position) => fs.writeSync(fd, bytes, offset, length, position),
  writeLater: async (fd, bytes, offset, length, position) =>
    (await writeLater(fd, bytes, offset, length, position)).bytesWritten,
  readLater: async (fd, bytes, offset, length, position) =>
    (await readLater(fd, bytes, offset, length, position)).bytesRead,
  truncate: (fd, size) => fs.ftruncateSync(fd, size),
  sync: (fd) => fs.fsyncSync(fd),
  syncLater: promisify(fs.fsync),
  syncData: (fd) => fs.fdatasyncSync(fd),
  syncDataLater: promisify(fs.fdatasync),
  close: (fd) => fs.closeSync(fd),
  closeLater: promisify(fs.close),
  rename: (from, to) => fs.renameSync(from, to),
  link: (from, to) => fs.linkSync(from, to),
  remove: (path) => fs.unlinkSync(path),
  removeLater: promisify(fs.unlink),
  setMode: (path, mode) => fs.chmodSync(path, mode),
};

/** Windows cannot open a directory; its file system keeps the order of renames by itself. */
const DIRECTORIES_SYNC = process.platform !== "win32";

/** Makes the names in a directory durable. */
export const syncDir = (files: FileSystem, dir: string): void => {
  if (!DIRECTORIES_SYNC) return;
  const fd = files.openToRead(dir);
  try {
    files.sync(fd);
  } finally {
    files.close(fd);
  }
};

/** As `syncDir`, without holding the event loop. */
export const syncDirLater = async (files: FileSystem, dir: string): Promise<void> => {
  if (!DIRECTORIES_SYNC) return;
  const fd = files.openToRead(dir);
  try {
    await files.syncLater(fd);
  } finally {
    files.close(fd);
  }
};

/** Writes all of `bytes` at a position. A write that makes no headway is an error. */
export const writeFully = (files: FileSystem, fd: number, bytes: Buffer, length: number, position: number): void => {
  for (let done = 0; done < length; ) {
    const count = files.write(fd, bytes, done, length - done, position + done);
    if (count <= 0) throw Object.assign(new Error("the disk takes no more"), { code: "ENOSPC" });
    done += count;
  }
};

/** Does what may fail without harm. */
export const attempt = (action: () => void): void => {
  try {
    action();
  } catch {
    // Left for the next start to tidy up.
  }
};
