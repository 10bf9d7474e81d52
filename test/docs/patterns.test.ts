/**
 * The handwritten pages and the texts of the program have none of the habits of patterns.ts, but where they stay on
 * purpose. Not read: generated reference, whose texts are those of the program.
 */
import { describe, expect, test } from "vitest";
import { PAGES, readPage, wordsOf } from "./blocks.ts";
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

test.each(PAGES.filter((page) => page !== "README.md"))("%s begins with what one does", (page) => {
  const [, first = ""] = /^# .+\n\n(.+)/m.exec(readPage(page)) ?? [];
  expect(first).not.toMatch(/^(?:With|After|From|On) this (?:page|recipe)\b/);
});

/** Pages for those who change Stagedoor, and write about it. */
const CONTRIBUTORS = ["docs/architecture.md", "docs/glossary.md"];
const users = PAGES.filter(
  (page) => !page.startsWith("docs/internals/") && ![...GENERATED, ...CONTRIBUTORS].includes(page),
);
/** Words outside code, without the tables between marks, which come from the contract or are held to it. */
const wordsToRead = (page: string): number =>
  wordsOf(readPage(page).replaceAll(/<!-- (\w+) -->[\s\S]*?<!-- \/?\1 -->/g, ""));

test("users' pages have at most 18,000 words to read", () => {
  expect(users.reduce((sum, page) => sum + wordsToRead(page), 0)).toBeLessThanOrEqual(18_000);
});

test.each(users)("%s has at most 1,500", (page) => {
  expect(wordsToRead(page)).toBeLessThanOrEqual(1_500);
});
