import type { Reporter, SerializedError, TestModule } from "vitest/node";
import { type Tally, tallyLine } from "./tally-line.mjs";

/** @returns how often a failed test is retried: once in CI, where the tally lists those that then pass. */
export const retries = (): number => (process.env["CI"] === undefined ? 0 : 1);

/** @param names of tests that failed and then passed. @returns the lines that report them; empty if there are none. */
const secondTryLines = (names: readonly string[]): string[] =>
  names.length === 0
    ? []
    : ["", "Passed only at the second try, a defect to mend:", ...names.map((name) => `  ${name}`), ""];

/** Gives the tally to `tools/test.mjs`, which adds its checks; without it, prints the tally as the last line. */
const report = async (tally: Tally): Promise<void> => {
  if (process.send === undefined) console.log(tallyLine(tally));
  else await new Promise((resolve) => process.send?.({ tally }, undefined, undefined, resolve));
};

/**
 * Reports the reasons of skipped tests, the tests that passed only on retry, and as the very last line the tally, in
 * plain text.
 */
export class TallyReporter implements Reporter {
  async onTestRunEnd(modules: readonly TestModule[], errors: readonly SerializedError[]): Promise<void> {
    const tally: Tally = { passed: 0, failed: errors.length, skipped: 0 };
    const reasons = new Map<string, number>();
    const secondTries: string[] = [];
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
    await report(tally);
  }
}
