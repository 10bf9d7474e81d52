/** Phone numbers as people write them, the same in the UI and in the timeline. */

/** Country codes by length; all others have three digits. */
const ONE = /^[17]/;
const TWO = /^(2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58])/;

/** @returns how many of the digits of a number are its country code. */
export const codeLength = (digits: string): number => (ONE.test(digits) ? 1 : TWO.test(digits) ? 2 : 3);

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

/** Characters that people and programs put between digits; brackets count later. */
const BETWEEN = /[\s.\-\u2010-\u2015\u2212/~]/g;
/** A number as spreadsheets and data frames write it, with a fraction that says nothing. */
const FLOAT = /^([^.]*\d{3})\.0{1,2}$/;
/** A number with a fraction, which is no separator. */
const FRACTION = /^(?:\+\d{7,}|[1-9]\d{4,})\.\d+$/;
/** Marks of direction, joiners, soft hyphens and the like, which cannot be seen. */
const INVISIBLE = /\p{Cf}/gu;
const ASCII = /^[ -~]*$/;

const isDigit = (code: number): boolean => /^\p{Nd}$/u.test(String.fromCodePoint(code));

/** @returns a digit of any script as an ASCII digit: each script has its ten side by side. */
const asciiDigit = (digit: string): string => {
  const code = digit.codePointAt(0) ?? 0;
  let before = 0;
  while (isDigit(code - before - 1)) before++;
  return String(before % 10);
};

/** @returns the text in ASCII as far as it is digits and punctuation, without what cannot be seen. */
export const visible = (typed: string): string =>
  ASCII.test(typed)
    ? typed
    : typed
        .replace(INVISIBLE, "")
        .normalize("NFKC")
        .replace(/[^\P{Nd}0-9]/gu, asciiDigit);

/** What is also dialled before a national number, next to 0. */
// biome-ignore format: a table
const TRUNKS: Readonly<Record<string, string>> = { "1": "1", "7": "8", "36": "06", "52": "01", "370": "8", "375": "8", "692": "1", "993": "8" };
/** Where the first 0 belongs to the number, also after a country code; not before an Italian mobile number. */
const KEEPS_ZERO = /^(?:39(?!3\d{9}$)|378(?=549)|225(?=\d{9}$)|229(?=1\d{8}$)|241(?=\d{7}$)|242(?=\d{8}$))(?!0)/;
/** Where an area code may begin with 0, if only in made-up numbers. */
const NO_TRUNK = /^[17]$/;

/** @returns a number without the trunk prefix in brackets, as in `+49 (0)171` or `+49 (0171)`, which is not dialled from abroad. */
const withoutTrunk = (number: string): string => {
  const [, code = "", group = "", rest = ""] = /^\+(\d{1,3})[([](\d+)[)\]]?(.*)$/.exec(number) ?? [];
  if (code === "" || code.length !== codeLength(code)) return number;
  const after = rest.replace(/\D/g, "");
  if (group === TRUNKS[code]) return `+${code}${rest}`;
  if (group === "0") return KEEPS_ZERO.test(code + after) ? number : `+${code}${rest}`;
  const isTrunk = group.startsWith("0") && !NO_TRUNK.test(code) && !KEEPS_ZERO.test(code + group.slice(1) + after);
  return isTrunk ? `+${code}${group.slice(1)}${rest}` : number;
};

/**
 * @returns a number as it is dialled from abroad, as far as that can be known without a country: without separators,
 * `tel:`, a spreadsheet's `'`, `="…"` and `.0`, invisible characters and the `(0)` after a country code; with ASCII digits,
 * and `+` for `00`. A number in national form stays in it, and anything else is only cleaned.
 */
export const phoneValue = (typed: string): string => {
  if (/^\+\d*$/.test(typed)) return typed;
  const bare = visible(typed)
    .trim()
    .replace(/^="?(.*?)"?$/s, "$1")
    .replace(/^'/, "")
    .replace(/^tel:([^;]*).*$/is, "$1")
    .replace(FLOAT, "$1");
  if (FRACTION.test(bare)) return bare;
  const number = bare
    .replace(BETWEEN, "")
    .replace(/^[([](\+?\d+)[)\]]/, "$1")
    .replace(/^00(?=[1-9])/, "+");
  return withoutTrunk(number).replace(/[()[\]]/g, "");
};

/** @returns whether a text is a number in E.164 form (D7), without zod. */
export const isPhone = (text: string): boolean => /^\+[1-9]\d{6,14}$/.test(text);

/** @returns a typed recipient as it is stored: a number as by `phoneValue`, an email address unchanged. */
export const recipientValue = (typed: string): string => {
  const value = phoneValue(typed);
  return isPhone(value) ? value : typed;
};

/**
 * @returns the recipient of a query, in which a plus sign may have arrived as a blank: a number as by `phoneValue`, an
 * address without blanks around it; anything else, which only a lenient app has, with its blanks as plus signs.
 */
export const soughtRecipient = (asked: string): string => {
  const [value, withPlus] = [phoneValue(asked), phoneValue(`+${asked.trimStart()}`)];
  if (isPhone(value)) return value;
  if (asked.startsWith(" ") && isPhone(withPlus)) return withPlus;
  return (asked.includes("@") ? visible(asked).trim() : asked).replaceAll(" ", "+");
};

/** @returns a number in groups; anything else, such as an email address, unchanged. */
export const recipientText = (typed: string): string => {
  const value = phoneValue(typed);
  if (!/^\+\d{1,15}$/.test(value)) return typed;
  const digits = value.slice(1);
  const code = digits.slice(0, codeLength(digits));
  const rest = digits.slice(code.length);
  return [`+${code}`, ...inGroups(rest, HABITS[code] ?? [])].join(" ");
};
