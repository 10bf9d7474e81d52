/**
 * How a start treats damaged files: it truncates a torn end and backs it up, and refuses all other damage
 * without touching anything.
 */
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import type { World } from "#domain/world.ts";
import { nodeFiles } from "#store/disk/files.ts";
import { StoreFailure } from "#store/failure.ts";
import { hastyFiles } from "#test/store/faulty-files.ts";
import { APP, addProfile, contents, uuid } from "#test/store/records.ts";
import { abandon, filesOf, names, newDir, open, refusal } from "#test/store/support.ts";

/** A directory after a crash following `count` transactions, with the state after each. */
const crashed = async (count: number): Promise<{ dir: string; journal: string; worlds: unknown[] }> => {
  const live = newDir();
  const store = await open(live);
  const worlds = [contents(store.world)];
  for (let n = 1; n <= count; n += 1) {
    store.transact(addProfile(n, { name: n % 2 === 0 ? "Zoë ☎" : null, metadata: { favoriteColor: "blue" } }));
    worlds.push(contents(store.world));
  }
  const dir = abandon(live);
  return { dir, journal: path.join(dir, "journal-1.ndjson"), worlds };
};

const profilesOf = (world: World): number => world.app(APP)?.profiles.length ?? -1;

/** Opens a copy of the directory whose journal is `bytes`, and returns the result. */
const attempt = async (
  dir: string,
  scratch: string,
  bytes: Buffer,
): Promise<{ profiles: number; notices: string[] } | StoreFailure> => {
  rmSync(scratch, { recursive: true, force: true });
  mkdirSync(scratch, { mode: 0o700 });
  copyFileSync(path.join(dir, "stagedoor.json"), path.join(scratch, "stagedoor.json"));
  writeFileSync(path.join(scratch, "journal-1.ndjson"), bytes);
  const notices: string[] = [];
  try {
    const store = await open(scratch, { onNotice: (text) => notices.push(text), files: hastyFiles });
    const profiles = profilesOf(store.world);
    await store.close();
    return { profiles, notices };
  } catch (error) {
    if (error instanceof StoreFailure) return error;
    throw error;
  }
};

test("a start on a truncated journal backs up the torn bytes and continues", async () => {
  const { dir, journal } = await crashed(2);
  const bytes = readFileSync(journal);
  const scratch = newDir();
  for (let size = 0; size <= bytes.length; size += 23) {
    const cut = bytes.subarray(0, size);
    const result = await attempt(dir, scratch, cut);
    expect(result).toMatchObject({ profiles: Math.max(0, cut.toString("latin1").split("\n").length - 2) });
    const kept = names(scratch).filter((name) => name.includes(".torn-"));
    expect(kept).toHaveLength(size > 0 && cut.at(-1) !== 0x0a ? 1 : 0);
    const end = cut.lastIndexOf(0x0a) + 1;
    if (kept[0] !== undefined) expect(readFileSync(path.join(scratch, kept[0]))).toEqual(cut.subarray(end));
    expect(names(scratch).filter((name) => !kept.includes(name))).toEqual(["stagedoor.json"]);
  }
});

const lineTricks: [string, (lines: string[]) => string[], number][] = [
  ["two lines are swapped", ([a = "", b = "", c = "", ...rest]) => [a, c, b, ...rest], 1],
  ["a line is missing", ([a = "", b = "", _, ...rest]) => [a, b, ...rest], 2],
  ["a line is duplicated", ([a = "", b = "", c = "", ...rest]) => [a, b, c, c, ...rest], 3],
  ["the header is missing", ([_, ...rest]) => rest, 0],
  ["an empty line is inserted", ([a = "", b = "", ...rest]) => [a, b, "", ...rest], 2],
  [
    "the last line is damaged and ends in a newline",
    ([...lines]) => {
      const last = lines.pop() ?? "";
      return [...lines, `${last.slice(0, -3)}${last.at(-3) === "0" ? "1" : "0"}"}`];
    },
    4,
  ],
  ["a foreign line is appended", (lines) => [...lines, '{"seq":7}'], 5],
  ["NULs replace a line", ([a = "", b = "", c = "", ...rest]) => [a, b, "\0".repeat(c.length), ...rest], 2],
];

test.each(lineTricks)("refuses damage, naming file and byte, and touches nothing: %s", async (_, trick, bad) => {
  const { dir, journal } = await crashed(4);
  const lines = readFileSync(journal, "utf8").split("\n").slice(0, -1);
  const damaged = trick(lines);
  writeFileSync(journal, `${damaged.join("\n")}\n`);
  const before = filesOf(dir);
  const failure = await refusal(dir);
  const offset = Buffer.byteLength(
    damaged
      .slice(0, bad)
      .map((line) => `${line}\n`)
      .join(""),
  );
  expect(failure).toMatchObject({ exitStatus: 3, file: journal, offset });
  expect(failure.message).toContain(`${journal}, byte ${offset}: `);
  expect(failure.message).toContain("stagedoor doctor --repair");
  expect(filesOf(dir)).toEqual(before);
});

test.each([
  ["half a line", Buffer.from('{"seq":5,"t":17')],
  ["NULs", Buffer.alloc(5000)],
  ["half a line and NULs", Buffer.from('{"seq":5\0\0\0\0')],
])("truncates a torn end, backs it up and continues: %s", async (_, tail) => {
  const { dir, journal, worlds } = await crashed(2);
  const whole = readFileSync(journal);
  writeFileSync(journal, Buffer.concat([whole, tail]));
  const notices: string[] = [];
  const store = await open(dir, { onNotice: (text) => notices.push(text) });
  expect(contents(store.world)).toEqual(worlds[2]);
  expect(notices).toHaveLength(1);
  expect(notices[0]).toMatch(/^recovered .*journal-1\.ndjson/);
  expect(readFileSync(journal)).toEqual(whole);
  expect(readFileSync(`${journal}.torn-${whole.length}`)).toEqual(tail);
  store.transact(addProfile(9));
  const again = await open(abandon(dir), { onNotice: (text) => notices.push(text) });
  expect(contents(again.world)).toEqual(contents(store.world));
  expect(notices).toHaveLength(1);
});

test("reads two journal generations in order, as left by a crash during a document write", async () => {
  const live = newDir();
  // The document write stops before its text.
  let gate = Promise.resolve();
  let release = (): void => undefined;
  const writeLater: typeof nodeFiles.writeLater = async (...all) => {
    await gate;
    return nodeFiles.writeLater(...all);
  };
  const store = await open(live, { files: { ...nodeFiles, writeLater } });
  store.transact(addProfile(1));
  gate = new Promise((resolve) => {
    release = resolve;
  });
  const written = store.writeDocument();
  await new Promise((resolve) => setTimeout(resolve, 50));
  store.transact(addProfile(2));
  store.transact(addProfile(3));
  const dir = abandon(live);
  expect(names(dir).filter((name) => !name.endsWith(".tmp"))).toEqual([
    "journal-1.ndjson",
    "journal-2.ndjson",
    "stagedoor.json",
  ]);
  const again = await open(abandon(dir));
  expect(contents(again.world)).toEqual(contents(store.world));
  expect(names(again.dataDir ?? "").filter((name) => name.endsWith(".tmp"))).toEqual([]);

  // Only the newest journal may have a torn end.
  const older = path.join(dir, "journal-1.ndjson");
  const whole = readFileSync(older);
  writeFileSync(older, whole.subarray(0, -1));
  expect(await refusal(dir)).toMatchObject({ exitStatus: 3, file: older });
  rmSync(older);
  expect((await refusal(dir)).message).toContain("journal-1.ndjson, which comes before this one, is missing");
  // A crash right after its creation leaves the newest one empty.
  writeFileSync(older, whole);
  writeFileSync(path.join(dir, "journal-2.ndjson"), "");
  const one = await open(dir);
  expect(profilesOf(one.world)).toBe(1);
  release();
  await written;
});

test("removes journals that the document file already contains, unless they are damaged", async () => {
  const live = newDir();
  const files = { ...nodeFiles, removeLater: () => Promise.reject(new Error("the crash came before")) };
  const store = await open(live, { files });
  store.transact(addProfile(1));
  await store.writeDocument();
  store.transact(addProfile(2));
  const dir = abandon(live);
  expect(names(dir)).toEqual(["journal-1.ndjson", "journal-2.ndjson", "stagedoor.json"]);
  const bad = abandon(dir);
  const older = path.join(bad, "journal-1.ndjson");
  writeFileSync(older, readFileSync(older, "utf8").replace("Ada", "Eve"));
  const before = filesOf(bad);
  expect(await refusal(bad)).toMatchObject({ exitStatus: 3, file: older });
  expect(filesOf(bad)).toEqual(before);
  const again = await open(dir);
  expect(contents(again.world)).toEqual(contents(store.world));
  expect(names(dir)).toEqual(["journal-2.ndjson", "stagedoor.json"]);
});

const damagedDocuments: [string, string | Buffer, number, string][] = [
  ["empty", "", 0, "empty"],
  ["blank", " \n", 0, "empty"],
  ["a null", "null", 0, "not contain a JSON object"],
  ["a list", "[]", 0, "not contain a JSON object"],
  ["a number", "42", 0, "not contain a JSON object"],
  ["without a version", "{}", 0, "version"],
  ["cut short", '{"version":1,"seq":', 19, "not JSON"],
  ["full of merge markers", '{"version":1,\n<<<<<<< HEAD\n"seq":1}', 14, "not JSON"],
  ["with a trailing comma", '{"version":1,}', 13, "not JSON"],
  ["with trailing text", '{"version":1}x', 13, "not JSON"],
  ["full of NULs", "\0\0\0\0", 0, "not JSON"],
  ["not UTF-8", Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d]), 2, "UTF-8"],
  ["of a later version", '{"version":2,"what":"ever"}', 11, "newer Stagedoor"],
  ["without a seq", '{"version":1}', 0, "seq"],
];

test.each(damagedDocuments)("refuses and keeps a document file that is %s", async (_, bytes, offset, words) => {
  const dir = newDir();
  const file = path.join(dir, "stagedoor.json");
  writeFileSync(file, bytes);
  const failure = await refusal(dir);
  expect(failure).toMatchObject({ exitStatus: 3, file, offset });
  expect(failure.message).toContain(words);
  expect(failure.message).toContain(`${file}, byte ${offset}`);
  expect(readFileSync(file)).toEqual(Buffer.from(bytes));
  expect(names(dir)).toEqual(["stagedoor.json"]);
  expect(existsSync(path.join(dir, "lock.json"))).toBe(false);
});

test("refuses a document file that cannot be read at all", async () => {
  const dir = newDir();
  mkdirSync(path.join(dir, "stagedoor.json"));
  expect(await refusal(dir)).toMatchObject({ exitStatus: 3, file: path.join(dir, "stagedoor.json") });
});

test.each([
  ["EACCES", 1],
  ["EMFILE", 1],
  ["EIO", 3],
] as const)("exits on read error %s with %i, blaming the data only for possible damage", async (code, exitStatus) => {
  const { dir, journal } = await crashed(1);
  for (const file of [path.join(dir, "stagedoor.json"), journal]) {
    const read = (name: string): Buffer => {
      if (name === file) throw Object.assign(new Error(code), { code });
      return hastyFiles.read(name);
    };
    const failure = await refusal(dir, { files: { ...hastyFiles, read } });
    expect(failure).toMatchObject({ exitStatus, file });
    expect(failure.message.includes("--reset")).toBe(exitStatus === 3);
  }
});

test("refuses a journal without its document file", async () => {
  const { dir, journal } = await crashed(2);
  rmSync(path.join(dir, "stagedoor.json"));
  const before = filesOf(dir);
  const failure = await refusal(dir);
  expect(failure.exitStatus).toBe(3);
  expect(failure.message).toContain("is missing");
  expect(failure.message).toContain(journal);
  expect(filesOf(dir)).toEqual(before);
});

test("refuses an older document file next to a journal, and a journal under another's name", async () => {
  const live = newDir();
  const store = await open(live);
  store.transact(addProfile(1));
  const old = readFileSync(path.join(live, "stagedoor.json"));
  await store.writeDocument();
  store.transact(addProfile(2));
  const dir = abandon(live);
  expect(names(dir)).toEqual(["journal-2.ndjson", "stagedoor.json"]);
  writeFileSync(path.join(dir, "stagedoor.json"), old);
  expect((await refusal(dir)).message).toContain("journal-1.ndjson, which comes before this one, is missing");
  copyFileSync(path.join(dir, "journal-2.ndjson"), path.join(dir, "journal-1.ndjson"));
  expect((await refusal(dir)).message).toContain("this is journal 2");
});

test("accepts a byte order mark", async () => {
  const { dir, worlds } = await crashed(2);
  const file = path.join(dir, "stagedoor.json");
  writeFileSync(file, `\uFEFF${readFileSync(file, "utf8")}`);
  const store = await open(dir);
  expect(contents(store.world)).toEqual(worlds[2]);
});

test("opens a folder as the first version wrote it, and no journal of another document", async () => {
  const written = path.join(import.meta.dirname, "first-version");
  const [dir, other] = [newDir(), newDir()];
  for (const name of names(written))
    for (const to of [dir, other]) copyFileSync(path.join(written, name), path.join(to, name));
  const store = await open(dir);
  expect(store.world.app(APP)?.profiles.map(({ userId }) => userId)).toEqual([1, 2, 3, 4].map(uuid));
  const document = path.join(other, "stagedoor.json");
  writeFileSync(document, readFileSync(document, "utf8").replace('"seq":4,', '"seq":9,'));
  const before = filesOf(other);
  expect(await refusal(other)).toMatchObject({
    exitStatus: 3,
    message: expect.stringContaining("goes on from change 4"),
  });
  expect(filesOf(other)).toEqual(before);
});

test("refuses a journal of a newer version", async () => {
  const { dir, journal } = await crashed(1);
  const { crc32 } = await import("node:zlib");
  const header = '{"journal":1,"version":2,"after":2,"chain":"00000000"';
  writeFileSync(journal, `${header},"crc":"${crc32(header).toString(16).padStart(8, "0")}"}\n`);
  expect((await refusal(dir)).message).toContain("newer Stagedoor");
});
