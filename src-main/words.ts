/** The window's own words for what a command of Stagedoor says. */

/** @returns the text without the sentences that say what to type, as the window has buttons instead. */
export const withoutCommands = (text: string): string =>
  text
    .split("\n")
    .map((line) => {
      const sentences = line.split(/(?<=[.!?])\s+/);
      return sentences.filter((sentence) => !/`|\bnpm\b|(^|\s)--[a-z]/.test(sentence)).join(" ");
    })
    .join("\n")
    .trim();
