/** @returns a number with its noun, such as `1 profile` or `1,024 profiles`. */
export const many = (count: number, one: string, several = `${one}s`): string =>
  `${count.toLocaleString("en")} ${count === 1 ? one : several}`;

/** @returns a text that begins with a capital letter. */
export const sentence = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);

/** @returns a text that begins with a small letter. */
export const lowered = (words: string): string => words.charAt(0).toLowerCase() + words.slice(1);
