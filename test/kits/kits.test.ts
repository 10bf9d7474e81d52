/** The lists of kits hold together where the compiler cannot see it. */
import { expect, test } from "vitest";
import { kits } from "#features/parts.ts";
import { KIT_PAGES, KIT_SCREENS } from "#features/screens.ts";
import { UI_KITS } from "../../src-renderer/kits/manifests.ts";

test("each screen and page of a kit has words and an icon in the UI", () => {
  const words = UI_KITS.flatMap(({ screens = {} }) => Object.keys(screens));
  expect(words.toSorted()).toEqual([...KIT_SCREENS.map(({ name }) => name), ...KIT_PAGES].toSorted());
});

test("no two kits have the same row, event, schema or screen", () => {
  const names = kits().flatMap(([, { routes = {}, events = {}, schemas = {}, types = {} }]) =>
    [routes, events, schemas]
      .flatMap((table, at) => Object.keys(table).map((name) => `${at} ${name}`))
      .concat(Object.keys(types).map((name) => `type ${name}`)),
  );
  expect(names).toEqual([...new Set(names)]);
});
