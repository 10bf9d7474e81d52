/** The fenced blocks of README.md and docs, and what becomes of each: a test runs or checks it, or the page says why none does. */
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const CHECKOUT = new URL("../../", import.meta.url);

/** A fenced block of a page. */
export interface Block {
  /** Relative to the checkout. */
  readonly page: string;
  /** Of its fence, from 1. */
  readonly line: number;
  readonly language: string;
  /** Without the indentation of its list item. */
  readonly text: string;
  /** The HTML comment right above it. */
  readonly comment: string;
}

/** @param path relative to the checkout. @returns its text. */
export const readPage = (path: string): string => readFileSync(new URL(path, CHECKOUT), "utf8");

/** Every page, relative to the checkout. */
export const PAGES: readonly string[] = [
  "README.md",
  ...readdirSync(fileURLToPath(new URL("docs", CHECKOUT)), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md"))
    .map((name) => `docs/${name.replaceAll("\\", "/")}`)
    .sort(),
];

/** @param text of a page. @returns how many words it has outside code blocks; a word has a letter or a digit. */
export const wordsOf = (text: string): number =>
  text
    .replaceAll(/^( *)```[\s\S]*?^\1```$/gm, "")
    .replaceAll(/<!--.*?-->/gs, "")
    .split(/\s+/)
    .filter((word) => /[\p{L}\p{N}]/u.test(word)).length;

const FENCE = /(?:^ *<!-- ([^\n]*) -->\n\s*)?^( *)```(\w*)\n([\s\S]*?)^\2```$/gm;

/** @returns the blocks of a page, in order. */
export const blocksOf = (page: string, markdown = readPage(page)): Block[] =>
  [...markdown.matchAll(FENCE)].map(
    ({ 0: all, index, 1: comment = "", 2: indent = "", 3: language = "", 4: text = "" }) => ({
      page,
      line: markdown.slice(0, index + all.indexOf("```")).split("\n").length,
      language,
      text: text.replaceAll(new RegExp(`^${indent}`, "gm"), "").trimEnd(),
      comment,
    }),
  );

/** @returns why no test runs the block; undefined if one must. */
export const notRun = ({ comment }: Block): string | undefined => /^not run: (.+)$/.exec(comment)?.[1];

/** @returns the name of the file that the block holds, from the comment in its first line. */
export const fileName = ({ text }: Block): string | undefined =>
  /^(?:\/\/|#|<!--) ([\w./-]+\.\w+)(?: -->)?\n/.exec(text)?.[1];
