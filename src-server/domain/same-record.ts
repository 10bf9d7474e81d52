/**
 * Whether two versions of a record say the same, at the cost of the first field in which they do not.
 */

const isSame = (a: unknown, b: unknown): boolean =>
  a === b ||
  (typeof a === "object" &&
    typeof b === "object" &&
    a !== null &&
    b !== null &&
    JSON.stringify(a) === JSON.stringify(b));

/** A field that is undefined is none. */
const fieldsOf = (record: object, but: readonly string[]): Map<string, unknown> =>
  new Map(Object.entries(record).filter(([name, value]) => value !== undefined && !but.includes(name)));

const sameFields = (a: ReadonlyMap<string, unknown>, b: ReadonlyMap<string, unknown>): boolean =>
  a.size === b.size && [...a].every(([name, value]) => b.has(name) && isSame(value, b.get(name)));

/**
 * @param but fields that do not count. An import numbers records anew (`seq`), and a deterministic app counts its
 * transactions (`steps`): to a reader that alone is no change.
 * @returns whether two records have the same fields with the same values.
 */
export const sameRecord = (a: object, b: object, ...but: readonly string[]): boolean => {
  if (a === b) return true;
  const [names, theirNames] = [Object.keys(a), Object.keys(b)];
  const [values, theirs] = [Object.values(a), Object.values(b)];
  // Nearly always both have the same fields in the same order: then no look-up is needed.
  for (const [place, name] of names.entries()) {
    if (name !== theirNames[place] || theirNames.length !== names.length)
      return sameFields(fieldsOf(a, but), fieldsOf(b, but));
    if (!isSame(values[place], theirs[place]) && !but.includes(name)) return false;
  }
  return names.length === theirNames.length;
};
