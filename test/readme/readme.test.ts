/** The README: short, and its set-up is what CI runs. Its commands run in tours.test.ts. */
import { readFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { blocksOf, readPage, wordsOf } from "#test/docs/blocks.ts";
import pkg from "../../package.json" with { type: "json" };

const CI = new URL("../../.ci/run", import.meta.url);

describe("README.md", () => {
  test("has at most 500 words outside code", () => {
    expect(wordsOf(readPage("README.md"))).toBeLessThanOrEqual(500);
  });

  test("installs the package that this checkout packs", () => {
    expect(readPage("README.md")).toContain(`--save-dev ./stagedoor-${pkg.version}.tgz`);
  });

  test("needs two commands for the set-up, and CI runs the second", async () => {
    const setUp = blocksOf("README.md").filter(({ language }) => language === "shell");
    expect(setUp.map(({ text }) => text)).toEqual(["npm ci && npm start", "npm ci && npm test"]);
    expect(await readFile(CI, "utf8")).toMatch(/\nnpm ci\n.*\nnpm test /s);
  });
});
