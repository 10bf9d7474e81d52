/** `stagedoor.json` edited while a process uses it: no version is lost, and the edit is reported. */
import { appendFileSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { nodeFiles } from "#store/disk/files.ts";
import { APP, addProfile, uuid } from "#test/store/records.ts";
import { names, newDir, open } from "#test/store/support.ts";

const EDITED = '{"version":1,"by":"somebody"}';
const KEPT = /^stagedoor\.json\.changed-20251120T144640Z(-\d+)?$/;
const keptIn = (dir: string): string[] => names(dir).filter((name) => KEPT.test(name));

/** A store that has written its file, its notices, and the path of that file. */
const running = async (dir = newDir(), more = {}) => {
  const notices: string[] = [];
  const store = await open(dir, { onNotice: (text) => notices.push(text), ...more });
  store.transact(addProfile(1));
  return { dir, store, notices, file: path.join(dir, "stagedoor.json") };
};

const EDITS: readonly [string, (file: string) => void][] = [
  ["in place", (file) => writeFileSync(file, EDITED)],
  [
    "by an editor that renames",
    (file) => {
      writeFileSync(`${file}~`, EDITED);
      renameSync(`${file}~`, file);
    },
  ],
];

test.each(EDITS)("an edit %s is backed up when the document is written, and reported once", async (_, edit) => {
  const { dir, store, notices, file } = await running();
  edit(file);
  await store.writeDocument();
  const kept = keptIn(dir);
  expect(kept).toHaveLength(1);
  expect(readFileSync(path.join(dir, kept[0] ?? ""), "utf8")).toBe(EDITED);
  expect(readFileSync(file, "utf8")).toContain(uuid(1));
  expect(notices).toEqual([expect.stringContaining(`kept as ${path.join(dir, kept[0] ?? "")}`)]);
  store.transact(addProfile(2));
  await store.writeDocument();
  expect(keptIn(dir)).toEqual(kept);
});

test("each write of the document file, and a clean stop, back up edits, each under its own name", async () => {
  const { dir, store, file } = await running();
  writeFileSync(file, "first");
  expect(store.transact(addProfile(2)).ok).toBe(true);
  await store.writeDocument();
  store.transact(addProfile(3));
  writeFileSync(file, "second");
  await store.close();
  expect(keptIn(dir).map((name) => readFileSync(path.join(dir, name), "utf8"))).toEqual(["first", "second"]);
  const profiles = (await open(dir)).world.app(APP)?.profiles.map(({ userId }) => userId);
  expect(profiles).toEqual(expect.arrayContaining([1, 2, 3].map(uuid)));
});

test("an unedited file is not backed up, even after a restart and behind a link", async () => {
  const dir = newDir();
  const real = path.join(newDir(), "real.json");
  const first = await open(dir);
  first.transact(addProfile(1));
  await first.close();
  renameSync(path.join(dir, "stagedoor.json"), real);
  symlinkSync(real, path.join(dir, "stagedoor.json"));
  const { store, notices } = await running(dir);
  await store.writeDocument();
  await store.close();
  expect(notices).toEqual([]);
  expect(names(dir)).toEqual(["stagedoor.json"]);
});

test("a removed file is written again; one appended to or replaced by a directory is backed up", async () => {
  const { dir, store, notices, file } = await running();
  rmSync(file);
  await store.writeDocument();
  expect(notices).toEqual([]);
  appendFileSync(file, "\n");
  store.transact(addProfile(2));
  await store.writeDocument();
  rmSync(file);
  mkdirSync(file);
  store.transact(addProfile(3));
  await store.writeDocument();
  expect(keptIn(dir)).toHaveLength(2);
  expect(readFileSync(file, "utf8")).toContain(uuid(3));
});

test("an edit that cannot be backed up is not overwritten", async () => {
  let refuses = false;
  const refuse = (): never => {
    throw Object.assign(new Error("EIO"), { code: "EIO", syscall: "link" });
  };
  const link = (from: string, to: string): void => (refuses ? refuse() : nodeFiles.link(from, to));
  const rename = (from: string, to: string): void =>
    refuses && to.includes(".changed-") ? refuse() : nodeFiles.rename(from, to);
  const { store, file } = await running(newDir(), { files: { ...nodeFiles, link, rename } });
  writeFileSync(file, EDITED);
  refuses = true;
  await expect(store.writeDocument()).rejects.toThrow();
  expect(readFileSync(file, "utf8")).toBe(EDITED);
  refuses = false;
  expect(store.transact(addProfile(2)).ok).toBe(true);
  await store.close();
});

test("a clean stop without changes keeps an edit in place for the next start", async () => {
  const dir = newDir();
  const store = await open(dir);
  await store.writeDocument();
  const file = path.join(dir, "stagedoor.json");
  const text = readFileSync(file, "utf8").replace('"fixtures":[]', '"fixtures":["edited.json"]');
  const edited = text.replace(/"name":"[^"]*"/, '"name":"Edited"');
  writeFileSync(file, edited);
  await store.close();
  expect(names(dir)).toEqual(["stagedoor.json"]);
  expect(readFileSync(file, "utf8")).toBe(edited);
});
