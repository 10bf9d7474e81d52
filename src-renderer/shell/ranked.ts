import { searchFold } from "#contract/words/fold.ts";

/** @returns how well a text matches, 0 best: at its start, at a word start, word by word, inside; null: not. */
const rankOf = (typed: string, text: string): number | null => {
  const at = ` ${text}`.indexOf(` ${typed}`);
  if (at >= 0) return at === 0 ? 0 : 1;
  if (typed.split(" ").every((word) => ` ${text}`.includes(` ${word}`))) return 2;
  return text.includes(typed) ? 3 : null;
};

/** @returns the matches, best first; ties go to the shorter text. */
export const ranked = <T>(typed: string, items: readonly T[], textOf: (item: T) => string): T[] => {
  const sought = searchFold(typed.trim()).replaceAll(/\s+/g, " ");
  return items
    .flatMap((item) => {
      const text = searchFold(textOf(item));
      const rank = rankOf(sought, text);
      return rank === null ? [] : [{ item, rank, length: text.length }];
    })
    .sort((a, b) => a.rank - b.rank || a.length - b.length)
    .map(({ item }) => item);
};
