/**
 * docs/internals/changes.md describes six changes. Each begins with one edit, after which the compiler names every other
 * place: this test makes that edit in a copy, and compares the compiler's errors with the list on the page.
 */
import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Copy, copySources } from "./copy.ts";

const page = await readFile(new URL("../../docs/internals/changes.md", import.meta.url), "utf8");

const changes = page
  .split(/^## /m)
  .slice(1)
  .map((part) => {
    const [title = "", ...lines] = part.split("\n");
    const text = lines.join("\n");
    const [, edit = ""] = /^```diff\n([\s\S]*?)^```$/m.exec(text) ?? [];
    const [, list = ""] = /^The compiler then names:\n([\s\S]*?)(?:^(?=[A-Z#])|$(?![\s\S]))/m.exec(text) ?? [];
    const places = [...list.matchAll(/^\d+\. `([^`]+)`/gm)].map(([, path = ""]) => path);
    return { title, edit, places };
  });

let copy: Copy;
beforeAll(async () => {
  copy = await copySources();
});
afterAll(() => copy.remove());

test("the page has the six changes", () => {
  expect(changes.map(({ title }) => title)).toEqual([
    "A way to sign in",
    "An attribute of a profile",
    "An effect of a fault",
    "A command",
    "A column in a list",
    "A feature",
  ]);
});

describe("after the first edit the compiler names exactly the places on the page", () => {
  // The compiler reads nearly everything each time, on a machine that has other things to do.
  test.each(changes)("$title", { timeout: 300_000 }, async ({ edit, places }) => {
    await copy.apply(edit);
    try {
      expect(await copy.filesWithErrors()).toEqual(places.toSorted());
    } finally {
      await copy.revert(edit);
    }
  });
});
