/** The request log: the newest rows in a ring in memory, within a byte budget (CONTRACT 4, Retention). */
import type { IncomingHttpHeaders } from "node:http";
import { BOUNDS } from "#contract/bounds.ts";
import type { RequestItem, RequestQuery } from "#contract/requests.ts";
import { epochMs, isoInstant } from "#contract/scalars.ts";
import type { BusMessage } from "./event-bus.ts";
import type { Exchange } from "./exchange.ts";

const SECRET_HEADERS = new Set(["authorization", "cookie", "proxy-authorization"]);

/** @param headers from Node. @returns them with secrets masked: only the scheme stays. */
const masked = (headers: IncomingHttpHeaders | Readonly<Record<string, string>>): Record<string, string | string[]> => {
  const shown: Record<string, string | string[]> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined) continue;
    const secret = SECRET_HEADERS.has(name.toLowerCase());
    shown[name] = secret
      ? String(value).replace(/^(\w+ )?.*$/s, (_, scheme: string | undefined) => `${scheme ?? ""}***`)
      : value;
  }
  return shown;
};

/** @returns the row without headers and bodies, as in events. */
export const requestSummary = (exchange: Exchange): Omit<RequestItem, "request" | "response"> => ({
  id: exchange.id,
  at: isoInstant(epochMs(exchange.atMs)),
  listener: exchange.listener,
  scheme: exchange.scheme,
  method: exchange.method,
  path: exchange.path,
  status: exchange.status,
  reason: exchange.reason,
  decision: exchange.decision,
  fault: exchange.fault,
  appId: exchange.appId,
  userId: exchange.userId,
  durationMs: exchange.durationMs,
  ignoredFields: [...exchange.ignoredFields],
  warnings: [...exchange.warnings],
  remote: exchange.remote,
});

/** @returns the complete row in the form of the control API. */
const requestItem = (exchange: Exchange): RequestItem => ({
  ...requestSummary(exchange),
  request: { headers: masked(exchange.requestHeaders), body: exchange.requestBody?.toString("utf8") ?? null },
  response: { headers: masked(exchange.responseHeaders), body: exchange.responseBody?.toString("utf8") ?? null },
});

const fits = (row: Exchange, query: RequestQuery): boolean =>
  (query.appId === undefined || row.appId === query.appId) &&
  (query.userId === undefined || row.userId === query.userId) &&
  (query.listener === undefined || row.listener === query.listener) &&
  (query.method === undefined || row.method === query.method) &&
  (query.path === undefined || row.path.startsWith(query.path)) &&
  (query.status === undefined || row.status === query.status) &&
  (query.reason === undefined || row.reason === query.reason);

/** Holds the newest rows. */
export class RequestLog {
  readonly #rows: (Exchange | undefined)[];
  #first = 0;
  #count = 0;
  #bytes = 0;
  readonly #publish: (message: BusMessage) => void;

  /** @param capacity maximum number of rows. @param publish called for each row when it is closed. */
  constructor(capacity: number, publish: (message: BusMessage) => void) {
    this.#publish = publish;
    this.#rows = new Array<Exchange | undefined>(Math.max(1, capacity)).fill(undefined);
  }

  /** Adds a closed row and drops the oldest ones beyond the limits. */
  add(row: Exchange): void {
    this.#keep(row);
    this.#publish({ row });
  }

  #keep(row: Exchange): void {
    if (this.#count === this.#rows.length) this.#dropOldest();
    this.#rows[(this.#first + this.#count) % this.#rows.length] = row;
    this.#count++;
    this.#bytes += row.weight;
    while (this.#bytes > BOUNDS.logBytes.most && this.#count > 1) this.#dropOldest();
  }

  #dropOldest(): void {
    const oldest = this.#rows[this.#first];
    this.#rows[this.#first] = undefined;
    this.#first = (this.#first + 1) % this.#rows.length;
    this.#count--;
    if (oldest !== undefined) this.#bytes -= oldest.weight;
  }

  /** Rows, newest first. */
  *#newestFirst(): Generator<Exchange> {
    for (let i = this.#count - 1; i >= 0; i--) {
      const row = this.#rows[(this.#first + i) % this.#rows.length];
      if (row !== undefined) yield row;
    }
  }

  /** @returns the matching rows, newest first, at most `limit`, and the total number of matches. */
  list(query: RequestQuery): { items: RequestItem[]; total: number } {
    const items: RequestItem[] = [];
    let total = 0;
    for (const row of this.#newestFirst()) {
      if (!fits(row, query)) continue;
      total++;
      if (items.length < query.limit) items.push(requestItem(row));
    }
    return { items, total };
  }

  /** @returns the row with this id, with unmasked secrets. */
  row(id: string): Exchange | undefined {
    for (const row of this.#newestFirst()) if (row.id === id) return row;
    return undefined;
  }

  /** @returns the row with this id in the form of the control API. */
  find(id: string): RequestItem | undefined {
    const row = this.row(id);
    return row === undefined ? undefined : requestItem(row);
  }

  /** Removes the rows of an app. */
  forget(appId: string): void {
    const kept = [...this.#newestFirst()].filter((row) => row.appId !== appId).reverse();
    this.clear();
    for (const row of kept) this.#keep(row);
  }

  /** Removes all rows. */
  clear(): void {
    while (this.#count > 0) this.#dropOldest();
  }
}
