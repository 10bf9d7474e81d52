/** Runs all torture scenarios in sequence and prints a table of results. */
import { availableParallelism } from "node:os";
import { FULL, type Named, SHORT, SHORT_BUILT } from "./scenarios.ts";
import { runTrial, type Trial } from "./trial.ts";

/** The options of a run. */
export interface Torture {
  /** The seed of all choices; each scenario derives its own. */
  readonly seed: number;
  /** Part of the names of the scenarios to run; "" runs all. */
  readonly only: string;
  /** Whether to use the sizes of `npm run test:all`. */
  readonly short: boolean;
}

const figuresOf = ({ figures }: Trial): string =>
  [...figures]
    .map(([what, value]) => `${typeof value === "number" ? value.toLocaleString("en") : value} ${what}`)
    .join(", ");

const row = ({ name }: Named, trial: Trial, seconds: number): string =>
  `| ${name} | ${figuresOf(trial)} | ${trial.failed} | ${seconds.toFixed(0)} s |`;

/** Runs them. @returns whether all promises were kept. */
export const torture = async ({ seed, only, short }: Torture): Promise<boolean> => {
  const scenarios = (short ? [...SHORT, ...SHORT_BUILT] : FULL).filter(({ name }) => name.includes(only));
  console.log(
    `seed ${seed}; Node ${process.versions.node}, ${process.platform}, ${availableParallelism()} cores; ${new Date().toISOString()}`,
  );
  const rows: string[] = [];
  let failed = 0;
  for (const one of scenarios) {
    const start = performance.now();
    // Derived from its name, so that it makes the same choices when run alone.
    const own = [...one.name].reduce((sum, letter) => (Math.imul(sum, 31) + (letter.codePointAt(0) ?? 0)) | 0, seed);
    const trial = await runTrial(one.scenario, own);
    rows.push(row(one, trial, (performance.now() - start) / 1_000));
    failed += trial.failed;
    console.log(`${trial.failed === 0 ? "ok    " : "FAILED"} ${one.name}: ${figuresOf(trial)}`);
    for (const failure of trial.failures) console.log(`       ${failure}`);
  }
  console.log(["", "| scenario | what ran | failures | took |", "| --- | --- | ---: | ---: |", ...rows, ""].join("\n"));
  console.log(failed === 0 ? "nothing was lost" : `${failed} failures; --seed ${seed} repeats the choices`);
  return scenarios.length > 0 && failed === 0;
};
