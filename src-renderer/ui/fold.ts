/**
 * Retries: clients send the same call again and again; a list shows it once, with how often.
 */
import type { RequestRow } from "#client/index.ts";

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

const isRetry = (a: RequestRow, b: RequestRow): boolean =>
  (["listener", "method", "path", "status", "reason", "fault", "appId"] as const).every(
    (name) => a[name] === b[name],
  ) &&
  a.request.body === b.request.body &&
  Date.parse(b.at) - Date.parse(a.at) <= APART_MS;

/** @param rows newest first. @returns the same, with the adjacent retries of a call under its newest. */
export const foldRetries = (rows: readonly RequestRow[]): Folded[] => {
  const folded: { id: string; newest: RequestRow; rows: RequestRow[] }[] = [];
  let newer: RequestRow | undefined;
  for (const row of rows) {
    const group = folded.at(-1);
    if (group !== undefined && newer !== undefined && isRetry(row, newer)) {
      group.rows.push(row);
      group.id = row.id;
    } else folded.push({ id: row.id, newest: row, rows: [row] });
    newer = row;
  }
  return folded;
};
