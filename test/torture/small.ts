/** The scenarios of `npm run torture` at a small size, as tests. The seed is fixed; the torture draws new ones. */
import { expect, test } from "vitest";
import type { SHORT } from "./scenarios.ts";
import { runTrial } from "./trial.ts";

/** Makes each a test. */
export const testSmall = (scenarios: typeof SHORT): void =>
  test.each(scenarios)("torture, small: $name", async ({ scenario }) => {
    const { failures } = await runTrial(scenario, 20_261_121);
    expect(failures).toEqual([]);
  });
