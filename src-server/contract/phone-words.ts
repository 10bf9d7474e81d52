/** Phone numbers as people write them, the same in the UI and in the timeline. */

/** Country codes by length; all others have three digits. */
const ONE = /^[17]/;
const TWO = /^(2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58])/;

const codeLength = (digits: string): number => (ONE.test(digits) ? 1 : TWO.test(digits) ? 2 : 3);

/** Grouping of the national number in some countries; threes elsewhere. */
const HABITS: Readonly<Record<string, readonly number[]>> = {
  "1": [3, 3, 4],
  "33": [1, 2, 2, 2, 2],
  "44": [4, 6],
  "49": [3, 8],
};

const inGroups = (digits: string, [size, ...sizes]: readonly number[]): string[] => {
  if (digits === "") return [];
  if (size !== undefined) return [digits.slice(0, size), ...inGroups(digits.slice(size), sizes)];
  // A single last digit joins its group.
  return digits.match(/\d{3}(?=\d{2})|\d{1,4}/g) ?? [];
};

/** Separators that people type between digits. */
const BETWEEN = /[\s().\-\u2010-\u2015]/g;

/** @returns a typed number without separators. */
export const phoneValue = (typed: string): string => typed.replace(BETWEEN, "");

/** @returns a number in groups; anything else, such as an email address, unchanged. */
export const recipientText = (typed: string): string => {
  const value = phoneValue(typed);
  if (!/^\+\d{1,15}$/.test(value)) return typed;
  const digits = value.slice(1);
  const code = digits.slice(0, codeLength(digits));
  const rest = digits.slice(code.length);
  return [`+${code}`, ...inGroups(rest, HABITS[code] ?? [])].join(" ");
};
