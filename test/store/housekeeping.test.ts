import { describe, expect, test } from "vitest";
import { Housekeeping } from "#store/housekeeping.ts";
import { HandTime } from "#test/torture/hand-time.ts";

const MB = 1024 * 1024;
const MINUTE = 60_000;

/** Housekeeping for a journal and a document file of these sizes, in bytes. */
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

describe("the document file", () => {
  test.each([
    ["written after any change if it has up to 4 MB", 1, 4 * MB, 1],
    ["written after an eighth of it changed if it has more than 4 MB", MB, 8 * MB, 1],
    ["not written if less than an eighth of it changed", MB - 1, 8 * MB, 0],
    ["not written without changes", 0, MB, 0],
  ])("in an idle minute is %s", async (_, journal, document, writes) => {
    const { time, done, house } = keepHouse(journal, document);
    house.changed();
    // The first minute notices the change, the second is idle.
    await time.pass(2 * MINUTE);
    expect(done.writes).toBe(writes);
    house.stop();
  });

  test("is tried every 2 seconds after a failed sync, while no changes are accepted", async () => {
    const time = new HandTime();
    const failing = { isStuck: true, writes: 0 };
    const house = new Housekeeping({
      later: time.later,
      sizes: () => ({ journal: 1, document: 1 }),
      isClean: () => !failing.isStuck,
      isStuck: () => failing.isStuck,
      write: async () => {
        failing.writes++;
        if (failing.writes < 3) throw new Error("not yet");
        failing.isStuck = false;
      },
      durable: () => Promise.reject(new Error("EIO")),
    });
    house.changed();
    await time.pass(500);
    for (const writes of [1, 2, 3, 3]) {
      await time.pass(2_000);
      expect(failing.writes).toBe(writes);
    }
    house.stop();
  });

  test("after a failed write under load is not tried again until the journal has doubled", async () => {
    const time = new HandTime();
    const sizes = { journal: 2 * MB, document: 0 };
    let writes = 0;
    const house = new Housekeeping({
      later: time.later,
      sizes: () => sizes,
      isClean: () => false,
      isStuck: () => false,
      write: async () => {
        writes++;
        throw new Error("ENOSPC");
      },
      durable: () => undefined,
    });
    for (const [journal, tried] of [
      [2 * MB, 1],
      [2 * MB + 1, 1],
      [4 * MB, 1],
      [4 * MB + 1, 2],
    ] as const) {
      sizes.journal = journal;
      house.changed();
      await time.pass(0);
      expect(writes).toBe(tried);
    }
    house.stop();
  });

  test.each([
    ["not written up to 1 MB of journal", MB, 0, 0],
    ["written above 1 MB of journal", MB + 1, 0, 1],
    ["not written until the journal is larger than the file", 3 * MB, 3 * MB, 0],
    ["written once the journal is larger than the file", 3 * MB + 1, 3 * MB, 1],
  ])("under load is %s", async (_, journal, document, writes) => {
    const { time, done, house } = keepHouse(journal, document);
    house.changed();
    await time.pass(0);
    expect(done.writes).toBe(writes);
    house.stop();
  });
});
