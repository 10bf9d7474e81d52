/** A file system whose nth call fails. */
import { type FileSystem, nodeFiles } from "#store/disk/files.ts";

/** How a call fails: without effect, or (a write) after half of it, reporting an error or the partial count. */
export type Manner = "EIO" | "ENOSPC" | "EACCES" | "EMFILE" | "half" | "short";

/** What fails: call number `at` (from 1), or that and all later ones. With `at` 0 nothing fails. */
export interface Plan {
  call: keyof FileSystem;
  at: number;
  manner: Manner;
  forGood: boolean;
  /** The number of calls so far. */
  seen: number;
}

/** The calls that can fail; a start and a document file also make some that only read. */
export const CALLS = [
  ...(["list", "stat", "realPath", "read"] as const),
  ...(["makeDir", "create", "open", "openToRead", "readLater", "write", "writeLater", "truncate"] as const),
  ...(["sync", "syncLater"] as const),
  ...([
    "syncData",
    "syncDataLater",
    "close",
    "closeLater",
    "rename",
    "link",
    "remove",
    "removeLater",
    "setMode",
  ] as const),
] satisfies (keyof FileSystem)[];

const diskError = (code: string): Error => Object.assign(new Error(`${code}: by the test`), { code, syscall: "test" });

/** Skips syncs, which most tests do not need and which take most of their time. */
export const hastyFiles: FileSystem = {
  ...nodeFiles,
  sync: () => undefined,
  syncLater: () => Promise.resolve(),
  syncData: () => undefined,
  syncDataLater: () => Promise.resolve(),
};

/** @returns a file system that fails as planned; the plan can be changed at any time. */
export const faultyFiles = (plan: Plan, base = hastyFiles): FileSystem => {
  const isDue = (call: keyof FileSystem): boolean => {
    if (plan.at === 0 || plan.call !== call) return false;
    plan.seen += 1;
    return plan.forGood ? plan.seen >= plan.at : plan.seen === plan.at;
  };
  const error = (): Error => diskError(plan.manner === "half" ? "ENOSPC" : plan.manner);
  const sync =
    <A extends unknown[], R>(call: keyof FileSystem, real: (...all: A) => R) =>
    (...all: A): R => {
      if (isDue(call)) throw error();
      return real(...all);
    };
  const later =
    <A extends unknown[], R>(call: keyof FileSystem, real: (...all: A) => Promise<R>) =>
    async (...all: A): Promise<R> => {
      if (isDue(call)) throw error();
      return real(...all);
    };
  return {
    ...base,
    list: sync("list", base.list),
    stat: sync("stat", base.stat),
    realPath: sync("realPath", base.realPath),
    read: sync("read", base.read),
    makeDir: sync("makeDir", base.makeDir),
    create: sync("create", base.create),
    open: sync("open", base.open),
    openAtEnd: sync("open", base.openAtEnd),
    openToRead: sync("openToRead", base.openToRead),
    write: (fd, bytes, offset, length, position) => {
      if (!isDue("write")) return base.write(fd, bytes, offset, length, position);
      if (plan.manner === "short") return base.write(fd, bytes, offset, (length + 1) >> 1, position);
      if (plan.manner === "half") base.write(fd, bytes, offset, length >> 1, position);
      throw error();
    },
    writeLater: async (fd, bytes, offset, length, position) => {
      if (!isDue("writeLater")) return base.writeLater(fd, bytes, offset, length, position);
      if (plan.manner === "short") return base.writeLater(fd, bytes, offset, (length + 1) >> 1, position);
      if (plan.manner === "half") await base.writeLater(fd, bytes, offset, length >> 1, position);
      throw error();
    },
    readLater: later("readLater", base.readLater),
    truncate: sync("truncate", base.truncate),
    sync: sync("sync", base.sync),
    syncLater: later("syncLater", base.syncLater),
    syncData: sync("syncData", base.syncData),
    syncDataLater: later("syncDataLater", base.syncDataLater),
    close: sync("close", base.close),
    closeLater: later("closeLater", base.closeLater),
    rename: sync("rename", base.rename),
    link: sync("link", base.link),
    remove: sync("remove", base.remove),
    removeLater: later("removeLater", base.removeLater),
    setMode: sync("setMode", base.setMode),
  };
};

/** @returns a plan in which nothing fails. */
export const noFault = (): Plan => ({ call: "write", at: 0, manner: "EIO", forGood: false, seen: 0 });
