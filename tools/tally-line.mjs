/** The last line of a run. */

/** @typedef {{ passed: number, failed: number, skipped: number }} Tally a file that could not be loaded, or an error outside any test, counts as one failure */

/** @param {Tally} tally @returns {string} `N passed, N failed`, and `, N skipped` if any were */
export const tallyLine = ({ passed, failed, skipped }) =>
  `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`;
