/** What a power cut can tear apart has to be on disk before what makes it unnecessary is removed. */
import path from "node:path";
import { expect, test } from "vitest";
import { type FileSystem, nodeFiles } from "#store/disk/files.ts";
import { addProfile } from "#test/store/records.ts";
import { newDir, open } from "#test/store/support.ts";

/** @returns a file system that notes renames, removals and syncs by the name of the file. */
const notedFiles = () => {
  const calls: string[] = [];
  const opened = new Map<number, string>();
  const noteOpen = (fd: number, file: string): number => {
    opened.set(fd, path.basename(file));
    return fd;
  };
  const note = (call: string, file: string): void =>
    void calls.push(`${call} ${file.replace(/\.[0-9a-f]{24}\.tmp$/, ".tmp")}`);
  const noteSync = (fd: number): void => note("sync", opened.get(fd) ?? "?");
  const noteRemoval = (file: string): void => note("remove", path.basename(file));
  const files: FileSystem = {
    ...nodeFiles,
    create: (file) => noteOpen(nodeFiles.create(file), file),
    open: (file) => noteOpen(nodeFiles.open(file), file),
    openAtEnd: (file) => noteOpen(nodeFiles.openAtEnd(file), file),
    openToRead: (file) => noteOpen(nodeFiles.openToRead(file), file),
    sync: (fd) => {
      noteSync(fd);
      nodeFiles.sync(fd);
    },
    syncLater: async (fd) => {
      noteSync(fd);
      await nodeFiles.syncLater(fd);
    },
    rename: (from, to) => {
      note("rename", path.basename(to));
      nodeFiles.rename(from, to);
    },
    remove: (file) => {
      noteRemoval(file);
      nodeFiles.remove(file);
    },
    removeLater: async (file) => {
      noteRemoval(file);
      await nodeFiles.removeLater(file);
    },
  };
  return { files, calls };
};

test("a document file is durable, with its name, before the journal that it replaces is removed", async () => {
  const dir = newDir();
  const { files, calls } = notedFiles();
  const store = await open(dir, { files });
  store.transact(addProfile(1));
  calls.length = 0;
  await store.writeDocument();
  // Before that, the journal itself is synced.
  expect(calls.slice(calls.indexOf("sync stagedoor.json.tmp"))).toEqual([
    "sync stagedoor.json.tmp",
    "rename stagedoor.json",
    `sync ${path.basename(dir)}`,
    "remove journal-1.ndjson",
  ]);
});
