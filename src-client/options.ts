/** Validates options: an unknown one is a 422 like the emulator's, with the nearest known name. */
import { type FieldErrors, fieldsText, StagedoorError } from "./error.ts";

/** @returns the Levenshtein distance of two words. */
const distance = (a: string, b: string): number => {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (const [i, letter] of [...a].entries()) {
    const next = [i + 1];
    for (const [j, other] of [...b].entries())
      next.push(Math.min((next[j] ?? 0) + 1, (row[j + 1] ?? 0) + 1, (row[j] ?? 0) + (letter === other ? 0 : 1)));
    row = next;
  }
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
export const invalidOptions = (call: string, fields: FieldErrors): StagedoorError =>
  new StagedoorError(`${call}: ${fieldsText(fields)}`, 422, "invalid_fields", fields);

/** @param call as users write it, such as `passcodes.next`. @throws StagedoorError 422 if an option is not `known`. */
export const checkOptions = (call: string, options: object, known: readonly string[]): void => {
  const unknown = Object.keys(options).filter((name) => !known.includes(name));
  const errors = unknown.map((name) => [name, [`is unknown${suggestion(name, known)}`]]);
  if (errors.length > 0) throw invalidOptions(call, Object.fromEntries(errors));
};
