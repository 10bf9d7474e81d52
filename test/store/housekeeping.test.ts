import { describe, expect, test } from "vitest";
import { Housekeeping } from "#store/housekeeping.ts";
import { HandTime } from "#test/torture/hand-time.ts";

const MB = 1024 * 1024;
const MINUTE = 60_000;

/** Housekeeping over a journal and a document file of these sizes, in bytes. */
const keepHouse = (journal: number, document: number) => {
  const time = new HandTime();
  const sizes = { journal, document };
  const done = { writes: 0 };
  const house = new Housekeeping({
    later: time.later,
    sizes: () => sizes,
    isClean: () => sizes.journal === 0,
    isStuck: () => false,
    write: async () => {
      done.writes++;
      sizes.journal = 0;
    },
    durable: () => undefined,
  });
  return { time, sizes, done, house };
};

describe("the document file is written", () => {
  test.each([
    ["4 MB, after any change", 1, 4 * MB, 1],
    ["more than 4 MB, for an eighth of it", MB, 8 * MB, 1],
    ["more than 4 MB, not for less than an eighth", MB - 1, 8 * MB, 0],
    ["nothing changed", 0, MB, 0],
  ])("in a quiet minute: %s", async (_, journal, document, writes) => {
    const { time, done, house } = keepHouse(journal, document);
    house.changed();
    // One minute to see that something has changed, one in which nothing does.
    await time.pass(2 * MINUTE);
    expect(done.writes).toBe(writes);
    house.stop();
  });

  test.each([
    ["not before the journal has 1 MB", MB, 0, 0],
    ["when the journal has more than 1 MB", MB + 1, 0, 1],
    ["not before the journal is larger than the file", 3 * MB, 3 * MB, 0],
    ["when the journal is larger than the file", 3 * MB + 1, 3 * MB, 1],
  ])("while changes come: %s", async (_, journal, document, writes) => {
    const { time, done, house } = keepHouse(journal, document);
    house.changed();
    await time.pass(0);
    expect(done.writes).toBe(writes);
    house.stop();
  });
});
