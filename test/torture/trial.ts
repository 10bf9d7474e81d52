/** What a scenario gets: randomness, temporary directories, and a record of figures and failures. */
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { Chance } from "./chance.ts";

/** The number of failures reported individually; the rest are counted. */
const TOLD = 20;

/** One run of a scenario. */
export class Trial {
  readonly chance: Chance;
  /** Counts and sums, in the scenario's words. */
  readonly figures = new Map<string, number | string>();
  /** Broken promises, with everything needed to reproduce them. */
  readonly failures: string[] = [];
  /** Number of failures, including those not reported individually. */
  failed = 0;
  readonly #dirs: string[] = [];
  readonly #ends: (() => unknown)[] = [];

  /** @param seed of all choices. */
  constructor(seed: number) {
    this.chance = new Chance(seed);
  }

  /** Adds to a figure. */
  count(figure: string, by = 1): void {
    this.figures.set(figure, Number(this.figures.get(figure) ?? 0) + by);
  }

  /** Records the maximum of a figure. */
  most(figure: string, value: number): void {
    this.figures.set(figure, Math.max(Number(this.figures.get(figure) ?? 0), value));
  }

  /** Records a failure unless the condition holds. @returns the condition. */
  check(isSo: boolean, what: string): boolean {
    if (isSo) return true;
    this.failed += 1;
    if (this.failures.length < TOLD) this.failures.push(what);
    return false;
  }

  /** Compares two values as JSON, and records where they differ. */
  same(found: unknown, expected: unknown, what: string): boolean {
    const [one = "", two = ""] = [JSON.stringify(found), JSON.stringify(expected)];
    if (one === two) return true;
    let at = 0;
    while (one[at] === two[at]) at += 1;
    const around = (text: string): string => text.slice(Math.max(0, at - 60), at + 100);
    return this.check(false, `${what}: found …${around(one)}… where …${around(two)}… should be`);
  }

  /** @returns a new empty directory, removed by `end`. */
  newDir(): string {
    const dir = realpathSync(mkdtempSync(path.join(tmpdir(), "stagedoor-torture-")));
    this.#dirs.push(dir);
    return dir;
  }

  /** Runs an action at the end, latest first, whatever the result. */
  atEnd(action: () => unknown): void {
    this.#ends.push(action);
  }

  /** Cleans up. */
  async end(): Promise<void> {
    for (const action of this.#ends.splice(0).reverse()) await action();
    for (const dir of this.#dirs.splice(0)) rmSync(dir, { recursive: true, force: true });
  }
}

/** A scenario of a given size. It records failures; whatever it throws is one too. */
export type Scenario = (trial: Trial) => Promise<void>;

/** Runs a scenario to its end, whatever happens. @param seed of all its choices. */
export const runTrial = async (scenario: Scenario, seed: number): Promise<Trial> => {
  const trial = new Trial(seed);
  try {
    await scenario(trial);
  } catch (error) {
    trial.check(false, error instanceof Error ? (error.stack ?? error.message) : String(error));
  } finally {
    await trial.end();
  }
  return trial;
};
