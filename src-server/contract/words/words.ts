/** Formats numbers and durations, the same in the UI, on the command line and for agents. */

/** @returns a number as people read it, such as `1,024`. Not by `Intl`, whose tables take a start 12 ms. */
export const counted = (count: number): string => {
  const [whole = "", ...fraction] = String(Math.round(Math.abs(count) * 1_000) / 1_000).split(".");
  const groups: string[] = [];
  for (let end = whole.length; end > 0; end -= 3) groups.unshift(whole.slice(Math.max(0, end - 3), end));
  return (count < 0 ? "-" : "") + [groups.join(","), ...fraction].join(".");
};

/** @returns a number with its noun, such as `1 profile` or `1,024 profiles`. */
export const many = (count: number, one: string, several = `${one}s`): string =>
  `${counted(count)} ${count === 1 ? one : several}`;

const UNITS = [
  ["d", 86_400],
  ["h", 3_600],
  ["min", 60],
] as const;

/** @returns a duration in one unit: the largest that divides it, else one with at least two of it (`90 s`, `1 h`). */
export const lengthWords = (seconds: number): string => {
  const unit =
    UNITS.find(([, size]) => seconds > 0 && seconds % size === 0) ?? UNITS.find(([, size]) => seconds >= 2 * size);
  const [word, size] = unit ?? ["s", 1];
  return `${Math.round(seconds / size)} ${word}`;
};

/** @returns the text with its first letter in upper case. */
export const sentence = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);

/** @returns bytes as people read them, such as `12.3 MiB`. */
export const inMebibytes = (bytes: number): string => `${(bytes / 1_048_576).toFixed(1)} MiB`;

/**
 * @returns the text in one line, as it is shown: nothing in it is markup, HTML or the end of a table's cell. Names with
 * `_` within a word stay readable as they are.
 */
export const markdownText = (text: string): string =>
  text
    .replaceAll(/\s+/g, " ")
    .replaceAll(/[\\`*[\]<>|~&]/g, "\\$&")
    .replaceAll(/(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])/g, "\\_");
