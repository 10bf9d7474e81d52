/** A rewind that is killed. */
import { expect, test } from "vitest";
import { until, useDriver } from "#test/store/child.ts";
import { SEEDED } from "#test/store/driver-world.ts";
import { uuid } from "#test/store/records.ts";
import { abandon, newDir, open } from "#test/store/support.ts";

const start = useDriver("test/features/history/rewind/thorough/driver.ts");

test("kill -9 in the middle of a rewind leaves all of it or nothing, and none that was acknowledged is lost", async () => {
  const dir = newDir();
  for (let round = 0; round < 8; round += 1) {
    const { child, said, ended } = start("rewind", dir);
    const rewinds = () => said().filter((line) => line.includes("rewinds")).length;
    await until(() => rewinds() > round % 3);
    await new Promise((resolve) => setTimeout(resolve, round * 3));
    child.kill("SIGKILL");
    expect(await ended).toBe("SIGKILL");
    const lines = said().map((line): number | { next: number } => JSON.parse(line));
    const store = await open(abandon(dir));
    const { profiles = [] } = store.world.app("app") ?? {};
    const last = lines.at(-1) ?? 0;
    const acknowledged = lines.findLast((line) => typeof line === "number") ?? SEEDED;
    // All of what the kill interrupted, or nothing.
    expect([acknowledged, ...(typeof last === "number" ? [] : [last.next])]).toContain(profiles.length);
    expect(profiles.every(({ userId }, place) => userId === uuid(place + 1))).toBe(true);
    await store.close();
  }
});
