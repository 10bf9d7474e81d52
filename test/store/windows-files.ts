/** A file system that refuses what Windows refuses, on top of the real one. Tests also set `process.platform`. */
import { type FileSystem, renameWhenFree } from "#store/disk/files.ts";
import { hastyFiles } from "./faulty-files.ts";

const refuse = (syscall: string): never => {
  throw Object.assign(new Error("EPERM: as on Windows"), { code: "EPERM", syscall });
};

/**
 * Windows does not replace a file that is open, does not create one under the name of a removed file that is still open,
 * does not sync a directory, and knows no permission bits.
 * @param isHeld whether another program has this file open. Asked once for each attempt to replace it.
 */
export const windowsFiles = (isHeld: (path: string) => boolean = () => false): FileSystem => {
  const opened = new Map<number, { path: string; removed: boolean }>();
  const open = (path: string, fd: number): number => {
    opened.set(fd, { path, removed: false });
    return fd;
  };
  const isOpen = (path: string, removed: boolean): boolean =>
    [...opened.values()].some((one) => one.path === path && one.removed === removed);
  const remove = (path: string): void => {
    for (const one of opened.values()) if (one.path === path) one.removed = true;
  };
  const close = (fd: number): boolean => opened.delete(fd);
  const isDirectory = (fd: number): boolean => hastyFiles.stat(opened.get(fd)?.path ?? "").kind === "directory";
  return {
    ...hastyFiles,
    stat: (path) => ({ ...hastyFiles.stat(path), mode: 0o666 }),
    setMode: () => undefined,
    create: (path) => (isOpen(path, true) ? refuse("open") : open(path, hastyFiles.create(path))),
    open: (path) => open(path, hastyFiles.open(path)),
    openAtEnd: (path) => open(path, hastyFiles.openAtEnd(path)),
    openToRead: (path) => open(path, hastyFiles.openToRead(path)),
    sync: (fd) => (isDirectory(fd) ? refuse("fsync") : undefined),
    syncLater: async (fd) => (isDirectory(fd) ? refuse("fsync") : undefined),
    close: (fd) => {
      close(fd);
      hastyFiles.close(fd);
    },
    closeLater: (fd) => {
      close(fd);
      return hastyFiles.closeLater(fd);
    },
    rename: (from, to) =>
      renameWhenFree(() => (isHeld(to) || isOpen(to, false) ? refuse("rename") : hastyFiles.rename(from, to))),
    link: (from, to) => (isOpen(to, true) ? refuse("link") : hastyFiles.link(from, to)),
    remove: (path) => {
      remove(path);
      hastyFiles.remove(path);
    },
    removeLater: (path) => {
      remove(path);
      return hastyFiles.removeLater(path);
    },
  };
};
