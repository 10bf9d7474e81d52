/** Node's compile cache, which the command line uses on Node 22 and newer. */
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import * as module from "node:module";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { freshPath, runAlone, start } from "../support.ts";

const OTHER = process.platform !== "linux";
const WHY = "the folders are those of Linux";

const freshHome = (): string => {
  const home = freshPath("home");
  mkdirSync(home);
  return home;
};

/** Runs a command, which must print its result and nothing else. */
const runs = async (env: Readonly<Record<string, string>>): Promise<void> =>
  expect(await runAlone(["--version"], { env })).toMatchObject({
    status: 0,
    out: expect.stringMatching(/^\d/),
    err: "",
  });

describe("the compile cache", () => {
  test("is in a private folder of the user's cache, where Node has it", async ({ skip }) => {
    skip(OTHER, WHY);
    const home = freshHome();
    await runs({ HOME: home });
    await runs({ HOME: home });
    const folder = join(home, ".cache/stagedoor");
    const hasCache = "enableCompileCache" in module;
    expect(existsSync(folder)).toBe(hasCache);
    if (!hasCache) return;
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(readdirSync(folder, { recursive: true }).length).toBeGreaterThan(1);
  });

  test("is nowhere else: not if it is off, nor in a folder of others or behind a link", async ({ skip }) => {
    skip(OTHER, WHY);
    const home = freshHome();
    await runs({ HOME: home, NODE_DISABLE_COMPILE_CACHE: "1" });
    const shared = freshHome();
    chmodSync(shared, 0o777);
    await runs({ HOME: home, XDG_CACHE_HOME: shared });
    expect([readdirSync(home), readdirSync(shared)]).toEqual([[], []]);
    const linked = freshHome();
    symlinkSync(home, join(linked, "stagedoor"));
    await runs({ HOME: home, XDG_CACHE_HOME: linked });
    expect(readdirSync(home)).toEqual([]);
  });

  test("is made anew if others could write into it, because Node would run what they left there", async ({ skip }) => {
    skip(OTHER, WHY);
    const home = freshHome();
    await runs({ HOME: home });
    const folder = join(home, ".cache/stagedoor");
    if (!existsSync(folder)) return;
    const before = readdirSync(folder);
    for (const mode of [0o777, 0o770]) {
      const left = join(folder, before[0] ?? "", "left-by-others");
      writeFileSync(left, "code");
      writeFileSync(join(folder, "left-by-others"), "code");
      chmodSync(folder, mode);
      await runs({ HOME: home });
      expect(readdirSync(folder)).toEqual(before);
      expect(existsSync(left)).toBe(false);
      expect(statSync(folder).mode & 0o777).toBe(0o700);
    }
  });

  test("can be missing: a home that is absent, empty or a file stops nothing, and is not made", async ({ skip }) => {
    skip(OTHER, WHY);
    const absent = freshPath("absent");
    await runs({ HOME: absent });
    expect(existsSync(absent)).toBe(false);
    await runs({ HOME: "" });
    await runs({ HOME: process.execPath });
  });
});

test("a start loads no client of HTTP, which costs Node 22 and newer 30 ms", async () => {
  const [list, script] = [freshPath("loaded.txt"), freshPath("print.cjs")];
  const print = `require("node:fs").writeFileSync(${JSON.stringify(list)}, process.moduleLoadList.join("\\n"))`;
  writeFileSync(script, `process.once("exit", () => ${print});`);
  const server = await start(["--json", "--ephemeral"], { NODE_OPTIONS: `--require ${script}` });
  await server.stop();
  const loaded = readFileSync(list, "utf8").split("\n");
  expect(loaded).toContain("NativeModule http");
  expect(loaded.filter((name) => name.includes("undici"))).toEqual([]);
});
