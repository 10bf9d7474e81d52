/** The file system as the store uses it: one small door, so that tests can let any call fail (RELIABILITY 1.6, S4). */
import fs from "node:fs";
import { promisify } from "node:util";
import { errorCode } from "../failure.ts";

/** What `stat` tells. */
interface FileStat {
  readonly kind: "file" | "directory" | "link" | "other";
  /** Permission bits, such as 0o600. */
  readonly mode: number;
  /** In bytes. */
  readonly size: number;
  /** Which file this is: two names with the same identity are one file. */
  readonly identity: string;
  /** When its bytes last changed, in nanoseconds since 1970. */
  readonly modifiedNs: bigint;
}

/** All calls throw (or reject with) Node's own errors, with their `code`. */
export interface FileSystem {
  /** Makes a directory for the owner alone (0700), in one that is there. */
  makeDir(path: string): void;
  /** The names in a directory. */
  list(path: string): readonly string[];
  /** Of the path itself, not of what a link points to. */
  stat(path: string): FileStat;
  /** The path with all links resolved. */
  realPath(path: string): string;
  /** What a symbolic link says. */
  readLink(path: string): string;
  /** Reads a regular file, or what a link to one leads to. @param most refuses a larger one, in bytes (default: 512 MiB). */
  read(path: string, most?: number): Buffer;
  /** Makes a file that is not there yet (a planted link is not followed), mode 0600. @returns its descriptor. */
  create(path: string): number;
  /** Opens an existing regular file for reading and writing. */
  open(path: string): number;
  /** Opens a file or directory for reading; never waits for another process, as opening a FIFO would. */
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
  /** @returns how many bytes this user may still write to the file system that holds a path. */
  freeBytes(path: string): number;
}

const writeLater = promisify(fs.write);
const readLater = promisify(fs.read);

const kindOf = (stat: fs.BigIntStats): FileStat["kind"] => {
  if (stat.isSymbolicLink()) return "link";
  if (stat.isFile()) return "file";
  return stat.isDirectory() ? "directory" : "other";
};

/** More than this cannot become one string, which a document has to. */
const MOST_BYTES = 512 * 1024 * 1024;
/** Windows has no such flags, and nothing that they are needed for. */
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

/** Opens a regular file and nothing else. */
const openFile = (path: string, flags: number): number => {
  // Opening a device may do something; and what was looked at may have been exchanged before it is open.
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

/** @returns a size for people: `512 MiB`. */
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

/** The real one. */
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
  rename: (from, to) => fs.renameSync(from, to),
  link: (from, to) => fs.linkSync(from, to),
  remove: (path) => fs.unlinkSync(path),
  removeLater: promisify(fs.unlink),
  setMode: (path, mode) => fs.chmodSync(path, mode),
  freeBytes: (path) => {
    const { bavail, bsize } = fs.statfsSync(path);
    return bavail * bsize;
  },
};

/** Windows cannot open a directory; its file system keeps the order of renames by itself. */
const DIRECTORIES_SYNC = process.platform !== "win32";

/** Does something with an open file, then closes it. @throws what `action` throws, and Node's errors. */
export const closing = (files: FileSystem, fd: number, action: (fd: number) => void): void => {
  try {
    action(fd);
  } finally {
    files.close(fd);
  }
};

/** Makes the names in a directory durable. */
export const syncDir = (files: FileSystem, dir: string): void => {
  if (DIRECTORIES_SYNC) closing(files, files.openToRead(dir), (fd) => files.sync(fd));
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

/** Makes a file with these bytes, durably. @throws Node's errors, as `EEXIST`. */
export const writeDurably = (files: FileSystem, file: string, bytes: Buffer): void =>
  closing(files, files.create(file), (fd) => {
    writeFully(files, fd, bytes, bytes.length, 0);
    files.sync(fd);
  });

/** Cuts a file off, durably. @param size of what stays, in bytes. @throws Node's errors. */
export const cutDurably = (files: FileSystem, file: string, size: number): void =>
  closing(files, files.open(file), (fd) => {
    files.truncate(fd, size);
    files.sync(fd);
  });

/** Makes something under a name, or, while that is taken, `<name>-1`, `<name>-2` … @returns its name. @throws Node's errors. */
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

/** Does what may fail without harm. */
export const attempt = (action: () => void): void => {
  try {
    action();
  } catch {
    // Left for the next start to tidy up.
  }
};
