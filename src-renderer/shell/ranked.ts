import { searchFold } from "#contract/words/fold.ts";

/** @returns how well a text matches, 0 best: at its start, at a word start, word by word, inside, as scattered letters; null: not. */
const rankOf = (typed: string, text: string): number | null => {
  const at = ` ${text}`.indexOf(` ${typed}`);
  if (at >= 0) return at === 0 ? 0 : 1;
  if (typed.split(" ").every((word) => ` ${text}`.includes(` ${word}`))) return 2;
  if (text.includes(typed)) return 3;
  let from = 0;
  for (const letter of typed.replaceAll(" ", "")) {
    const found = text.indexOf(letter, from);
    if (found < 0) return null;
    from = found + 1;
  }
  return SCATTERED;
};

const SCATTERED = 4;

/** @param isExact whether scattered letters are not enough to find an item. @returns the matches, best first; ties go to
 * the shorter text. */
export const ranked = <T>(
  typed: string,
  items: readonly T[],
  textOf: (item: T) => string,
  isExact: (item: T) => boolean = () => false,
): T[] => {
  const sought = searchFold(typed.trim()).replaceAll(/\s+/g, " ");
  return items
    .flatMap((item) => {
      const text = searchFold(textOf(item));
      const rank = rankOf(sought, text);
      return rank === null || (rank === SCATTERED && isExact(item)) ? [] : [{ item, rank, length: text.length }];
    })
    .sort((a, b) => a.rank - b.rank || a.length - b.length)
    .map(({ item }) => item);
};

/** @returns the commands, most recently used first. */
export const recentFirst = <T extends { readonly id: string }>(
  commands: readonly T[],
  recent: readonly string[],
): T[] => {
  const first = recent.flatMap((id) => commands.find((command) => command.id === id) ?? []);
  return [...first, ...commands.filter((command) => !recent.includes(command.id))];
};
