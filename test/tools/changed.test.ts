/** `npm test -- --changed` finds tests for each room: its table names folders by hand. */
import { expect, test } from "vitest";
import { testsOf } from "../../tools/changed.mjs";
import { testFiles } from "../../tools/test-projects.mjs";
import { ROOMS } from "../walls/rules.ts";
import { roomOf } from "../walls/walls.ts";

const tests: readonly string[] = testFiles();

test.each(ROOMS.map(({ name }) => [name]))("the tests of %s are where they are said to be", (name) => {
  // No room stands on this one but itself.
  const room = { name, folder: "src-x/", rooms: [], packages: [], node: true };
  const { places } = testsOf("src-x/a.ts", { ROOMS: [], roomOf: () => room });
  for (const place of places)
    expect(
      tests.filter((path) => path.startsWith(place)),
      place,
    ).not.toEqual([]);
});

test("a file is followed by what stands on its room", () => {
  const { rooms } = testsOf("src-server/domain/sessions.ts", { ROOMS, roomOf });
  expect(rooms).toEqual(expect.arrayContaining(["domain", "store", "http", "features", "server"]));
  expect(rooms).not.toContain("tokens");
});
