/** docs/recipes/coverage.md as it is: a fresh project that meets two outcomes, and all of them by what it is told. */
import { readFile, symlink } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { filesIn } from "#test/client/examples.ts";
import { CHECKOUT, installPacked } from "#test/client/installed.ts";
import { NO_BROWSER } from "#test/support/browser.ts";
import { findBrowser } from "#test/support/find-browser.ts";

const CLI = "node_modules/stagedoor/dist/server/cli.js";

test("exec --coverage=80 names what is missing; whoever follows it meets everything, as recorded", {
  timeout: 480_000,
}, async ({ skip }) => {
  const browser = findBrowser();
  if (browser === undefined) return skip(NO_BROWSER);
  const page = await readFile(join(CHECKOUT, "docs/recipes/coverage.md"), "utf8");
  const [, told = ""] = /^```text\n(.*?)^```$/ms.exec(page) ?? [];
  const record = await readFile(new URL("record.txt", import.meta.url), "utf8");
  const installed = await installPacked();
  try {
    await symlink(
      join(CHECKOUT, "node_modules/@playwright"),
      join(installed.dir, "node_modules/@playwright"),
      "junction",
    );
    const { "outcomes.spec.mjs": outcomes = "", ...first } = filesIn(page);
    expect(Object.keys(first)).toEqual(["playwright.config.mjs", "person.mjs", "login.spec.mjs"]);
    await installed.write(first);
    const playwright = [
      process.execPath,
      join(CHECKOUT, "node_modules/@playwright/test/cli.js"),
      "test",
      "--reporter=dot",
    ];
    const run = (...options: string[]) =>
      installed.node([CLI, "exec", "--coverage=80", ...options, "--", ...playwright], { CHROME_PATH: browser });

    const low = await run().then(String, (error: Error) => error.message);
    for (const line of told.split("\n").filter((text) => text !== "" && !text.includes("…")))
      expect(low).toContain(line);
    const missing = [
      ...new Set([...low.matchAll(/^ {2}.+: .+\. \(coverage\.provoke\("(\w+)"\)\)$/gm)].map(([, id = ""]) => id)),
    ];
    expect(missing).toHaveLength(25);
    // What the page adds is what it was told, and nothing else.
    expect(missing.filter((id) => !new RegExp(`\\b${id}\\b`).test(outcomes))).toEqual([]);

    await installed.write({ "outcomes.spec.mjs": outcomes });
    await run("--coverage-out", "run.json");
    expect(await installed.node([CLI, "coverage", "run.json"])).toBe(record);
  } finally {
    await installed.remove();
  }
});
