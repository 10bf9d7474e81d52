/**
 * docs/internals/changes.md describes six changes. Each begins with one edit, after which the compiler names every other
 * place: this test makes these edits in a copy, and compares the compiler's errors with the lists on the page.
 */
import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
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

test("after the first edits the compiler names exactly the places on the page", { timeout: 300_000 }, async () => {
  // All at once: the compiler reads nearly everything each time.
  for (const { edit } of changes) await copy.apply(edit);
  const places = new Set(changes.flatMap((change) => change.places));
  expect(await copy.filesWithErrors()).toEqual([...places].sort());
});
