/**
 * Retries: clients send the same call again and again; a list shows it once, with how often.
 */
import type { RequestRow } from "../api/request-log.ts";

/** As long as this may lie between one and the next. */
const APART_MS = 5_000;

/** The same call, once or several times. */
export interface Folded {
  /** Of the oldest row: it stays while others come. */
  readonly id: string;
  readonly newest: RequestRow;
  /** Newest first; `newest` among them. */
  readonly rows: readonly RequestRow[];
}

const callOf = ({ listener, method, path, status, reason, request }: RequestRow): string =>
  JSON.stringify([listener, method, path, status, reason, request.body]);

/** @param rows newest first. @returns the same, with the retries of a call under its newest. */
export const foldRetries = (rows: readonly RequestRow[]): Folded[] => {
  const folded: RequestRow[][] = [];
  const open = new Map<string, RequestRow[]>();
  for (const row of rows) {
    const call = callOf(row);
    const group = open.get(call);
    const oldest = group?.at(-1);
    if (group !== undefined && oldest !== undefined && Date.parse(oldest.at) - Date.parse(row.at) <= APART_MS)
      group.push(row);
    else {
      const begun = [row];
      open.set(call, begun);
      folded.push(begun);
    }
  }
  return folded.flatMap((group) => {
    const [newest] = group;
    const oldest = group.at(-1);
    return newest === undefined || oldest === undefined ? [] : [{ id: oldest.id, newest, rows: group }];
  });
};
