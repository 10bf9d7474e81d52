/**
 * How well a text answers what was typed.
 */
const AT_START = 8;
const AT_WORD = 5;
const NEXT = 3;
const WHOLE = 40;

/**
 * @returns a score, higher is better; null where the letters do not occur in this order. Whole words typed beat
 * beginnings of words, and these beat letters from anywhere. Nothing typed: 0.
 */
export const scoreOf = (typed: string, text: string): number | null => {
  const wanted = typed.toLowerCase().replaceAll(/\s+/g, " ").trim();
  const within = text.toLowerCase();
  if (wanted === "") return 0;
  const whole = within.indexOf(wanted);
  if (whole >= 0) return WHOLE + wanted.length + (whole === 0 ? AT_START : within[whole - 1] === " " ? AT_WORD : 0);
  let score = 0;
  let at = -1;
  for (const letter of wanted.replaceAll(" ", "")) {
    const found = within.indexOf(letter, at + 1);
    if (found < 0) return null;
    score += found === 0 ? AT_START : found === at + 1 ? NEXT : within[found - 1] === " " ? AT_WORD : 0;
    at = found;
  }
  return score;
};

/** @returns what answers the typed text, the best first; of two that do so alike the shorter, which has less besides. */
export const ranked = <T>(typed: string, items: readonly T[], textOf: (item: T) => string): T[] =>
  items
    .flatMap((item) => {
      const score = scoreOf(typed, textOf(item));
      return score === null ? [] : [{ item, score }];
    })
    .sort((a, b) => b.score - a.score || (typed.trim() === "" ? 0 : textOf(a.item).length - textOf(b.item).length))
    .map(({ item }) => item);
