/** `stagedoor.json` edited by hand while no process ran. */
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { APP, addProfile, contents, uuid } from "#test/store/records.ts";
import { abandon, filesOf, newDir, open, refusal } from "#test/store/support.ts";

/** A directory with three profiles after a clean stop, and the lines of its document file. */
const stopped = async (): Promise<{ dir: string; file: string; lines: string[] }> => {
  const dir = newDir();
  const store = await open(dir);
  for (const n of [1, 2, 3]) store.transact(addProfile(n));
  await store.close();
  const file = path.join(dir, "stagedoor.json");
  return { dir, file, lines: readFileSync(file, "utf8").split("\n") };
};

const lineOf = (lines: readonly string[], text: string): number => lines.findIndex((line) => line.includes(text));

test("the document file is readable: version first, one record per line", async () => {
  const { lines } = await stopped();
  expect(lines[0]).toBe('{"version":1,');
  const records = lines.filter((line) => line.includes('"userId"'));
  expect(records).toHaveLength(3);
  for (const record of records) expect(JSON.parse(record.replace(/,$/, ""))).toMatchObject({ name: /^Ada/ });
});

test("a copied line with a new id and username adds a profile in that position", async () => {
  const { dir, file, lines } = await stopped();
  const at = lineOf(lines, uuid(1));
  const copy = lines[at]?.replace(uuid(1), uuid(9).toUpperCase()).replace("+12025550001", "+12025550009") ?? "";
  lines.splice(at + 1, 0, copy);
  writeFileSync(file, lines.join("\n"));
  const store = await open(dir);
  const { profiles } = store.world.app(APP) ?? { profiles: [] };
  expect(profiles.map(({ userId }) => userId)).toEqual([1, 9, 2, 3].map(uuid));
  expect(store.world.app(APP)?.profileByUsername("+12025550009")?.userId).toBe(uuid(9));
  const numbers = profiles.map(({ seq }) => seq);
  expect(numbers).toEqual([...numbers].sort((a, b) => a - b));
  expect(new Set(numbers).size).toBe(4);
  expect(store.world.seq).toBeGreaterThanOrEqual(Math.max(...numbers));
  // The renumbered records are on disk before anything else is.
  store.transact(addProfile(4));
  const crashed = await open(abandon(dir));
  expect(contents(crashed.world)).toEqual(contents(store.world));
});

test("records and apps without a number get one, and a removed line removes its record", async () => {
  const { dir, file, lines } = await stopped();
  const text = lines.filter((line) => !line.includes(uuid(2))).join("\n");
  writeFileSync(file, text.replaceAll(/"seq":[0-9]+,(?=")/g, ""));
  const store = await open(dir);
  expect(store.world.apps.map(({ app }) => app.appId)).toEqual([APP, "demo-mail"]);
  expect(store.world.app(APP)?.profiles.map(({ userId }) => userId)).toEqual([uuid(1), uuid(3)]);
  expect(store.world.apps.map(({ app }) => app.seq).every((seq) => seq > 0)).toBe(true);
});

test("the same edit next to a journal is refused, naming the place", async () => {
  const live = newDir();
  const store = await open(live);
  for (const n of [1, 2]) store.transact(addProfile(n));
  await store.writeDocument();
  store.transact(addProfile(3));
  const dir = abandon(live);
  const file = path.join(dir, "stagedoor.json");
  const lines = readFileSync(file, "utf8").split("\n");
  const at = lineOf(lines, uuid(2));
  lines[at - 1] += "";
  lines.splice(at, 0, `${lines[at]?.replace(uuid(2), uuid(9)).replace("0002", "0009")},`);
  writeFileSync(file, lines.join("\n"));
  const before = filesOf(dir);
  const failure = await refusal(dir);
  expect(failure).toMatchObject({ exitStatus: 3, file });
  expect(failure.message).toContain("apps[0].profiles[2].seq");
  expect(filesOf(dir)).toEqual(before);
});

test.each([
  ["a duplicate id", (text: string) => text.replace(uuid(2), uuid(1)), "profiles[", uuid(1)],
  ["a duplicate username", (text: string) => text.replace("+12025550002", "+12025550001"), "phone", "+12025550001"],
  ["a duplicate secret", (text: string) => text.replace("secret-demo-mail", "secret-demo-app"), "secret", ""],
  ["a duplicate app", (text: string) => text.replace('"appId":"demo-mail"', '"appId":"demo-app"'), "appId", ""],
  ["a wrong type", (text: string) => text.replace('"Ada 2"', "7"), "apps[0].profiles[1].name", ""],
  [
    "an invalid date",
    (text: string) => text.replace(/"createdAt":"2025-11-20/, '"createdAt":"2025-02-30'),
    "createdAt",
    "",
  ],
  ["an unknown strategy", (text: string) => text.replace('"strategy":"email"', '"strategy":"fax"'), "strategy", ""],
  ["an object instead of a list", (text: string) => text.replace('"passcodes":[]', '"passcodes":{}'), "passcodes", ""],
  ["an empty record", (text: string) => text.replace('"passcodes":[]', '"passcodes":[null]'), "passcodes[0]", ""],
])("%s is refused, naming the place and the remedy", async (_, edit, place, value) => {
  const { dir, file, lines } = await stopped();
  const text = edit(lines.join("\n"));
  expect(text).not.toBe(lines.join("\n"));
  writeFileSync(file, text);
  const failure = await refusal(dir);
  expect(failure).toMatchObject({ exitStatus: 3, file });
  expect(failure.message).toContain(place);
  expect(failure.message).toContain(value);
  expect(failure.offset).toBeGreaterThan(0);
  expect(readFileSync(file, "utf8")).toBe(text);
});

test("an error names the byte of the value, also after multi-byte characters", async () => {
  const { dir, file, lines } = await stopped();
  const text = lines.join("\n").replace('"Ada 1"', '"Zoë ☎"').replace('"Ada 2"', "7");
  writeFileSync(file, text);
  const failure = await refusal(dir);
  const place = Buffer.from(text).indexOf('"name":7') + '"name":'.length;
  expect(failure.offset).toBe(place);
});
