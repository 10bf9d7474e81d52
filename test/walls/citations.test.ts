/** Whatever a comment or a test cites is in the repository: a decision, a section of the service, a page. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const read = (file: string): string => readFileSync(join(ROOT, file), "utf8");

const decisions = new Set([...read("docs/fidelity.md").matchAll(/<a id="d(\d+)">/g)].map(([, number]) => number));

/** The service's sections: `4.2` of a title, and `4.2.2` for the second entry of its list. */
const sections = new Set<string>();
let section = "";
for (const line of read("docs/internals/service.md").split("\n")) {
  section = /^#{2,3} ([\d.]*\d)/.exec(line)?.[1] ?? section;
  const entry = /^(\d+)\. /.exec(line)?.[1];
  sections.add(entry === undefined ? section : `${section}.${entry}`);
}

/** @returns what a text cites that is not there, and what only those had who wrote it. */
const lost = (text: string): readonly string[] => [
  ...[...text.matchAll(/(?<![\w#"'`.-])D(\d{1,2})\b(?!["'`-])/g)]
    .filter(([, number]) => !decisions.has(number))
    .map(([cited]) => cited),
  ...[...text.matchAll(/service\.md (\d[\d.]*\d|\d)/g)]
    .filter(([, number = ""]) => !sections.has(number))
    .map(([cited]) => cited),
  ...[...text.matchAll(/(?<=(?:\/\/|\*).*)(?<![\w./-])docs\/[\w/-]+\.md\b/g)]
    .map(([cited]) => cited)
    .filter((file) => !existsSync(join(ROOT, file))),
  ...[...text.matchAll(/\b(?:CONTRACT|SPEC|HOUSE|FINDINGS) [0-9A-Z]+/g)].map(([cited]) => cited),
];

test.each([
  ["D24, and D12 to D14; service.md 4.2.2 // and docs/fidelity.md", []],
  ["D99 says so", ["D99"]],
  ["service.md 4.2.9 or service.md 10", ["service.md 4.2.9", "service.md 10"]],
  ["// see docs/nowhere.md", ["docs/nowhere.md"]],
  [`${"CONTRACT"} 30 and ${"SPEC"} 4.2`, ["CONTRACT 30", "SPEC 4"]],
])("%s", (text, expected) => {
  expect(lost(text)).toEqual(expected);
});

test("no citation leads nowhere", () => {
  const folders = readdirSync(ROOT).filter((name) => /^(src-\w+|test|tools)$/.test(name));
  const files = folders.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
      .filter((name) => /\.(ts|tsx|mjs|css)$/.test(name) && !name.endsWith("citations.test.ts"))
      .map((name) => `${folder}/${name.replaceAll("\\", "/")}`),
  );
  expect(files.flatMap((file) => lost(read(file)).map((cited) => `${file}: ${cited}`))).toEqual([]);
});
