/** Pages that are bounded in bytes as well as in number, put together in slices. */
import type { Steps } from "#contract/steps.ts";
import type { Deps } from "../deps.ts";
import { finishInSlices, jsonPieces } from "./slices.ts";

/** What is shown of an entry, and its size as JSON. */
export interface Sized<T> {
  readonly item: T;
  readonly size: number;
}

/** @param bytes of JSON after which the page ends; `show` gets what is left. @returns `until`: if others follow. */
export function* pageOf<E, T>(
  entries: readonly E[],
  limit: number,
  bytes: number,
  show: (entry: E, bytes: number) => Steps<Sized<T>>,
): Steps<{ readonly items: readonly T[]; readonly until: T | undefined }> {
  const items: T[] = [];
  let left = bytes;
  for (const entry of entries) {
    if (items.length > 0 && (items.length >= limit || left <= 0)) return { items, until: items.at(-1) };
    const { item, size } = yield* show(entry, left);
    left -= size;
    items.push(item);
    yield undefined;
  }
  return { items, until: undefined };
}

interface ListPage<E, T> {
  /** From where the page begins, at most one more than `limit`. */
  readonly entries: readonly E[];
  readonly total: number;
  readonly limit: number;
  readonly show: (entry: E, place: number) => T;
  readonly idOf: (item: T) => string;
}

/** @param bytes of JSON after which the page ends. @returns the page: `items`, `total`, and `next` if others follow. */
export function* listPage<E, T>({ entries, total, limit, show, idOf }: ListPage<E, T>, bytes: number): Steps<object> {
  let place = 0;
  const { items, until } = yield* pageOf(entries, limit, bytes, function* (entry): Steps<Sized<T>> {
    const item = show(entry, place++);
    yield undefined;
    return { item, size: JSON.stringify(item).length };
  });
  return { items, total, ...(until !== undefined && { next: idOf(until) }) };
}

/** Where the entries of a list stand in its answer: `{"items": [{"changes": [`. */
const LEVELS = 4;

/** @returns the answer with the result of the steps, written in slices. */
export const answerInSlices = async (
  steps: Steps<object>,
  { env: { monotonic }, checks }: Pick<Deps, "env" | "checks">,
  schema: { parse(value: unknown): unknown },
) => {
  const answer = await finishInSlices(steps, monotonic);
  if (checks.answers) schema.parse(answer);
  return { status: 200, pieces: jsonPieces(answer, LEVELS) } as const;
};
