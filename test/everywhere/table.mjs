/** The result of `npm run everywhere` as a table. */

/** @typedef {{ passed: number, failed: number, skipped: number }} Tally */
/** @typedef {{ missing: string } | (Tally & { problems: string[] })} End how a row ended; `missing`: what it needs */
/** @typedef {{ name: string, about: string, ran: string, end: End, seconds: number }} Line */

/** @param {string} text @returns {Tally | undefined} the last line `N passed, N failed, N skipped` in it */
export const tallyIn = (text) => {
  const [, passed, failed, skipped = 0] =
    [...text.matchAll(/^(\d+) passed, (\d+) failed(?:, (\d+) skipped)?$/gm)].at(-1) ?? [];
  if (passed === undefined) return undefined;
  return { passed: Number(passed), failed: Number(failed), skipped: Number(skipped) };
};

/** @param {readonly Line[]} lines @returns {Tally} tests of all rows; a row that cannot run here counts as one skipped */
export const sumOf = (lines) => {
  const sum = { passed: 0, failed: 0, skipped: 0 };
  for (const { end } of lines)
    if ("missing" in end) sum.skipped++;
    else {
      sum.passed += end.passed;
      sum.failed += end.failed;
      sum.skipped += end.skipped;
    }
  return sum;
};

/** @param {readonly Line[]} lines @returns {string} the table, and below it the sum */
export const tableOf = (lines) => {
  const cells = lines.map(({ name, about, ran, end, seconds }) =>
    "missing" in end
      ? [name, about, `skipped: ${end.missing}`, "", "", "", ""]
      : [name, about, ran, end.passed, end.failed, end.skipped, `${Math.round(seconds)} s`],
  );
  const table = [["row", "environment", "what ran", "passed", "failed", "skipped", "time"], ...cells];
  const texts = table.map((row) => row.map(String));
  const widths = (texts[0] ?? []).map((_, at) => Math.max(...texts.map((row) => row[at]?.length ?? 0)));
  const drawn = texts.map((row) =>
    row
      .map((text, at) => text.padEnd(widths[at] ?? 0))
      .join("  ")
      .trimEnd(),
  );
  const { passed, failed, skipped } = sumOf(lines);
  return `${drawn.join("\n")}\n${passed} passed, ${failed} failed, ${skipped} skipped`;
};
