import type { Reporter, SerializedError, TestModule } from "vitest/node";

/** Test counts; a file that could not be loaded, or an error outside any test, counts as one failure. */
export interface Tally {
  passed: number;
  failed: number;
  skipped: number;
}

/** @param checks the counts so far from `tools/test.mjs`, as `"<passed> <failed>"`. @returns the initial tally. */
export const startTally = (checks: string | undefined): Tally => {
  const [passed = 0, failed = 0] = (checks ?? "").split(" ").map(Number);
  return { passed, failed, skipped: 0 };
};

/** @returns the last line of a run: `N passed, N failed`, and `, N skipped` if any were. */
export const tallyLine = (tally: Tally): string =>
  `${tally.passed} passed, ${tally.failed} failed${tally.skipped > 0 ? `, ${tally.skipped} skipped` : ""}`;

/** @returns how often a failed test is retried: once in CI, where the tally lists those that then pass. */
export const retries = (): number => (process.env["CI"] === undefined ? 0 : 1);

/** @param names of tests that failed and then passed. @returns the lines that report them; empty if there are none. */
export const secondTryLines = (names: readonly string[]): string[] =>
  names.length === 0
    ? []
    : ["", "Passed only at the second try, a defect to mend:", ...names.map((name) => `  ${name}`), ""];

/**
 * Prints the reasons of skipped tests, the tests that passed only on retry, and as the very last line the tally, in
 * plain text.
 */
export class TallyReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly SerializedError[]): void {
    const tally = startTally(process.env["STAGEDOOR_CHECKS"]);
    const reasons = new Map<string, number>();
    const secondTries: string[] = [];
    tally.failed += errors.length;
    for (const module of modules) {
      tally.failed += module.errors().length;
      for (const suite of module.children.allSuites()) tally.failed += suite.errors().length;
      for (const test of module.children.allTests()) {
        const result = test.result();
        if (test.diagnostic()?.flaky === true) {
          const [error] = result.errors ?? [];
          secondTries.push(`${module.relativeModuleId} > ${test.fullName}: ${error?.message ?? ""}`.trim());
        }
        if (result.state === "passed") tally.passed++;
        else if (result.state === "failed") tally.failed++;
        else {
          tally.skipped++;
          const note = result.state === "skipped" ? result.note : undefined;
          const reason = note ?? `no reason given, in ${module.relativeModuleId}`;
          reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
        }
      }
    }
    for (const [reason, count] of reasons) console.log(`${count} skipped: ${reason}`);
    for (const line of secondTryLines(secondTries)) console.log(line);
    console.log(tallyLine(tally));
  }
}
