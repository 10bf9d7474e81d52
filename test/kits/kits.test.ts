/** The lists of kits hold together where the compiler cannot see it. */
import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { kits } from "#kits/parts.ts";
import { KIT_PAGES, KIT_SCREENS } from "#kits/screens.ts";
import { UI_KITS } from "../../src-renderer/kits/manifests.ts";

const CHECKOUT = new URL("../..", import.meta.url);

test("the list of the server is the list of its folders", () => {
  const folders = readdirSync(fileURLToPath(new URL("src-server/kits", CHECKOUT)), { withFileTypes: true });
  const names = folders.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  expect(
    kits()
      .map(([name]) => name)
      .toSorted(),
  ).toEqual(names.toSorted());
});

test("each screen and page of a kit has words and an icon in the UI", () => {
  const words = UI_KITS.flatMap(({ screens = {} }) => Object.keys(screens));
  expect(words.toSorted()).toEqual([...KIT_SCREENS.map(({ name }) => name), ...KIT_PAGES].toSorted());
});

test("no two kits have the same row, event, schema or screen, and each needs kits of the list", () => {
  const names = kits().flatMap(([, { routes = {}, events = {}, schemas = {}, types = {} }]) =>
    [routes, events, schemas]
      .flatMap((table, at) => Object.keys(table).map((name) => `${at} ${name}`))
      .concat(Object.keys(types).map((name) => `type ${name}`)),
  );
  expect(names).toEqual([...new Set(names)]);
  const known: readonly string[] = kits().map(([name]) => name);
  for (const [name, { needs = [] }] of kits()) for (const one of needs) expect(known, name).toContain(one);
});
