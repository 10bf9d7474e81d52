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

const fieldsOf = (record: object, but: readonly string[]): [string, unknown][] =>
  Object.entries(record).filter(([name, value]) => value !== undefined && !but.includes(name));

/**
 * @param but fields that do not count. An import numbers records anew (`seq`), and a deterministic app counts its
 * transactions (`steps`): to a reader that alone is no change.
 * @returns whether two records have the same fields with the same values.
 */
export const sameRecord = (a: object, b: object, ...but: readonly string[]): boolean => {
  if (a === b) return true;
  const [mine, theirs] = [fieldsOf(a, but), new Map(fieldsOf(b, but))];
  if (mine.length !== theirs.size) return false;
  return mine.every(([name, value]) => theirs.has(name) && isSame(value, theirs.get(name)));
};
