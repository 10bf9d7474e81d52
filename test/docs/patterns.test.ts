/**
 * The handwritten pages and the texts of the program have none of the habits of patterns.ts, but where they stay on
 * purpose. Not read: generated reference, whose texts are those of the program.
 */
import { describe, expect, test } from "vitest";
import { PAGES, readPage } from "./blocks.ts";
import { PATTERNS, type Pattern, QUOTED } from "./patterns.ts";
import { programTexts } from "./program-texts.ts";

/** Reference that `npm run docs` writes as a whole. */
const GENERATED = ["docs/command-line.md", "docs/control-api.md", "docs/settings.md"];

const pages = [
  ...PAGES.filter((page) => !GENERATED.includes(page)),
  "CHANGELOG.md",
  ".github/CONTRIBUTING.md",
  "skills/stagedoor-login-test/SKILL.md",
];

const texts = programTexts();

/** The prose of a page: without blocks, comments, code and links' targets, in one line. */
const proseOf = (text: string): string =>
  text
    .replaceAll(/^( *)```[\s\S]*?^\1```$/gm, "")
    .replaceAll(/<!--.*?-->/gs, "")
    .replaceAll(/`[^`\n]*`/g, "``")
    .replaceAll(/\]\([^)]*\)/g, "]")
    .replaceAll(/\s+/g, " ");

/** @returns where the habit stands, and is not kept. @param prose of a page, or a text of a source file. */
const hitsIn = ({ find, kept = [] }: Pattern, page: string, prose: string): string[] => {
  const rest = kept.filter((one) => one.page === page).reduce((left, one) => left.replaceAll(one.text, ""), prose);
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
  expect(
    hitsIn(pattern, "a.md", proseOf("The app is\ngone. `gone` [x](gone.md) far gone\n\n```sh\ngone\n```\n")),
  ).toEqual(["The app is gone. `` [x]  "]);
  expect(hitsIn(pattern, "b.md", "far gone")).toEqual(["far gone"]);
});

describe.each(PATTERNS)("$habit", (pattern) => {
  test("is on no page", () => {
    expect(
      pages.flatMap((page) => hitsIn(pattern, page, proseOf(readPage(page))).map((hit) => `${page}: ${hit}`)),
    ).toEqual([]);
  });

  test("is in no text of the program", () => {
    expect(texts.flatMap(({ file, text }) => hitsIn(pattern, file, text).map((hit) => `${file}: ${hit}`))).toEqual([]);
  });

  test("what is kept is still there, is found, and has a reason", () => {
    for (const { page, text, why } of pattern.kept ?? []) {
      const isThere = page.endsWith(".md")
        ? proseOf(readPage(page)).includes(text)
        : texts.some((one) => one.file === page && one.text.includes(text));
      if (why !== QUOTED) expect(isThere, `${page}: ${text}`).toBe(true);
      expect(text.match(pattern.find), text).not.toBeNull();
      expect(why).not.toBe("");
    }
  });
});

test.each(PAGES.filter((page) => page !== "README.md"))("%s begins with what one can do after it", (page) => {
  const [, first = ""] = /^# .+\n\n(.+)/m.exec(readPage(page)) ?? [];
  expect(first).toMatch(/^(?:With|After|From) this (?:page|recipe)\b/);
});

test("users' pages have at most 34,000 words", () => {
  const users = PAGES.filter((page) => !page.startsWith("docs/internals/") && !GENERATED.includes(page));
  // A word has a letter or a digit.
  const words = users.flatMap((page) =>
    readPage(page)
      .split(/\s+/)
      .filter((word) => /[\p{L}\p{N}]/u.test(word)),
  );
  expect(words.length).toBeLessThanOrEqual(34_000);
});
