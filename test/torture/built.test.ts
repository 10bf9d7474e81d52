/**
 * The scenarios of `npm run torture` that run the built server, at a small size.
 */
import { expect, test } from "vitest";
import { SHORT_BUILT } from "./scenarios.ts";
import { runTrial } from "./trial.ts";

test.each(SHORT_BUILT)(
  "torture, small: $name",
  async ({ scenario }) => {
    const { failures } = await runTrial(scenario, 20_261_121);
    expect(failures).toEqual([]);
  },
  60_000,
);
