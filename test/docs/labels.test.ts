/** What the pages write in italics with a capital is a label of the program, as it is now. */
import { expect, test } from "vitest";
import { PAGES, readPage } from "./blocks.ts";
import { programTexts } from "./program-texts.ts";

const LABEL = /(?<![\w*_])_([A-Z][^_]{1,60}?)[.:]?_(?![\w*_])/g;
const said = programTexts()
  .map(({ text }) => text.toLowerCase())
  .join("\n");

const labelsOf = (page: string): string[] =>
  [
    ...readPage(page)
      .replaceAll(/^( *)```[\s\S]*?^\1```$|`[^`\n]*`/gm, "")
      .replaceAll(/\s+/g, " ")
      .matchAll(LABEL),
  ].map(([, label = ""]) => label);

test.each(PAGES)("%s", (page) => {
  expect(labelsOf(page).filter((label) => !said.includes(label.toLowerCase()))).toEqual([]);
});

test("there are some", () => {
  expect(PAGES.flatMap(labelsOf).length).toBeGreaterThan(15);
});
