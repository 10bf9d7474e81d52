import { readFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { generatedFiles } from "../../tools/documents/documents.ts";

/** A text without its layout: the formatter pads tables, re-indents JSON, and puts a `|` before the first of a union. */
const said = (path: string, text: string): string =>
  path.endsWith(".json")
    ? JSON.stringify(JSON.parse(text))
    : text
        .replace(/-{3,}/g, "---")
        .replace(/\n +\| /g, " | ")
        .replace(/: +\| /g, ": ")
        .replace(/ +/g, " ");

describe("generated files are current (else: npm run docs)", () => {
  test.each(generatedFiles().map((file) => [file.path, file] as const))("%s", async (path, { text }) => {
    const stored = await readFile(new URL(`../../${path}`, import.meta.url), "utf8");
    expect(said(path, stored)).toBe(said(path, text));
  });
});
