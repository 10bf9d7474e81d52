/**
 * Length and repetition of a run: `STAGEDOOR_FUZZ_RUNS` sets the requests per property; a failure prints
 * `STAGEDOOR_FUZZ_SEED` and `STAGEDOOR_FUZZ_PATH`, for `vitest run -t` with the title of its test.
 */
import fc from "fast-check";
import type { Finding } from "./checks.ts";

const { STAGEDOOR_FUZZ_RUNS: runs, STAGEDOOR_FUZZ_SEED: seed, STAGEDOOR_FUZZ_PATH: path } = process.env;

/** Requests per property. */
const RUNS = Number(runs ?? 15);
/** Constant in short runs, random in long ones. */
export const SEED_OF_RUN = Number(seed ?? (runs === undefined ? 20_261_120 : Date.now() % 2 ** 31));
/** Time limit for the tests of a group. */
export const TIMEOUT_MS = 60_000 + RUNS * 100;

/**
 * Runs `check` on many values.
 * @throws Error with the smallest failing value, the finding, and the seed and path that repeat it.
 */
export const fuzz = async <T>(
  values: fc.Arbitrary<T>,
  check: (value: T) => Promise<readonly Finding[]>,
  show: (value: T) => string,
  numRuns = RUNS,
): Promise<void> => {
  const property = fc.asyncProperty(values, async (value) => {
    const faults = await check(value);
    if (faults.length > 0) throw new Error(faults.map(({ check: name, text }) => `${name}: ${text}`).join("\n"));
  });
  const details = await fc.check(property, { numRuns, seed: SEED_OF_RUN, ...(path === undefined ? {} : { path }) });
  if (!details.failed) return;
  const [value] = details.counterexample ?? [];
  const reason = details.errorInstance instanceof Error ? details.errorInstance.message : "";
  throw new Error(
    [
      reason,
      value === undefined ? "" : show(value),
      `again: STAGEDOOR_FUZZ_SEED=${details.seed} STAGEDOOR_FUZZ_PATH=${details.counterexamplePath}`,
    ].join("\n"),
  );
};
