/** docs/recipes/one-secret.md as it is, with the tests of outcomes that it links to: a web app whose backend keeps one secret, four workers, 39 tests. */
import { readFile, symlink } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { NO_BROWSER } from "#test/support/browser.ts";
import { findBrowser } from "#test/support/find-browser.ts";
import { freePort } from "#test/support/ports.ts";
import { filesIn } from "../examples.ts";
import { CHECKOUT, installPacked } from "../installed.ts";

const CLI = "node_modules/stagedoor/dist/server/cli.js";
const at = (path: string): string => join(CHECKOUT, "node_modules", path);

/** @returns the names and marks of a table, without its counts, which say how often a test was repeated. */
const marksIn = (table: string): string[] =>
  [...table.matchAll(/^ {2}([✓·] .+?)(?: {2,}.*)?$/gm)].map(([, row = ""]) => row);

test("39 tests in four workers share a backend with one secret, and meet all that their app can", {
  timeout: 240_000,
}, async ({ skip }) => {
  const browser = findBrowser();
  if (browser === undefined) return skip(NO_BROWSER);
  const installed = await installPacked();
  try {
    for (const name of ["@playwright", "express", "jose", "react", "react-dom"])
      await symlink(at(name), join(installed.dir, "node_modules", name), "junction");
    const recipe = await readFile(join(CHECKOUT, "docs/recipes/one-secret.md"), "utf8");
    const files = filesIn(recipe);
    const names = ["backend.mjs", "page/main.jsx", "index.html", "playwright.config.mjs", "login.spec.mjs"];
    expect(Object.keys(files)).toEqual(names);
    const linked = (name: string) => readFile(join(import.meta.dirname, "../pages", name), "utf8");
    const record = await linked("one-secret-coverage.txt");
    await installed.write({ ...files, "outcomes.spec.mjs": await linked("outcomes.spec.mjs") });
    await installed.node([at("vite/bin/vite.js"), "build", "--logLevel", "error"]);
    const playwright = [process.execPath, at("@playwright/test/cli.js"), "test", "--reporter=json"];
    const env = { CHROME_PATH: browser, PORT: String(await freePort()) };
    const run = ["exec", "--coverage-out", "run.json", "--", ...playwright];
    const printed = await installed.node([CLI, ...run], env);
    expect(JSON.parse(printed)).toMatchObject({ stats: { expected: 39, unexpected: 0, flaky: 0 } });
    const met = await installed.node([CLI, "coverage", "run.json"]);
    expect(marksIn(met)).toEqual(marksIn(record));
  } finally {
    await installed.remove();
  }
});
