/**
 * How often a random test runs: a fifth of its runs in `npm test`, all of them in `npm run test:all` and when the file is
 * named. `STAGEDOOR_TEST_RUNS=all` asks for all in any case, as CI does.
 *
 * @param all the runs that the test is worth.
 * @returns the runs to make.
 */
export const runs = (all: number): number => {
  const { STAGEDOOR_TEST_TIER: tier, STAGEDOOR_TEST_RUNS: asked } = process.env;
  return tier === "quick" && asked !== "all" ? Math.ceil(all / 5) : all;
};
