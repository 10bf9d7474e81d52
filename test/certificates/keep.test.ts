/** The stored authority, which all servers of a user share. */
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createAuthority } from "#certificates/authority.ts";
import { keepAuthority, readAuthority } from "#certificates/keep.ts";
import { Certificates } from "#server/boot/certificates.ts";

const NOW = 1_763_650_000_000;
let dir = "";
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), "stagedoor-authority-"));
});
afterEach(() => rm(dir, { recursive: true }));

test("of two servers that start at once, the slower one uses the authority of the faster one", async () => {
  const [first, second] = [await createAuthority("first", NOW), await createAuthority("second", NOW)];
  expect(await keepAuthority(dir, first, false)).toEqual(first);
  expect(await keepAuthority(dir, second, false)).toEqual(first);
  expect(await readAuthority(dir)).toEqual(first);
  expect(await readdir(dir)).toEqual(["authority.pem"]);
});

test("two servers that start at once show devices the same certificate", async () => {
  const server = (name: string) => new Certificates(dir, name, () => NOW, expect.unreachable);
  const [first, second] = await Promise.all([server("first").makeRoot(), server("second").makeRoot()]);
  expect(first.fingerprint256).toBe(second.fingerprint256);
});

test("an authority is replaced on request, readable by its owner alone, and leaves no draft", async () => {
  const [first, second] = [await createAuthority("first", NOW), await createAuthority("second", NOW)];
  await keepAuthority(dir, first, false);
  expect(await keepAuthority(dir, second, true)).toEqual(second);
  expect(await readAuthority(dir)).toEqual(second);
  expect(await readdir(dir)).toEqual(["authority.pem"]);
  expect((await stat(join(dir, "authority.pem"))).mode & 0o777).toBe(0o600);
});

test("a file that cannot be read is an error: a new authority would need to be installed on every device", async () => {
  await mkdir(join(dir, "authority.pem"));
  await expect(readAuthority(dir)).rejects.toThrow();
});

test("a file whose parts do not belong together is damaged", async () => {
  const [first, second] = [await createAuthority("first", NOW), await createAuthority("second", NOW)];
  await keepAuthority(dir, first, false);
  const file = join(dir, "authority.pem");
  const text = await readFile(file, "utf8");
  for (const damaged of [
    text.replace(first.key, second.key),
    text.replace(first.root, second.root),
    text.replace(first.key, ""),
    "",
  ]) {
    await writeFile(file, damaged);
    expect(await readAuthority(dir)).toBe("damaged");
  }
});
