/** A code as it was typed, digit by digit. */

/** Maximum number of characters of a typed code to show; a client can send anything. */
const MOST_DIGITS = 12;

/** What people type between digits; no code has it. */
const BETWEEN = /[\s.\-\u2010-\u2015\u2212]/;

/**
 * @returns the typed digits, and `·` for missing ones. What stands between digits is wrong, but not the digits after it.
 * @param code undefined if unknown, so that none is wrong.
 */
export const digitsOf = (typed: string, code: string | undefined) => {
  let at = 0;
  const digits = [...typed.slice(0, 2 * MOST_DIGITS)].map((digit) => {
    const right = BETWEEN.test(digit) ? undefined : code?.[at++];
    return { digit, wrong: code !== undefined && digit !== right };
  });
  const missing = [...(code ?? "").slice(at)].map(() => ({ digit: "·", wrong: true }));
  return [...digits, ...missing].slice(0, MOST_DIGITS);
};
