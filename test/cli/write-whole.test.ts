/** Files that commands write where users say: whole, or not at all. */
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { CommandError } from "#server/plumbing/io.ts";
import { tryWhole, writeWhole } from "#server/plumbing/write-whole.ts";
import { freshPath } from "./support.ts";

const freshFolder = (): string => {
  const folder = freshPath("files");
  mkdirSync(folder);
  return folder;
};

test("writes the file, and leaves nothing beside it", async () => {
  const folder = freshFolder();
  await writeWhole(join(folder, "state.json"), "old");
  await writeWhole(join(folder, "state.json"), "new");
  expect(readdirSync(folder)).toEqual(["state.json"]);
  expect(readFileSync(join(folder, "state.json"), "utf8")).toBe("new");
});

test.each(["one", undefined])("follows no link that has the name of the temporary file: %s", async (unique) => {
  const folder = freshFolder();
  const [file, other] = [join(folder, "state.json"), join(folder, "other.txt")];
  writeFileSync(other, "of another");
  const link = `${file}.${unique ?? process.pid}.tmp`;
  symlinkSync(other, link);
  const written = await writeWhole(file, "new", unique).catch((error: unknown) => error);
  expect(readFileSync(other, "utf8")).toBe("of another");
  if (unique === undefined) expect(readFileSync(file, "utf8")).toBe("new");
  else {
    expect(written).toBeInstanceOf(CommandError);
    await expect(tryWhole(file, unique)).rejects.toBeInstanceOf(CommandError);
    expect(readFileSync(other, "utf8")).toBe("of another");
    expect(readdirSync(folder)).toEqual(["other.txt", "state.json.one.tmp"]);
  }
});

test("a folder that is missing is said, with the name of the file", async () => {
  const file = join(freshFolder(), "missing", "state.json");
  await expect(writeWhole(file, "new")).rejects.toThrow(`${file} could not be written: ENOENT`);
});
