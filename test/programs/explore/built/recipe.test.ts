/** docs/recipes/explore.md as it is: the demo app survives everything that `explore` tries. */
import { readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { freshPath, runAlone } from "#test/cli/support.ts";
import { filesIn } from "#test/client/examples.ts";
import { CHECKOUT } from "#test/client/installed.ts";
import { temporaryDir } from "#test/hosts/built.ts";
import { NO_BROWSER } from "#test/support/browser.ts";
import { findBrowser } from "#test/support/find-browser.ts";

test("the demo app survives all of it", { timeout: 480_000 }, async ({ skip }) => {
  const browser = findBrowser();
  if (browser === undefined) return skip(NO_BROWSER);
  const { dir, remove } = await temporaryDir();
  try {
    await symlink(join(CHECKOUT, "node_modules"), join(dir, "node_modules"), "junction");
    const files = Object.entries(filesIn(await readFile(join(CHECKOUT, "docs/recipes/explore.md"), "utf8")));
    expect(files.map(([name]) => name)).toEqual(["explored-login.mjs"]);
    for (const [name, text] of files) await writeFile(join(dir, name), text);
    const command = ["--", process.execPath, join(dir, "explored-login.mjs")];
    const json = freshPath("demo.json");
    const ended = await runAlone(["explore", "--jobs", "2", "--timeout", "2m", "--json", json, ...command], {
      env: { CHROME_PATH: browser },
    });
    expect(ended.out).toMatch(/\n15 of 15 runs passed\n$/);
    expect(ended.status).toBe(0);
  } finally {
    await remove();
  }
});
