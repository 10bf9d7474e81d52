/** Freezes the constants that all requests share, so that nothing of one is left for the next. */

const refuseChange = (): never => {
  throw new TypeError("Cannot change a constant.");
};
const REFUSED = Object.freeze({ value: refuseChange });

const isPlain = (value: object): boolean => {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
};

/**
 * Bundlers may drop an unused constant.
 * @param value of lists, plain objects, maps and sets. What else is in it stays as it is, such as a schema, which builds
 * itself when it is first used.
 * @returns the same, frozen at every depth: writing into it throws a TypeError.
 */
/* @__NO_SIDE_EFFECTS__ */
export const frozen = <const T>(value: T): T => {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  if (value instanceof Map || value instanceof Set) {
    for (const inner of value.values()) frozen(inner);
    Object.defineProperties(value, { set: REFUSED, add: REFUSED, delete: REFUSED, clear: REFUSED });
  } else if (Array.isArray(value)) for (const inner of value) frozen(inner);
  else if (isPlain(value)) for (const inner of Object.values(value)) frozen(inner);
  else return value;
  return Object.freeze(value);
};
