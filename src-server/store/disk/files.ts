/** The store's file system calls behind one interface, so that tests can make any of them fail (RELIABILITY S4). */
import fs from "node:fs";
import { promisify } from "node:util";
import { errorCode } from "../failure.ts";

/** The result of `stat`. */
interface FileStat {
  readonly kind: "file" | "directory" | "link" | "other";
  /** Permission bits, such as 0o600. */
  readonly mode: number;
  /** In bytes. */
  readonly size: number;
  /** Identifies the file: two paths with the same identity are the same file. */
  readonly identity: string;
  /** Last modification of the content, in nanoseconds since 1970. */
  readonly modifiedNs: bigint;
}

/** All calls throw (or reject with) Node errors, including their `code`. */
export interface FileSystem {
  /** Creates a directory with mode 0700; its parent must exist. */
  makeDir(path: string): void;
  /** Lists the names in a directory. */
  list(path: string): readonly string[];
  /** Does not follow links. */
  stat(path: string): FileStat;
  /** Resolves all links in a path. */
  realPath(path: string): string;
  /** The target of a symbolic link, as stored. */
  readLink(path: string): string;
  /** Reads a regular file, following links. @param most rejects a larger file, in bytes (default: 512 MiB). */
  read(path: string, most?: number): Buffer;
  /** Creates a new file with mode 0600, without following a planted link. @returns its descriptor. */
  create(path: string): number;
  /** Opens an existing regular file for reading and writing. */
  open(path: string): number;
  /** Opens a file or directory for reading, and never blocks as opening a FIFO would. */
  openToRead(path: string): number;
  /** @returns how many bytes were written, possibly fewer than requested. */
  write(fd: number, bytes: Buffer, offset: number, length: number, position: number): number;
  /** Like `write`, without blocking the event loop. */
  writeLater(fd: number, bytes: Buffer, offset: number, length: number, position: number): Promise<number>;
  /** Reads without blocking the event loop. @returns how many bytes were read; 0 at the end. */
  readLater(fd: number, bytes: Buffer, offset: number, length: number, position: number): Promise<number>;
  truncate(fd: number, size: number): void;
  /** Flushes data and metadata to disk. */
  sync(fd: number): void;
  syncLater(fd: number): Promise<void>;
  /** Flushes data (and the metadata needed to read it) to disk. */
  syncData(fd: number): void;
  syncDataLater(fd: number): Promise<void>;
  close(fd: number): void;
  closeLater(fd: number): Promise<void>;
  rename(from: string, to: string): void;
  /** Creates a hard link; fails if the name is taken. */
  link(from: string, to: string): void;
  remove(path: string): void;
  removeLater(path: string): Promise<void>;
  /** Sets the permission bits. */
  setMode(path: string, mode: number): void;
  /** @returns how many bytes this user can still write to the file system of the path. */
  freeBytes(path: string): number;
}

const writeLater = promisify(fs.write);
const readLater = promisify(fs.read);

const kindOf = (stat: fs.BigIntStats): FileStat["kind"] => {
  if (stat.isSymbolicLink()) return "link";
  if (stat.isFile()) return "file";
  return stat.isDirectory() ? "directory" : "other";
};

/** More does not fit in one string, which a document must. */
const MOST_BYTES = 512 * 1024 * 1024;
/** Windows lacks these flags, and does not need them. */
const NEVER_WAIT = (fs.constants.O_NONBLOCK ?? 0) | (fs.constants.O_NOCTTY ?? 0);

const refuse = (code: string, what: string): never => {
  throw Object.assign(new Error(what), { code, syscall: "open" });
};

const checkRegular = (stat: fs.Stats): void => {
  if (stat.isFile()) return;
  const names = { directory: stat.isDirectory(), FIFO: stat.isFIFO(), socket: stat.isSocket() };
  const [kind = "device"] = Object.entries(names).find(([, is]) => is) ?? [];
  refuse("ENOTFILE", `it is a ${kind}, not a file`);
};

/** Opens regular files only. */
const openFile = (path: string, flags: number): number => {
  // Checked before and after: opening a device can have side effects, and the file could be swapped in between.
  checkRegular(fs.statSync(path));
  const fd = fs.openSync(path, flags | NEVER_WAIT);
  try {
    checkRegular(fs.fstatSync(fd));
    return fd;
  } catch (error) {
    fs.closeSync(fd);
    throw error;
  }
};

/** @returns a size for display, such as `512 MiB`. */
const sizeText = (bytes: number): string =>
  bytes >= 2 ** 30 ? `${Math.round(bytes / 2 ** 30)} GiB` : `${Math.ceil(bytes / 2 ** 20)} MiB`;

const readFile = (path: string, most: number): Buffer => {
  const fd = openFile(path, fs.constants.O_RDONLY);
  try {
    const { size } = fs.fstatSync(fd);
    if (size > most) refuse("EFBIG", `it has ${sizeText(size)}, more than the ${sizeText(most)} that can be read`);
    return fs.readFileSync(fd);
  } finally {
    fs.closeSync(fd);
  }
};

/** What Windows says while another program, for example a virus scanner, has the file open: usually for milliseconds. */
const BUSY = ["EPERM", "EACCES", "EBUSY"];

/**
 * Replaces a file. On Windows it tries again for a quarter of a second while another program has the file open.
 * @throws Node errors.
 */
export const renameWhenFree = (rename: () => void): void => {
  for (let waitMs = 1; ; waitMs *= 2) {
    try {
      rename();
      return;
    } catch (error) {
      if (process.platform !== "win32" || waitMs > 128 || !BUSY.includes(errorCode(error))) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, waitMs);
    }
  }
};

/** The real file system. */
export const nodeFiles: FileSystem = {
  makeDir: (path) => fs.mkdirSync(path, { mode: 0o700 }),
  list: (path) => fs.readdirSync(path),
  stat: (path) => {
    const stat = fs.lstatSync(path, { bigint: true });
    const identity = `${stat.dev}:${stat.ino}`;
    const mode = Number(stat.mode & 0o777n);
    return { kind: kindOf(stat), mode, size: Number(stat.size), identity, modifiedNs: stat.mtimeNs };
  },
  realPath: (path) => fs.realpathSync(path),
  readLink: (path) => fs.readlinkSync(path),
  read: (path, most = MOST_BYTES) => readFile(path, most),
  create: (path) => fs.openSync(path, "wx", 0o600),
  open: (path) => openFile(path, fs.constants.O_RDWR),
  openToRead: (path) => fs.openSync(path, fs.constants.O_RDONLY | NEVER_WAIT),
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
  rename: (from, to) => renameWhenFree(() => fs.renameSync(from, to)),
  link: (from, to) => fs.linkSync(from, to),
  remove: (path) => fs.unlinkSync(path),
  removeLater: promisify(fs.unlink),
  setMode: (path, mode) => fs.chmodSync(path, mode),
  freeBytes: (path) => {
    const { bavail, bsize } = fs.statfsSync(path);
    return bavail * bsize;
  },
};

/** Windows cannot sync a directory; its file system preserves the order of renames itself. */
const directoriesSync = (): boolean => process.platform !== "win32";

/** Runs `action` with an open file, then closes the file. @throws what `action` throws, and Node errors. */
export const closing = (files: FileSystem, fd: number, action: (fd: number) => void): void => {
  try {
    action(fd);
  } finally {
    files.close(fd);
  }
};

/** Makes the entries of a directory durable. */
export const syncDir = (files: FileSystem, dir: string): void => {
  if (directoriesSync()) closing(files, files.openToRead(dir), (fd) => files.sync(fd));
};

/** Like `syncDir`, without blocking the event loop. */
export const syncDirLater = async (files: FileSystem, dir: string): Promise<void> => {
  if (!directoriesSync()) return;
  const fd = files.openToRead(dir);
  try {
    await files.syncLater(fd);
  } finally {
    files.close(fd);
  }
};

/** Writes all of `bytes` at a position. A write without progress is an error. */
export const writeFully = (files: FileSystem, fd: number, bytes: Buffer, length: number, position: number): void => {
  for (let done = 0; done < length; ) {
    const count = files.write(fd, bytes, done, length - done, position + done);
    if (count <= 0) throw Object.assign(new Error("the disk takes no more"), { code: "ENOSPC" });
    done += count;
  }
};

/** Creates a file with these bytes, durably. @throws Node errors such as `EEXIST`. */
export const writeDurably = (files: FileSystem, file: string, bytes: Buffer): void =>
  closing(files, files.create(file), (fd) => {
    writeFully(files, fd, bytes, bytes.length, 0);
    files.sync(fd);
  });

/** Truncates a file, durably. @param size the new size in bytes. @throws Node errors. */
export const cutDurably = (files: FileSystem, file: string, size: number): void =>
  closing(files, files.open(file), (fd) => {
    files.truncate(fd, size);
    files.sync(fd);
  });

/** Calls `make` with a name or, while that is taken, `<name>-1`, `<name>-2` … @returns the name. @throws Node errors */
export const underFreeName = (name: string, make: (name: string) => void): string => {
  for (let n = 0; ; n += 1) {
    const free = n === 0 ? name : `${name}-${n}`;
    try {
      make(free);
      return free;
    } catch (error) {
      if (errorCode(error) !== "EEXIST" || n > 1000) throw error;
    }
  }
};

/** Runs an action whose failure is harmless. */
export const attempt = (action: () => void): void => {
  try {
    action();
  } catch {
    // The next start cleans up.
  }
};
