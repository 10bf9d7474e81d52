/** The store's file system calls. */
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

const writeLater = promisify(fs.write);
const readLater = promisify(fs.read);

const kindOf = (stat: fs.BigIntStats): FileStat["kind"] => {
  if (stat.isSymbolicLink()) return "link";
  if (stat.isFile()) return "file";
  return stat.isDirectory() ? "directory" : "other";
};

/** More does not fit in one string, which a document must. */
const MOST_BYTES = 512 * 1024 * 1024;
const { O_CREAT, O_EXCL, O_RDWR, O_WRONLY } = fs.constants;
/** In a file that someone else has cut, a write then leaves no gap. Windows could not truncate such a file. */
const AT_END = process.platform === "win32" ? 0 : fs.constants.O_APPEND;
/** Windows lacks these flags, and does not need them. */
const NEVER_WAIT = (fs.constants.O_NONBLOCK ?? 0) | (fs.constants.O_NOCTTY ?? 0);

const failOpening = (code: string, what: string): never => {
  throw Object.assign(new Error(what), { code, syscall: "open" });
};

const checkRegular = (stat: fs.Stats): void => {
  const kinds = { directory: stat.isDirectory(), FIFO: stat.isFIFO(), socket: stat.isSocket() };
  const [kind = "device"] = Object.entries(kinds).find(([, is]) => is) ?? [];
  if (!stat.isFile()) failOpening("ENOTFILE", `it is a ${kind}, not a file`);
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

const readFile = (path: string, most: number): Buffer =>
  closing(nodeFiles, openFile(path, fs.constants.O_RDONLY), (fd) => {
    const { size } = fs.fstatSync(fd);
    if (size > most) failOpening("EFBIG", `it has ${sizeText(size)}, more than the ${sizeText(most)} that can be read`);
    return fs.readFileSync(fd);
  });

/** What Windows says while another program, for example a virus scanner, has the file open: usually for milliseconds. */
const BUSY: readonly string[] = ["EPERM", "EACCES", "EBUSY"];

/** Replaces a file; on Windows tries again for 0.25 s while another program has it open. @throws Node errors. */
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

/** The real file system. All calls throw (or reject with) Node errors. */
export const nodeFiles = {
  /** Creates a directory with mode 0700; its parent must exist. */
  makeDir: (path: string): void => fs.mkdirSync(path, { mode: 0o700 }),
  list: (path: string): readonly string[] => fs.readdirSync(path),
  /** Does not follow links. */
  stat: (path: string): FileStat => {
    const stat = fs.lstatSync(path, { bigint: true });
    const identity = `${stat.dev}:${stat.ino}`;
    const mode = Number(stat.mode & 0o777n);
    return { kind: kindOf(stat), mode, size: Number(stat.size), identity, modifiedNs: stat.mtimeNs };
  },
  realPath: (path: string): string => fs.realpathSync(path),
  readLink: (path: string): string => fs.readlinkSync(path),
  /** Reads a regular file, following links. @param most rejects a larger file, in bytes. */
  read: (path: string, most = MOST_BYTES): Buffer => readFile(path, most),
  /** Creates a new file with mode 0600, without following a planted link. @returns its descriptor. */
  create: (path: string): number => fs.openSync(path, O_CREAT | O_EXCL | O_WRONLY | AT_END, 0o600),
  /** Opens an existing regular file for reading and writing. */
  open: (path: string): number => openFile(path, O_RDWR),
  /** Like `open`, to write on at its end. */
  openAtEnd: (path: string): number => openFile(path, O_RDWR | AT_END),
  /** Opens a file or directory for reading, and never blocks as opening a FIFO would. */
  openToRead: (path: string): number => fs.openSync(path, fs.constants.O_RDONLY | NEVER_WAIT),
  /** @returns how many bytes were written, possibly fewer than requested. */
  write: (fd: number, bytes: Buffer, offset: number, length: number, position: number): number =>
    fs.writeSync(fd, bytes, offset, length, position),
  /** Like `write`; calls named `…Later` do not block the event loop. */
  writeLater: async (fd: number, bytes: Buffer, offset: number, length: number, position: number): Promise<number> =>
    (await writeLater(fd, bytes, offset, length, position)).bytesWritten,
  /** @returns how many bytes were read; 0 at the end. */
  readLater: async (fd: number, bytes: Buffer, offset: number, length: number, position: number): Promise<number> =>
    (await readLater(fd, bytes, offset, length, position)).bytesRead,
  truncate: (fd: number, size: number): void => fs.ftruncateSync(fd, size),
  /** Flushes data and metadata to disk; `syncData` only what reading the data needs. */
  sync: (fd: number): void => fs.fsyncSync(fd),
  syncLater: promisify(fs.fsync),
  syncData: (fd: number): void => fs.fdatasyncSync(fd),
  syncDataLater: promisify(fs.fdatasync),
  close: (fd: number): void => fs.closeSync(fd),
  closeLater: promisify(fs.close),
  rename: (from: string, to: string): void => renameWhenFree(() => fs.renameSync(from, to)),
  /** Creates a hard link; fails if the name is taken. */
  link: (from: string, to: string): void => fs.linkSync(from, to),
  remove: (path: string): void => fs.unlinkSync(path),
  removeLater: (path: string): Promise<void> => fs.promises.unlink(path),
  setMode: (path: string, mode: number): void => fs.chmodSync(path, mode),
  /** @returns how many bytes this user can still write to the file system of the path. */
  freeBytes: (path: string): number => {
    const { bavail, bsize } = fs.statfsSync(path);
    return bavail * bsize;
  },
} as const;
/** @see nodeFiles. An interface, so that tests can make any call fail. */
export type FileSystem = typeof nodeFiles;

/** Runs `action` with an open file, then closes the file. @throws what `action` throws, and Node errors. */
export const closing = <T>(files: FileSystem, fd: number, action: (fd: number) => T): T => {
  try {
    return action(fd);
  } finally {
    files.close(fd);
  }
};

/** Windows cannot sync a directory; its file system preserves the order of renames itself. */
const directoriesSync = (): boolean => process.platform !== "win32";

/** Makes the entries of a directory durable. @throws Node errors. */
export const syncDir = (files: FileSystem, dir: string): void => {
  if (directoriesSync()) closing(files, files.openToRead(dir), files.sync);
};

/** Like `syncDir`, without blocking the event loop. */
export const syncDirLater = async (files: FileSystem, dir: string): Promise<void> => {
  if (!directoriesSync()) return;
  const fd = files.openToRead(dir);
  await files.syncLater(fd).finally(() => files.close(fd));
};

/** Writes all of `bytes` at a position. A write without progress is an error. */
export const writeFully = (files: FileSystem, fd: number, bytes: Buffer, length: number, position: number): void => {
  for (let done = 0; done < length; ) {
    const count = files.write(fd, bytes, done, length - done, position + done);
    if (count <= 0) throw Object.assign(new Error("the disk takes no more"), { code: "ENOSPC" });
    done += count;
  }
};

/** Like `writeFully` with all of `bytes`, without blocking the event loop. */
export const writeFullyLater = async (
  files: FileSystem,
  fd: number,
  bytes: Buffer,
  position: number,
): Promise<void> => {
  for (let done = 0; done < bytes.length; ) {
    const count = await files.writeLater(fd, bytes, done, bytes.length - done, position + done);
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
