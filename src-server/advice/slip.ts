/** What may have been meant instead of what was sent: a slip, which a trial then proves or not. */
import { isJsonObject, type JsonValue } from "#contract/scalars.ts";
import { type Attempt, type Path, pathWords, valueAtPath, withoutValue, withValue } from "./attempt.ts";
import type { Trial, Verdict } from "./trial.ts";

export interface Slip {
  readonly code: string;
  /** What is wrong, in sentences: place, value and rule. */
  readonly words: string;
  /** The request as it may have been meant. */
  readonly meant: Attempt;
  /** What differs: `body.user.phone`, `body`, `path`, `method`, `query.page`, `header.authorization`. */
  readonly place: string;
  /** The value to send there; absent: what is there cannot be said in one text, or is a secret. */
  readonly send?: string;
}

/** What a slip is looked for in. */
export interface Tried {
  readonly attempt: Attempt;
  readonly verdict: Verdict;
  readonly trial: Trial;
  /** Header by name in lower case, as sent. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
}

/** Looks for slips, the likeliest first. */
export type SlipFinder = (refused: Tried) => Iterable<Slip>;

/** @returns the attempt with another body. */
export const withBody = (attempt: Attempt, body: JsonValue): Attempt => ({ ...attempt, body });

/** @returns the attempt with the value at a path of its body. */
export const withBodyValue = (attempt: Attempt, path: Path, value: JsonValue): Attempt =>
  withBody(attempt, withValue(attempt.body, path, value));

/** @returns the attempt with what is at a path of the body moved to another. */
export const moved = (attempt: Attempt, from: Path, to: Path, value = valueAtPath(attempt.body, from)): Attempt => {
  if (value === undefined || !isJsonObject(attempt.body)) return attempt;
  const isWithin = from.every((key, at) => to[at] === key);
  const rest = isWithin ? attempt.body : withoutValue(attempt.body, from);
  return withBody(attempt, withValue(rest, to, value));
};

/** @returns a value of the body that should be another. */
export const valueSlip = (attempt: Attempt, code: string, words: string, path: Path, value: string): Slip => ({
  code,
  words,
  meant: withBodyValue(attempt, path, value),
  place: `body.${pathWords(path)}`,
  send: value,
});

/** @returns a name in lower case, without separators. */
export const lettersOf = (name: string): string => name.toLowerCase().replace(/[^a-z]/g, "");

/** @returns whether two texts differ by one character, or by two neighbours that are swapped. */
export const isNear = (a: string, b: string): boolean => {
  if (a === b || Math.abs(a.length - b.length) > 1) return false;
  let from = 0;
  while (from < a.length && a[from] === b[from]) from += 1;
  const [x, y] = [a.slice(from), b.slice(from)];
  if (x.length !== y.length) return x.length > y.length ? x.slice(1) === y : x === y.slice(1);
  return x.slice(1) === y.slice(1) || (x[0] === y[1] && x[1] === y[0] && x.slice(2) === y.slice(2));
};
