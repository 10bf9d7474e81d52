/** Validates options: an unknown one is a 422 like the emulator's, with the nearest known name. */
import { type FieldErrors, StagedoorError } from "./error.ts";

/** @returns the Levenshtein distance of two words. */
const distance = (a: string, b: string): number => {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (const [i, letter] of [...a].entries())
    row = row.reduce<number[]>((next, above, j) => {
      const left = next[j - 1] ?? i;
      const diagonal = row[j - 1] ?? 0;
      next.push(j === 0 ? i + 1 : Math.min(left + 1, above + 1, diagonal + (letter === b[j - 1] ? 0 : 1)));
      return next;
    }, []);
  return row.at(-1) ?? 0;
};

const suggestion = (name: string, known: readonly string[]): string => {
  const [nearest] = known
    .map((word) => ({ word, far: distance(name.toLowerCase(), word.toLowerCase()) }))
    .filter(({ far }) => far <= Math.max(2, Math.ceil(name.length / 2)))
    .sort((a, b) => a.far - b.far);
  return nearest === undefined ? ` (known: ${known.join(", ")})` : `; did you mean "${nearest.word}"?`;
};

/** @returns an error for invalid arguments, in the form of the emulator's 422. */
export const invalidOptions = (call: string, fields: FieldErrors): StagedoorError => {
  const words = Object.entries(fields).map(([name, errors]) => `${name} ${errors.join(", ")}`);
  return new StagedoorError(`${call}: ${words.join("; ")}`, 422, "invalid_fields", fields);
};

/**
 * @param call as users write it, such as `passcodes.next`. @param known its option names.
 * @throws StagedoorError 422 if an option is unknown.
 */
export const checkOptions = (call: string, options: object, known: readonly string[]): void => {
  const unknown = Object.keys(options).filter((name) => !known.includes(name));
  if (unknown.length === 0) return;
  const why = (name: string): string[] => [`is not known here${suggestion(name, known)}`];
  throw invalidOptions(call, Object.fromEntries(unknown.map((name) => [name, why(name)])));
};
