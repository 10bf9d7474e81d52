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

const fieldsOf = (record: object): [string, unknown][] =>
  Object.entries(record).filter(([, value]) => value !== undefined);

/**
 * @param but a field that does not count. An import numbers records anew (`seq`): to a reader that alone is no change.
 * @returns whether two records have the same fields with the same values.
 */
export const sameRecord = (a: object, b: object, but?: string): boolean => {
  if (a === b) return true;
  const [mine, theirs] = [fieldsOf(a), new Map(fieldsOf(b))];
  if (mine.length !== theirs.size) return false;
  return mine.every(([name, value]) => name === but || (theirs.has(name) && isSame(value, theirs.get(name))));
};
