/** What shows that a command is a suite, and its runner's retries. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ExploredRun } from "#contract/documents/explorations.ts";
import { isRetried, loginNotices, runNotices, scriptsOf, withoutRetries, writeHooks } from "#programs/explore/suite.ts";
import { CHECKOUT } from "#test/client/installed.ts";
import { exchangeRow } from "./rows.ts";

const of = (id: string) => exchangeRow({ login: { id, to: "+12025550100", typed: null } });

describe("logins of the first run", () => {
  test.each([
    ["one", ["a", "a"], undefined],
    ["one after the other", ["a", "a", "b", "b"], "had 2 logins. A step is"],
    ["at the same time", ["a", "b", "a", "b"], "had 2 logins, some at the same time"],
  ])("%s", (_name, ids, words) => {
    expect(loginNotices(ids.map(of))).toEqual(words === undefined ? [] : [expect.stringContaining(words)]);
  });
});

describe("something was run again", () => {
  const seen = (output: string, scripts: readonly string[] = []) => ({ output, scripts });
  test.each([
    "    Retry #1 ────────",
    " ✓ a.test.ts > signs in 24ms (retry x2)",
    "RETRY 1",
    "1 passed, 2 rerun in 1.2s",
  ])("as a runner says: %s", (output) => expect(isRetried(seen(""), seen(output))).toBe(true));

  test("as scripts show that began more often than in the first run", () => {
    const first = seen("1 passed, 0 rerun", ["login.mjs"]);
    expect(isRetried(first, first)).toBe(false);
    expect(isRetried(first, seen("", ["login.mjs", "login.mjs"]))).toBe(true);
    expect(runNotices([], 2)).toEqual([expect.stringContaining("In 2 runs something was run again")]);
  });
});

test("a step that comes only in some runs is named", () => {
  const run = (step: string, result: ExploredRun["result"]): ExploredRun => ({
    ...{ step, result, kind: "lost", known: false, exitCode: 0, ms: 1, repeat: "" },
    ...{ after: { requests: 0, lastStatus: null }, left: { usedCodes: 0, lostSessions: 0 } },
  });
  const runs = [run("a", "missed"), run("a", "failed"), run("b", "missed"), run("c", "passed")];
  expect(runNotices(runs, 0)).toEqual([expect.stringContaining("only in some runs: a.")]);
});

describe("a runner's retries are off", () => {
  let folder = "";
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "stagedoor-hooks-"));
    await writeHooks(folder);
  });
  afterAll(() => rmSync(folder, { recursive: true }));
  const run = (...args: readonly string[]) => {
    const mark = join(folder, "1.");
    const env = { ...withoutRetries({ PATH: process.env["PATH"] }, folder), STAGEDOOR_EXPLORE: mark, NO_COLOR: "1" };
    const { stdout } = spawnSync(process.execPath, args, { cwd: folder, env, encoding: "utf8" });
    return { stdout, scripts: scriptsOf(mark) };
  };

  test("in Vitest, whose configuration has two", { timeout: 60_000 }, () => {
    writeFileSync(join(folder, "vitest.config.mjs"), "export default { test: { retry: 2, globals: true } };");
    writeFileSync(join(folder, "a.test.mjs"), 'test("a", () => { console.log("tried"); throw new Error("no"); });');
    const { stdout } = run(join(CHECKOUT, "node_modules/vitest/vitest.mjs"), "run");
    expect(stdout.match(/^tried$/gm)).toHaveLength(1);
  });

  test("in Playwright, whose configuration has two", { timeout: 60_000 }, () => {
    const runner = JSON.stringify(join(CHECKOUT, "node_modules/@playwright/test/index.js"));
    writeFileSync(join(folder, "playwright.config.cjs"), 'module.exports = { retries: 2, testMatch: "a.spec.cjs" };');
    writeFileSync(join(folder, "a.spec.cjs"), `require(${runner}).test("a", () => { throw new Error("no"); });`);
    const { stdout } = run(join(CHECKOUT, "node_modules/@playwright/test/cli.js"), "test");
    expect([stdout.includes("1 failed"), stdout.includes("Retry #")]).toEqual([true, false]);
  });

  test("in Jest, which keeps their number in the global object of a test", () => {
    const code =
      'const vm = require("node:vm"); const of = vm.createContext({}); vm.runInContext("globalThis[Symbol.for(\'RETRY_TIMES\')] = 3", of); console.log(of[Symbol.for("RETRY_TIMES")]);';
    writeFileSync(join(folder, "jest.cjs"), code);
    expect(run(join(folder, "jest.cjs")).stdout).toBe("0\n");
  });

  test("and each script that a Node begins is noted", async () => {
    writeFileSync(join(folder, "login.cjs"), "");
    run(join(folder, "login.cjs"), "--once");
    expect((await run(join(folder, "login.cjs")).scripts).filter((line) => line.includes("login.cjs"))).toHaveLength(2);
  });
});
