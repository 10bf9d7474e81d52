/**
 * Runs the examples of docs/testing.md as they stand, with the package as it is published.
 */
import { readFile, symlink } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { filesIn, sectionOf } from "./examples.ts";
import { CHECKOUT, type Installed, installPacked } from "./installed.ts";

let installed: Installed;
let page = "";
beforeAll(async () => {
  [installed, page] = await Promise.all([installPacked(), readFile(join(CHECKOUT, "docs/testing.md"), "utf8")]);
  await symlink(join(CHECKOUT, "node_modules/vitest"), join(installed.dir, "node_modules/vitest"), "junction");
});
afterAll(() => installed?.remove());

test("a login in ten lines", async () => {
  await installed.write(filesIn(sectionOf(page, "## A login in ten lines")));
  expect(await installed.node(["login.mjs"])).toContain("active: true");
});

test("vitest: one process, an app for each worker", async () => {
  const files = filesIn(sectionOf(page, "### vitest"));
  expect(Object.keys(files)).toEqual(["vitest.config.ts", "stagedoor.setup.ts", "stagedoor.ts", "login.test.ts"]);
  const again = { "again.test.ts": files["login.test.ts"] ?? "" };
  await installed.write({ ...files, ...again, "package.json": JSON.stringify({ type: "module" }) });
  const vitest = join(CHECKOUT, "node_modules/vitest/vitest.mjs");
  const printed = await installed.node([vitest, "run", "--reporter=json", "--maxWorkers=2"]);
  expect(JSON.parse(printed.slice(printed.indexOf("{")))).toMatchObject({ success: true, numPassedTests: 2 });
});
