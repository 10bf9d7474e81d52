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
  for (const name of ["vitest", "@playwright"])
    await symlink(join(CHECKOUT, "node_modules", name), join(installed.dir, "node_modules", name), "junction");
});
afterAll(() => installed?.remove());

test("a login in ten lines", async () => {
  await installed.write(filesIn(sectionOf(page, "## A login in ten lines")));
  expect(await installed.node(["login.mjs"])).toContain("active: true");
});

test("vitest: one process, an app for each worker", { timeout: 60_000 }, async () => {
  const files = filesIn(sectionOf(page, "### Vitest"));
  expect(Object.keys(files)).toEqual(["vitest.config.ts", "stagedoor.setup.ts", "stagedoor.ts", "login.test.ts"]);
  const again = { "again.test.ts": files["login.test.ts"] ?? "" };
  await installed.write({ ...files, ...again, "package.json": JSON.stringify({ type: "module" }) });
  const vitest = join(CHECKOUT, "node_modules/vitest/vitest.mjs");
  const printed = await installed.node([vitest, "run", "--reporter=json", "--maxWorkers=2"]);
  expect(JSON.parse(printed.slice(printed.indexOf("{")))).toMatchObject({ success: true, numPassedTests: 2 });
});

test.each(["module", "commonjs"])(
  "Playwright: one process, an app for each worker; in a project of type %s",
  { timeout: 60_000 },
  async (type) => {
    const files = filesIn(sectionOf(page, "### Playwright"));
    expect(Object.keys(files)).toEqual(["playwright.config.ts", "stagedoor.setup.ts", "stagedoor.ts", "login.spec.ts"]);
    const again = { "again.spec.ts": files["login.spec.ts"] ?? "" };
    const all = Object.entries({ ...files, ...again, "package.json": JSON.stringify({ type }) });
    await installed.write(Object.fromEntries(all.map(([path, text]) => [`playwright-${type}/${path}`, text])));
    const playwright = join(CHECKOUT, "node_modules/@playwright/test/cli.js");
    const given = ["test", "-c", `playwright-${type}`, "--reporter=json", "--workers=2"];
    expect(JSON.parse(await installed.node([playwright, ...given]))).toMatchObject({
      stats: { expected: 2, unexpected: 0 },
    });
  },
);
