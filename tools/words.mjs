/**
 * `node tools/words.mjs`: counts the words of the pages that users read, tables and code included. A word is what stands
 * between spaces and has a letter or a digit. Not counted: generated reference, and docs/internals.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { argv } from "node:process";
import { pathToFileURL } from "node:url";
import { ROOT } from "./build.mjs";

/** Reference that `npm run docs` writes as a whole. */
export const GENERATED = ["docs/command-line.md", "docs/control-api.md", "docs/settings.md"];

/** @param {string} text */
const wordsIn = (text) => text.split(/\s+/).filter((piece) => /[\p{L}\p{N}]/u.test(piece)).length;

/** @returns {{ page: string, words: number }[]} the users' pages, the longest first */
export const usersPages = () =>
  readdirSync(join(ROOT, "docs"), { recursive: true, encoding: "utf8" })
    .map((name) => `docs/${name.replaceAll("\\", "/")}`)
    .filter((page) => page.endsWith(".md") && !page.startsWith("docs/internals/") && !GENERATED.includes(page))
    .concat("README.md")
    .map((page) => ({ page, words: wordsIn(readFileSync(join(ROOT, page), "utf8")) }))
    .sort((a, b) => b.words - a.words);

if (import.meta.url === pathToFileURL(argv[1] ?? "").href) {
  const pages = usersPages();
  for (const { page, words } of pages) console.log(`${String(words).padStart(6)}  ${page}`);
  console.log(`${String(pages.reduce((sum, { words }) => sum + words, 0)).padStart(6)}  in ${pages.length} pages`);
}
