/** `start --watch` reads a file only after it has stayed unchanged for two looks. Time is fake here. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { clockReading, REAL_CLOCK } from "#domain/clock.ts";
import { createRandom } from "#server/boot/random.ts";
import { FixtureWatch } from "#server/boot/watch-fixtures.ts";
import { newDir, open } from "#test/store/support.ts";

const EVERY_MS = 200;
const log: string[] = [];
let watch: FixtureWatch;
let file = "";

const save = (...names: string[]): void =>
  writeFileSync(
    file,
    JSON.stringify({ apps: [{ appId: "a", profiles: names.map((name) => ({ phone: "+12025550100", name })) }] }),
  );
/** How many looks the watch has set a timer for. Others, such as the store's, have delays of their own. */
const looks = (): number => vi.mocked(setTimeout).mock.calls.filter(([, ms]) => ms === EVERY_MS).length;
/** The watch looks once, and sets the timer for its next look. */
const look = async (): Promise<void> => {
  const before = looks();
  vi.advanceTimersByTime(EVERY_MS);
  await expect.poll(looks).toBe(before + 1);
};

beforeEach(async () => {
  file = join(newDir(), "world.json");
  log.length = 0;
  save("Ada");
  watch = await FixtureWatch.begin([file]);
  const store = await open(newDir());
  vi.useFakeTimers({ toFake: ["setTimeout"] });
  vi.spyOn(globalThis, "setTimeout");
  const retention = { passcodes: 1_000, sessions: 1_000, requests: 1_000 };
  watch.run({
    store,
    env: {
      ...createRandom(),
      now: () => clockReading(REAL_CLOCK, 1_763_650_000_000),
      retention,
      urls: { admin: "", auth: "" },
      request: { id: null, device: null },
    },
    log: (line) => log.push(line),
    maySet: () => true,
  });
  await expect.poll(looks).toBe(1);
});
afterEach(() => {
  watch.stop();
  // First, or the spy would put the fake timer back in the next file of this worker.
  vi.restoreAllMocks();
  vi.useRealTimers();
});

test("a file is not read while it is still being written", async () => {
  for (const name of ["Bo", "Cleo", "Dorothea"]) {
    save(name);
    await look();
    expect(log).toEqual([]);
  }
  await look();
  expect(log).toEqual(["Fixtures reloaded: 1 change", "  a: changed +12025550100 (name)"]);
  await look();
  expect(log).toHaveLength(2);
});
