/** Random changes, stops, crashes and document writes against a plain model of the state: lists and loops, no index. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { Changes } from "#domain/decision.ts";
import type { World } from "#domain/world.ts";
import { runs } from "#test/support/runs.ts";
import { hastyFiles } from "./faulty-files.ts";
import { checkLookUps } from "./look-ups.ts";
import { contents } from "./records.ts";
import { collect, step } from "./steps.ts";
import { abandon, newDir, open } from "./support.ts";

test("after random changes, stops, crashes and document writes the state equals a plain model", async () => {
  const ending = fc.constantFrom("stop", "crash", "write", "nothing" as const);
  const days = fc.array(fc.record({ steps: fc.array(step, { maxLength: 30 }), ending }), {
    minLength: 1,
    maxLength: 6,
  });
  await fc.assert(
    fc.asyncProperty(days, async (plan) => {
      let store = await open(newDir(), { files: hastyFiles });
      for (const day of plan) {
        for (const one of day.steps) {
          const rule = (world: World) => {
            const changes = new Changes(world);
            collect(world, one, changes);
            return changes.decided(null);
          };
          expect(store.transact(rule).ok).toBe(true);
        }
        checkLookUps(store.world);
        const before = contents(store.world);
        const dir = store.dataDir ?? "";
        if (day.ending === "write") await store.writeDocument();
        if (day.ending === "stop") await store.close();
        if (day.ending === "crash") store = await open(abandon(dir), { files: hastyFiles });
        if (day.ending === "stop") store = await open(dir, { files: hastyFiles });
        expect(contents(store.world)).toEqual(before);
      }
      checkLookUps((await open(abandon(store.dataDir ?? ""), { files: hastyFiles })).world);
    }),
    { numRuns: runs(40) },
  );
});
