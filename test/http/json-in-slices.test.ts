/** The text of large answers, such as an export, which is made piece by piece. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { jsonInSlices } from "#http/answering/slices.ts";

test("is that of JSON.stringify, whatever the value and however much of it is a piece", async () => {
  const values = fc.oneof(fc.object({ maxDepth: 4, withNullPrototype: false }), fc.array(fc.object({ maxDepth: 3 })));
  await fc.assert(
    fc.asyncProperty(values, fc.nat(5), async (value, levels) => {
      let now = 0;
      // Each look at the clock is 3 ms later, so every second piece is followed by a pause.
      const bytes = await jsonInSlices(value, levels, () => {
        now += 3;
        return now;
      });
      expect(bytes.toString()).toBe(JSON.stringify(value));
    }),
    { numRuns: 200 },
  );
});
