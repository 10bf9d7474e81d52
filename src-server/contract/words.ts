/** Formats numbers and durations, the same in the UI, on the command line and for agents. */

/** @returns a number with its noun, such as `1 profile` or `1,024 profiles`. */
export const many = (count: number, one: string, several = `${one}s`): string =>
  `${count.toLocaleString("en")} ${count === 1 ? one : several}`;

/** @returns a duration in one unit, such as `90 s` or `2 h`. */
export const lengthWords = (seconds: number): string => {
  if (seconds < 120) return `${Math.round(seconds)} s`;
  if (seconds < 7_200) return `${Math.round(seconds / 60)} min`;
  if (seconds < 172_800) return `${Math.round(seconds / 3_600)} h`;
  return `${Math.round(seconds / 86_400)} d`;
};

/** @returns the text with its first letter in upper case. */
export const sentence = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);
