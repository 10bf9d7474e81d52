/** The README: short, and its set-up is what CI runs. Its commands run in tours.test.ts. */
import { readFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { blocksOf, readPage } from "#test/docs/blocks.ts";

const CI = new URL("../../.ci/run", import.meta.url);

describe("README.md", () => {
  test("has less than 1,000 words", () => {
    expect(readPage("README.md").split(/\s+/).length).toBeLessThan(1_000);
  });

  test("needs two commands for the set-up, and CI runs the second", async () => {
    const setUp = blocksOf("README.md").filter(({ language }) => language === "shell");
    expect(setUp.map(({ text }) => text)).toEqual(["npm ci && npm start", "npm ci && npm test"]);
    expect(await readFile(CI, "utf8")).toMatch(/\nnpm ci\n.*\nnpm test /s);
  });
});
