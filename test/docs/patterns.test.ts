/**
 * The handwritten pages have none of the habits of patterns.ts, but where they stay on purpose. Not read: generated reference,
 * whose texts are those of the program.
 */
import { describe, expect, test } from "vitest";
import { GENERATED, usersPages } from "../../tools/words.mjs";
import { PAGES, readPage } from "./blocks.ts";
import { PATTERNS, type Pattern, QUOTED } from "./patterns.ts";

const pages = [
  ...PAGES.filter((page) => !GENERATED.includes(page)),
  "CHANGELOG.md",
  ".github/CONTRIBUTING.md",
  "skills/stagedoor-login-test/SKILL.md",
];

/** The prose of a page: without blocks, comments, code and links' targets, in one line. */
const proseOf = (text: string): string =>
  text
    .replaceAll(/^( *)```[\s\S]*?^\1```$/gm, "")
    .replaceAll(/<!--.*?-->/gs, "")
    .replaceAll(/`[^`\n]*`/g, "``")
    .replaceAll(/\]\([^)]*\)/g, "]")
    .replaceAll(/\s+/g, " ");

/** @returns where the habit stands, and is not kept. */
const hitsIn = ({ find, kept = [] }: Pattern, page: string, text: string): string[] => {
  const rest = kept
    .filter((one) => one.page === page)
    .reduce((left, one) => left.replaceAll(one.text, ""), proseOf(text));
  return [...rest.matchAll(find)].map(({ index, 0: hit }) =>
    rest.slice(Math.max(0, index - 30), index + hit.length + 30),
  );
};

test("finds a habit in prose, and not in code or where it is kept", () => {
  const pattern = {
    habit: "gone",
    find: /\bgone\b/gi,
    write: "deleted",
    kept: [{ page: "a.md", text: "far gone", why: "" }],
  };
  expect(hitsIn(pattern, "a.md", "The app is\ngone. `gone` [x](gone.md) far gone\n\n```sh\ngone\n```\n")).toEqual([
    "The app is gone. `` [x]  ",
  ]);
  expect(hitsIn(pattern, "b.md", "far gone")).toEqual(["far gone"]);
});

describe.each(PATTERNS)("$habit", (pattern) => {
  test("is on no page", () => {
    expect(pages.flatMap((page) => hitsIn(pattern, page, readPage(page)).map((hit) => `${page}: ${hit}`))).toEqual([]);
  });

  test("what is kept is still there, is found, and has a reason", () => {
    for (const { page, text, why } of pattern.kept ?? []) {
      if (why !== QUOTED) expect(proseOf(readPage(page)).includes(text), `${page}: ${text}`).toBe(true);
      expect(text.match(pattern.find), text).not.toBeNull();
      expect(why).not.toBe("");
    }
  });
});

test.each(PAGES.filter((page) => page !== "README.md"))("%s begins with what one can do after it", (page) => {
  const [, first = ""] = /^# .+\n\n(.+)/m.exec(readPage(page)) ?? [];
  expect(first).toMatch(/^(?:With|After|From) this (?:page|recipe)\b/);
});

test("users' pages have at most 30,000 words", () => {
  expect(usersPages().reduce((sum, { words }) => sum + words, 0)).toBeLessThanOrEqual(30_000);
});
