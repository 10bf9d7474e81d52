/** A code as it was typed, digit by digit. */
import { many } from "#contract/words/words.ts";

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

const ORDER = ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"];

/** @returns what is wrong with a code that was typed. */
export const slipWords = (typed: string, code: string): string => {
  const digits = typed.replaceAll(/\D/g, "");
  if (digits.length < code.length) return `${many(code.length - digits.length, "digit")} missing.`;
  if (digits.length > code.length) return `${many(digits.length - code.length, "digit")} too many.`;
  const wrong = [...code].flatMap((digit, at) => (digit === digits[at] ? [] : [at]));
  const [a = 0, b = 0] = wrong;
  if (wrong.length === 2 && b === a + 1 && digits[a] === code[b] && digits[b] === code[a])
    return b === code.length - 1 ? "The last two digits are swapped." : `Digits ${a + 1} and ${b + 1} are swapped.`;
  if (wrong.length === 1) return `The ${ORDER[a] ?? "last"} digit is wrong.`;
  return wrong.length === code.length ? "It is another code." : `${wrong.length} digits are wrong.`;
};
