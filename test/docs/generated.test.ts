import { readFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { generatedFiles } from "../../tools/documents/documents.ts";

describe("what is made from the sources is current (else: npm run docs)", () => {
  test.each(generatedFiles().map((file) => [file.path, file] as const))("%s", async (path, { text }) => {
    const stored = await readFile(new URL(`../../${path}`, import.meta.url), "utf8");
    // The formatter lays JSON out anew, so that only what it says counts.
    if (path.endsWith(".json")) expect(JSON.stringify(JSON.parse(stored))).toBe(JSON.stringify(JSON.parse(text)));
    else expect(stored).toBe(text);
  });
});
