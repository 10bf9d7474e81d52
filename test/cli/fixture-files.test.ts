import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readFixtureFiles } from "#server/fixture-files.ts";
import { parseJson } from "#server/json-text.ts";

let dir = "";
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), "stagedoor-fixtures-"));
});
afterAll(() => rm(dir, { recursive: true, force: true }));

const file = async (name: string, content: string | Uint8Array): Promise<string> => {
  const path = join(dir, name);
  await writeFile(path, content);
  return path;
};
const errorsOf = async (content: string | Uint8Array): Promise<readonly string[]> => {
  const path = await file("bad.json", content);
  const read = await readFixtureFiles([path]);
  return "errors" in read ? read.errors.map((line) => line.replace(path, "FILE")) : [];
};

describe("fixture files", () => {
  test("are read in order, a BOM is accepted", async () => {
    const one = await file(
      "one.json",
      '\uFEFF{"version":1,"apps":[{"appId":"one","profiles":[{"phone":"+12025550100"}]}]}',
    );
    const two = await file("two.json", '{"$schema":"./schema.json","version":1,"apps":[]}');
    const read = await readFixtureFiles([one, two]);
    expect(read).toMatchObject({
      worlds: [
        { file: one, world: { apps: [{ appId: "one" }] } },
        { file: two, world: { apps: [] } },
      ],
    });
  });

  test("a bad file refuses all, and every fault is named by file and path", async () => {
    const good = await file("good.json", '{"version":1,"apps":[]}');
    const bad = await file(
      "bad.json",
      '{"version":1,"apps":[{"appId":"a","profiles":[{},{"phone":5,"emial":"x@y.z"}]}]}',
    );
    const read = await readFixtureFiles([good, bad, join(dir, "gone.json")]);
    expect(read).toEqual({
      errors: [
        `${bad}: apps[0].profiles[1].phone: must be a string`,
        `${bad}: apps[0].profiles[1].emial: is not known here; did you mean "email"?`,
        `${join(dir, "gone.json")}: there is no such file`,
      ],
    });
  });

  test("strangers are named with the nearest known name at every depth", async () => {
    expect(await errorsOf('{"version":1,"app":[],"apps":[]}')).toEqual([
      'FILE: app: is not known here; did you mean "apps"?',
    ]);
    expect(await errorsOf('{"version":1,"apps":[{"appId":"a","settings":{"passcode":{"lenght":4}}}]}')).toEqual([
      'FILE: apps[0].settings.passcode.lenght: is not known here; did you mean "length"?',
    ]);
  });

  test("a version from the future, no object, no UTF-8, a folder", async () => {
    expect(await errorsOf('{"version":2,"apps":[]}')).toEqual(["FILE: version: must be 1"]);
    expect(await errorsOf("[]")).toEqual(["FILE: must be an object"]);
    expect(await errorsOf(new Uint8Array([0x7b, 0xff, 0x7d]))).toEqual(["FILE: is not valid UTF-8"]);
    expect(await readFixtureFiles([dir])).toEqual({ errors: [`${dir}: is a folder, not a file`] });
  });

  test("bad JSON is named by line and column", async () => {
    expect(await errorsOf('{\n  "version": 1,\n  "apps": [],\n}')).toEqual([
      'FILE: is not valid JSON: "}" cannot stand at line 4, column 1',
    ]);
    expect(await errorsOf("")).toEqual(["FILE: is not valid JSON: it ends too early at line 1, column 1"]);
  });
});

test.each([
  ["{a:1}", 2],
  ["[1,]", 4],
  ["[1 2]", 4],
  ['{"a" 1}', 6],
  ['{"a":1,}', 8],
  ["[01]", 3],
  ['["\t"]', 3],
  ["nul", 1],
  ["[]]", 3],
  ["{]", 2],
  ["[}", 2],
  ['{"a":[{"b":null}', 17],
  ["{} {}", 4],
  ["// x", 1],
])("the fault of %j is at column %i", (text, column) => {
  expect(parseJson(text)).toMatchObject({ line: 1, column });
});
