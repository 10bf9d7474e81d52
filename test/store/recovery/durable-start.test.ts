import path from "node:path";
import { expect, test } from "vitest";
import type { FileSystem } from "#store/disk/files.ts";
import { hastyFiles } from "#test/store/faulty-files.ts";
import { addProfile } from "#test/store/records.ts";
import { abandon, newDir, open } from "#test/store/support.ts";

test("a start syncs what a killed process left in the system's cache before it builds on it", async () => {
  const live = newDir();
  const store = await open(live);
  store.transact(addProfile(1));
  const dir = abandon(live);

  const paths = new Map<number, string>();
  const synced: (string | undefined)[] = [];
  const noted =
    (opening: (file: string) => number) =>
    (file: string): number => {
      const fd = opening(file);
      paths.set(fd, file);
      return fd;
    };
  const files: FileSystem = {
    ...hastyFiles,
    open: noted(hastyFiles.open),
    openToRead: noted(hastyFiles.openToRead),
    sync: (fd) => void synced.push(paths.get(fd)),
  };
  await open(dir, { files });
  expect(synced).toEqual(expect.arrayContaining([path.join(dir, "journal-1.ndjson"), dir]));
});
