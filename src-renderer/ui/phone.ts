/**
 * Phone numbers in groups, shown and typed. Only their look: the server says whether it is one.
 */

/** Countries by the digits that their code has; all others have three. */
const ONE = /^[17]/;
const TWO = /^(2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58])/;

const codeLength = (digits: string): number => (ONE.test(digits) ? 1 : TWO.test(digits) ? 2 : 3);

/** Groups of the number after the code, where the country has a habit; else threes. */
const HABITS: Readonly<Record<string, readonly number[]>> = {
  "1": [3, 3, 4],
  "33": [1, 2, 2, 2, 2],
  "44": [4, 6],
  "49": [3, 8],
};

const inGroups = (digits: string, sizes: readonly number[]): string[] => {
  const groups: string[] = [];
  let at = 0;
  for (let i = 0; at < digits.length; i++) {
    const size = sizes[i] ?? 3;
    // A single digit at the end stays with its group.
    const left = digits.length - at;
    const taken = sizes[i] === undefined && left === size + 1 ? left : size;
    groups.push(digits.slice(at, at + taken));
    at += taken;
  }
  return groups;
};

/** What people put between the digits. */
const BETWEEN = /[\s().\-\u2010-\u2015]/g;

/** @returns what is sent for a number as typed: without what only groups it. */
export const phoneValue = (typed: string): string => typed.replace(BETWEEN, "");

/** @returns a number in groups; what is no international number, such as an email address, stays as it is. */
export const recipientText = (typed: string): string => {
  const value = phoneValue(typed);
  if (!/^\+\d{1,15}$/.test(value)) return typed;
  const digits = value.slice(1);
  const code = digits.slice(0, codeLength(digits));
  const rest = digits.slice(code.length);
  return [`+${code}`, ...inGroups(rest, HABITS[code] ?? [])].join(" ");
};

/** @returns the field after a change, and where the caret goes. @param before the field before the change. */
export const phoneTyped = (before: string, typed: string, caret: number): { text: string; caret: number } => {
  let [value, ahead] = [typed, phoneValue(typed.slice(0, caret)).length];
  // Only a space was deleted: the digit before it is meant.
  if (typed.length === before.length - 1 && phoneValue(typed) === phoneValue(before) && ahead > 1) {
    const plain = phoneValue(typed);
    value = plain.slice(0, ahead - 1) + plain.slice(ahead);
    ahead--;
  }
  const text = recipientText(value);
  if (text === typed) return { text, caret };
  let at = 0;
  for (let seen = 0; at < text.length && seen < ahead; at++) if (phoneValue(text[at] ?? "") !== "") seen++;
  return { text, caret: at };
};
