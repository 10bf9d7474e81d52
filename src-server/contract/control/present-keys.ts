/** The keys of Present (`/stage`), which its page and the phone in its frame both hear. */

/** By name; letters stand for themselves. */
export const PRESENT_KEYS = ["Space", "W", "T", "F", "R", "?", "Escape"] as const;
export type PresentKey = (typeof PRESENT_KEYS)[number];

/** @returns the key that was pressed, by its letter, or by its place where a layout has another script there. */
export const presentKeyOf = ({
  key,
  code,
}: {
  readonly key: string;
  readonly code: string;
}): PresentKey | undefined => {
  const letter = /^[a-z]$/i.test(key) ? key : code.replace(/^Key/, "");
  const name = key === "?" || key === "Escape" ? key : letter.length === 1 ? letter.toUpperCase() : letter;
  return PRESENT_KEYS.find((one) => one === name);
};
