/** Everything people read uses the words of docs/glossary.md: pages, console, command line, control API and agents. */
import { readdir, readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const GLOSSARY = "docs/glossary.md";

/** The prose of a page: without blocks, code and links' targets. */
const prose = (page: string): string[] => [
  page
    .replaceAll(/^```.*?^```/gms, "")
    .replaceAll(/<!--.*?-->/gs, "")
    .replaceAll(/`[^`\n]*`/g, "")
    .replaceAll(/\]\([^)]*\)/g, "]"),
];

/** The texts of a source: its literals, and what stands between tags. Comments are for developers. */
const texts = (source: string): string[] => {
  const code = source.replaceAll(/\/\*.*?\*\//gs, "").replaceAll(/^\s*\/\/.*$/gm, "");
  const found = code.matchAll(/"((?:\\.|[^"\\\n])*)"|`((?:\\.|[^`\\])*)`|>([^<>{}=;]+)</g);
  return [...found].map(([, quoted, template, between]) => quoted ?? template ?? between ?? "");
};

const filesIn = async (folder: string, ending: RegExp): Promise<string[]> =>
  (await readdir(ROOT + folder, { recursive: true }))
    .filter((name) => ending.test(name))
    .map((name) => `${folder}/${name.replaceAll("\\", "/")}`);

const rows = (await readFile(ROOT + GLOSSARY, "utf8")).split("\n").filter((line) => line.startsWith("| "));
/** @returns what is not to be said, and what is. */
const words = rows.flatMap((row) => {
  const [, say = "", , not = ""] = row.split("|");
  return [...not.matchAll(/`([^`]+)`/g)].map(([, phrase = ""]) => ({ phrase, say: say.trim() }));
});

const wrongIn = async (files: readonly string[], read: (text: string) => string[]): Promise<string[]> => {
  const found: string[] = [];
  for (const file of files) {
    const said = read(await readFile(ROOT + file, "utf8")).join(" · ");
    for (const { phrase, say } of words)
      if (new RegExp(`\\b${phrase.replaceAll(" ", "\\s+")}\\b`, "i").test(said))
        found.push(`${file}: not "${phrase}" but "${say}"`);
  }
  return found;
};

test("the glossary has words and what to say instead of others, each once", () => {
  const phrases = words.map(({ phrase }) => phrase);
  expect(phrases.length).toBeGreaterThan(30);
  expect(new Set(phrases).size).toBe(phrases.length);
});

test("the pages use the words of the glossary", async () => {
  const pages = ["README.md", ...(await filesIn("docs", /\.md$/))].filter((page) => page !== GLOSSARY);
  expect(pages.length).toBeGreaterThan(20);
  expect(await wrongIn(pages, prose)).toEqual([]);
});

test.for([
  ["console", "src-renderer", /\.tsx?$/],
  ["control API", "src-server/contract", /\.ts$/],
  ["command line", "src-server/commands", /\.ts$/],
  ["programs and the tools for agents", "src-programs", /\.ts$/],
  ["demo app", "src-demo", /\.ts$/],
] as const)("the %s uses the words of the glossary", async ([, folder, ending]) => {
  const files = await filesIn(folder, ending);
  expect(files.length).toBeGreaterThan(3);
  expect(await wrongIn(files, texts)).toEqual([]);
});
