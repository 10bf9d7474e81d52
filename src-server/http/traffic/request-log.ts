/** The request log: the newest rows in memory, within a byte budget, by app; what is cleared can be recalled. */
import type { IncomingHttpHeaders } from "node:http";
import { BOUNDS } from "#contract/bounds.ts";
import type { RequestItem, RequestQuery } from "#contract/control/requests.ts";
import { epochMs, isoInstant } from "#contract/scalars.ts";
import { isOfTrace } from "#contract/words/traces.ts";
import type { BusMessage } from "./event-bus.ts";
import type { Exchange } from "./exchange.ts";
import type { Logins } from "./logins.ts";
import { RowsByApp, type Share } from "./rows-by-app.ts";

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
  /** By number, ascending; some may be missing. */
  readonly #rows = new Map<number, Exchange>();
  readonly #byApp = new RowsByApp();
  /** What was cleared last, in the same way. */
  #cleared = new Map<number, Exchange>();
  #clearedBytes = 0;
  readonly #clearedOf = new Map<string | null, number>();
  #first = 0;
  #next = 0;
  #bytes = 0;
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
    this.#put(this.#next++, row);
    this.#limit();
    this.#publish({ row });
  }

  /** Whose row it is: what is refused at auth, anyone may have sent who knows the app's id. */
  #ownerOf({ listener, appId, status, carriedOut }: Exchange): string | null {
    const isRefused = listener === "auth" && carriedOut === null && (status === 0 || status >= 400);
    return isRefused && this.#isLimited(appId) ? OTHERS : appId;
  }

  /** Drops the oldest rows of an app, those that can be recalled first, until so many bytes are free. */
  release(appId: string, bytes: number): void {
    const cleared = this.#clearedOf.get(appId) ?? 0;
    if (cleared > 0) this.#keepCleared(this.#clearedWithout(appId));
    this.#dropOldest(appId, this.#byApp.bytesOf(appId) - Math.max(0, bytes - cleared));
  }

  /** Drops the oldest rows of an owner until at most so many bytes are left. */
  #dropOldest(owner: string, most: number): void {
    while (this.#byApp.bytesOf(owner) > Math.max(0, most)) this.#drop(this.#byApp.oldestOf(owner) ?? -1);
  }

  #clearedWithout(appId: string): Map<number, Exchange> {
    return new Map([...this.#cleared].filter(([, row]) => row.appId !== appId));
  }

  /** @returns the bytes of the rows of an app, also of those that can be recalled. */
  bytesOf(appId: string): number {
    return this.#byApp.bytesOf(appId) + (this.#clearedOf.get(appId) ?? 0);
  }

  #put(number: number, row: Exchange): void {
    this.#rows.set(number, row);
    this.#byApp.add(number, this.#ownerOf(row), row.weight);
    this.#bytes += row.weight;
  }

  #limit(): void {
    // Both together take no more memory than a full log.
    if (this.#bytes + this.#clearedBytes > BOUNDS.logBytes.most) this.#keepCleared(new Map());
    this.#dropOldest(OTHERS, BOUNDS.othersLogBytes.most);
    while (this.#rows.size > this.#capacity) this.#dropNext("rows");
    while (this.#bytes > BOUNDS.logBytes.most && this.#rows.size > 1) this.#dropNext("bytes");
    while (this.#first < this.#next && !this.#rows.has(this.#first)) this.#first += 1;
  }

  #dropNext(by: Share): void {
    const number = this.#byApp.next(by);
    if (number !== undefined) this.#drop(number);
  }

  #keepCleared(rows: Map<number, Exchange>): void {
    this.#cleared = rows;
    this.#clearedBytes = 0;
    this.#clearedOf.clear();
    for (const row of rows.values()) {
      const owner = this.#ownerOf(row);
      this.#clearedBytes += row.weight;
      this.#clearedOf.set(owner, (this.#clearedOf.get(owner) ?? 0) + row.weight);
    }
  }

  #drop(number: number): void {
    const row = this.#rows.get(number);
    if (row === undefined) return;
    this.#bytes -= row.weight;
    this.#byApp.remove(number);
    this.#rows.delete(number);
  }

  #newestFirst(): Exchange[] {
    return [...this.#rows.values()].reverse();
  }

  /** @returns rows newest first and their number; undefined if the row to begin after is not there. */
  list(
    query: Omit<RequestQuery, "limit">,
    isShown = (_appId: string | null): boolean => true,
  ): { rows: readonly Exchange[]; total: number } | undefined {
    const found = this.#newestFirst().filter((row) => fits(row, query) && isShown(row.appId));
    const { after } = query;
    const at = after === "latest" ? 0 : found.findIndex(({ id }) => id === after);
    const from = after === undefined ? 0 : at + 1;
    return after !== undefined && from === 0 ? undefined : { rows: found.slice(from), total: found.length };
  }

  /** @returns the newest row that fits, with unmasked secrets. */
  newest(fits: (row: Exchange) => boolean): Exchange | undefined {
    return this.#newestFirst().find(fits);
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
    this.#keepCleared(new Map([...this.#rows].filter(([, row]) => isChosen(row))));
    for (const number of this.#cleared.keys()) this.#drop(number);
  }

  /** Brings back what was cleared last, at its place. @param appId only the rows of this app. */
  recall(appId?: string): void {
    const cleared = [...this.#cleared].filter(([, row]) => appId === undefined || row.appId === appId);
    const all = [...cleared, ...this.#rows].sort(([a], [b]) => a - b);
    this.#keepCleared(new Map());
    this.#rows.clear();
    this.#byApp.clear();
    this.#bytes = 0;
    this.#first = all[0]?.[0] ?? this.#first;
    for (const [number, row] of all) this.#put(number, row);
    this.#limit();
  }

  /** Removes the rows of an app for good. @param ids only these rows. */
  forget(appId: string, ids?: ReadonlySet<string>): void {
    for (const [number, row] of this.#rows) if (row.appId === appId && ids?.has(row.id) !== false) this.#drop(number);
    this.#keepCleared(this.#clearedWithout(appId));
  }
}
