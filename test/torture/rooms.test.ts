/**
 * The scenarios of `npm run torture` that need no build, at a small size. The seed is fixed; the torture draws new ones.
 */
import { expect, test } from "vitest";
import { SHORT } from "./scenarios.ts";
import { runTrial } from "./trial.ts";

test.each(SHORT)(
  "torture, small: $name",
  async ({ scenario }) => {
    const { failures } = await runTrial(scenario, 20_261_121);
    expect(failures).toEqual([]);
  },
  60_000,
);
