/** Every fenced block of README.md and docs is run, checked, or marked with the reason why not. */
import { existsSync } from "node:fs";
import { basename } from "node:path";
import { describe, expect, test } from "vitest";
import { runsOf } from "./accepted.ts";
import { type Block, blocksOf, fileName, notRun, PAGES, readPage } from "./blocks.ts";
import { RUNNERS } from "./runners.ts";

const all = PAGES.flatMap((page) => blocksOf(page));
const runnersOf = (block: Block) => RUNNERS.filter(({ takes }) => notRun(block) === undefined && takes(block));
const nobodys = (blocks: readonly Block[]): string[] =>
  blocks
    .filter((block) => notRun(block) === undefined && runnersOf(block).length !== 1)
    .map(({ page, line, language }) => `${page}:${line} (${language})`);

test("finds a block that no test runs and that is not marked, also in a list", () => {
  const page = [
    "1. Do:",
    "",
    "   ```sh",
    "   true",
    "   ```",
    "",
    "<!-- not run: why -->",
    "",
    "```sh",
    "false",
    "```",
  ];
  const found = blocksOf("docs/new.md", page.join("\n"));
  expect(found.map(({ text, line }) => [text, line])).toEqual([
    ["true", 3],
    ["false", 9],
  ]);
  expect(nobodys(found)).toEqual(["docs/new.md:3 (sh)"]);
});

describe("each block has a test, or a comment <!-- not run: why -->", () => {
  test("no fence is written in a way that the walker misses", () => {
    for (const page of PAGES) {
      const fences = readPage(page).match(/^\s*(```|~~~)/gm) ?? [];
      expect(blocksOf(page).length * 2, page).toBe(fences.length);
    }
  });

  test.each(PAGES)("%s", (page) => expect(nobodys(blocksOf(page))).toEqual([]));
});

test("each runner is there, has a block, and reads its page and the files in it", () => {
  for (const runner of RUNNERS) {
    const blocks = all.filter((block) => runnersOf(block).includes(runner));
    expect(blocks, `${runner.file}: ${runner.takes}`).not.toEqual([]);
    expect(existsSync(new URL(`../../${runner.file}`, import.meta.url)), runner.file).toBe(true);
    const source = readPage(runner.file) + readPage("test/readme/tours.ts");
    const needed = blocks.flatMap((block) => [basename(block.page), fileName(block) ?? ""]);
    if (runner.file !== "test/verifiers/run.mjs")
      expect([runner.file, needed.filter((name) => !source.includes(name))]).toEqual([runner.file, []]);
  }
});

const parsed = all
  .filter((block) => block.language === "sh" && notRun(block) !== undefined)
  .flatMap(({ text }) =>
    [...text.replaceAll("\\\n", " ").matchAll(/^stagedoor ([^#\n]*)/gm)].map(([, line = ""]) => line),
  );

test.each(parsed)("stagedoor %s is at least a command that the command line accepts", async (line) => {
  expect(await runsOf(line)).toBe(1);
});
