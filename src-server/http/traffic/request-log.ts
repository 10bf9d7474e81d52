/** The request log: the newest rows in memory, within a byte budget, by app; what is cleared can be recalled. */
import type { IncomingHttpHeaders } from "node:http";
import { BOUNDS } from "#contract/bounds.ts";
import type { RequestItem, RequestQuery } from "#contract/control/requests.ts";
import { epochMs, isoInstant } from "#contract/scalars.ts";
import { isOfTrace } from "#contract/words/traces.ts";
import type { BusMessage } from "./event-bus.ts";
import type { Exchange } from "./exchange.ts";
import type { Logins } from "./logins.ts";
import { OwnedRows } from "./owned-rows.ts";

const SECRET_HEADERS: ReadonlySet<string> = new Set(["authorization", "cookie", "proxy-authorization"]);

/** @param headers from Node. @returns them with secrets masked: only the scheme stays. */
const masked = (headers: IncomingHttpHeaders | Readonly<Record<string, string>>): Record<string, string | string[]> => {
  const shown: Record<string, string | string[]> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined) continue;
    const isSecret = SECRET_HEADERS.has(name.toLowerCase());
    shown[name] = isSecret ? `${/^\w+ /.exec(String(value))?.[0] ?? ""}***` : value;
  }
  return shown;
};

/** @param isBrief without what takes long to work out. @returns the row without headers and bodies, as in events. */
export const requestSummary = (row: Exchange, isBrief = false): Omit<RequestItem, "request" | "response"> => ({
  id: row.id,
  at: isoInstant(epochMs(row.atMs)),
  listener: row.listener,
  scheme: row.scheme,
  method: row.method,
  path: row.path,
  status: row.status,
  reason: row.reason,
  check: row.check,
  decision: row.decision,
  fault: row.fault,
  repeats: row.repeats,
  carriedOut: row.carriedOut,
  ...(row.left && { left: true as const }),
  appId: row.appId,
  userId: row.userId,
  login: row.login,
  durationMs: row.durationMs,
  ignoredFields: [...row.ignoredFields],
  warnings: [...row.warnings],
  advice: [...(isBrief ? row.briefAdvice : row.advice)],
  remote: row.remote,
});

/** @param isBrief as in `requestSummary`. @returns the complete row in the form of the control API. */
export const fullRow = (row: Exchange, isBrief = false): RequestItem => ({
  ...requestSummary(row, isBrief),
  request: { headers: masked(row.requestHeaders), body: row.requestBody?.toString("utf8") ?? null },
  response: { headers: masked(row.responseHeaders), body: row.responseBody?.toString("utf8") ?? null },
});

const EXACT = ["appId", "userId", "listener", "method", "status", "reason"] as const;

const fits = (row: Exchange, query: Omit<RequestQuery, "limit">): boolean =>
  EXACT.every((name) => query[name] === undefined || row[name] === query[name]) &&
  (query.failed !== "1" || row.status === 0 || row.status >= 400) &&
  (query.lost !== "1" || row.carriedOut !== null) &&
  (query.login === undefined || row.login?.id === query.login) &&
  (query.trace === undefined || isOfTrace(row.requestHeaders, query.trace)) &&
  row.path.startsWith(query.path ?? "");

/** The owner of what others sent to apps of the join token without their code: no app has this id. */
const OTHERS = "others ";

/** Holds the newest rows, and knows the logins that they belong to. */
export class RequestLog {
  readonly logins: Logins;
  #rows = new OwnedRows();
  /** What was cleared last. */
  #cleared = new OwnedRows();
  #next = 0;
  readonly #capacity: number;
  readonly #publish: (message: BusMessage) => void;
  readonly #isLimited: (appId: string | null) => boolean;

  /** @param capacity most rows. @param publish gets each closed row. @param isLimited whether an app has a share. */
  constructor(
    capacity: number,
    publish: (message: BusMessage) => void,
    logins: Logins,
    isLimited: (appId: string | null) => boolean,
  ) {
    this.logins = logins;
    this.#isLimited = isLimited;
    this.#publish = publish;
    this.#capacity = capacity;
  }

  /** Adds a closed row, and drops beyond the limits the oldest ones of the app with the most. */
  add(row: Exchange): void {
    this.#rows.add(this.#next++, row, this.#ownerOf(row));
    this.#limit();
    this.#publish({ row });
  }

  /** Whose row it is: what is refused at auth, anyone may have sent who knows the app's id. */
  #ownerOf({ listener, appId, status, carriedOut }: Exchange): string | null {
    const isRefused = listener === "auth" && carriedOut === null && (status === 0 || status >= 400);
    return isRefused && this.#isLimited(appId) ? OTHERS : appId;
  }

  /** @returns the bytes of the rows of an app, also of those that can be recalled. */
  bytesOf(appId: string): number {
    return this.#rows.bytesOf(appId) + this.#cleared.bytesOf(appId);
  }

  /** Drops the oldest rows of an app, those that can be recalled first, until so many bytes are free. */
  release(appId: string, bytes: number): void {
    const cleared = this.#cleared.bytesOf(appId);
    if (cleared > 0) this.#dropCleared(appId);
    this.#dropOldest(appId, this.#rows.bytesOf(appId) - Math.max(0, bytes - cleared));
  }

  #dropCleared(appId: string): void {
    this.#cleared = new OwnedRows(this.#cleared.fitting((row) => row.appId !== appId));
  }

  /** Drops the oldest rows of an owner until at most so many bytes are left. */
  #dropOldest(owner: string, most: number): void {
    while (this.#rows.bytesOf(owner) > Math.max(0, most)) this.#rows.remove(this.#rows.oldestOf(owner) ?? -1);
  }

  #limit(): void {
    const rows = this.#rows;
    // Both together take no more memory than a full log.
    if (rows.bytes + this.#cleared.bytes > BOUNDS.logBytes.most) this.#cleared = new OwnedRows();
    this.#dropOldest(OTHERS, BOUNDS.othersLogBytes.most);
    while (rows.size > this.#capacity) rows.remove(rows.next("rows") ?? -1);
    while (rows.bytes > BOUNDS.logBytes.most && rows.size > 1) rows.remove(rows.next("bytes") ?? -1);
  }

  /** @returns rows newest first and their number; undefined if the row to begin after is not there. */
  list(
    query: Omit<RequestQuery, "limit">,
    isShown = (_appId: string | null): boolean => true,
  ): { rows: readonly Exchange[]; total: number } | undefined {
    const found = this.#rows.newestFirst().filter((row) => fits(row, query) && isShown(row.appId));
    const { after } = query;
    const at = after === "latest" ? 0 : found.findIndex(({ id }) => id === after);
    const from = after === undefined ? 0 : at + 1;
    return after !== undefined && from === 0 ? undefined : { rows: found.slice(from), total: found.length };
  }

  /** @returns the newest row that fits, with unmasked secrets. */
  newest(fits: (row: Exchange) => boolean): Exchange | undefined {
    return this.#rows.newestFirst().find(fits);
  }

  /** @returns the row with this id, with unmasked secrets. */
  row(id: string): Exchange | undefined {
    return this.newest((row) => row.id === id);
  }

  find(id: string): RequestItem | undefined {
    const row = this.row(id);
    return row && fullRow(row);
  }

  /** Clears the rows of an app, or of all apps, until `recall`. @param ids only these rows. */
  clear(appId?: string, ids?: ReadonlySet<string>): void {
    const isChosen = (row: Exchange) => (appId === undefined || row.appId === appId) && ids?.has(row.id) !== false;
    const chosen = this.#rows.fitting(isChosen);
    this.#cleared = new OwnedRows(chosen);
    for (const [number] of chosen) this.#rows.remove(number);
  }

  /** Brings back what was cleared last, at its place. @param appId only the rows of this app. */
  recall(appId?: string): void {
    const cleared = this.#cleared.fitting((row) => appId === undefined || row.appId === appId);
    const all = [...cleared, ...this.#rows.fitting(() => true)].sort(([a], [b]) => a - b);
    this.#cleared = new OwnedRows();
    this.#rows = new OwnedRows(all);
    this.#limit();
  }

  /** Removes the rows of an app for good. @param ids only these rows. */
  forget(appId: string, ids?: ReadonlySet<string>): void {
    for (const [number] of this.#rows.fitting((row) => row.appId === appId && ids?.has(row.id) !== false))
      this.#rows.remove(number);
    this.#dropCleared(appId);
  }
}
