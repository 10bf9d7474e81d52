/** One request and its answer on their way through a listener: what the log will say of them. */
import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import type { Response } from "express";
import { BOUNDS } from "#contract/bounds.ts";
import type { RequestItem } from "#contract/requests.ts";
import type { Listener } from "#contract/routes.ts";
import { beginningOf } from "#contract/scalars.ts";
import type { Notes } from "#domain/decision.ts";

const NONE: readonly string[] = [];
const NO_HEADERS: Readonly<Record<string, string>> = {};

/** @returns as much of UTF-8 text as the log keeps of a body; no character is cut in two. */
const beginning = (body: Buffer): Buffer => {
  let end = Math.min(body.length, BOUNDS.logBodyBytes.most);
  while (end > 0 && end < body.length && ((body[end] ?? 0) & 0xc0) === 0x80) end--;
  return body.subarray(0, end);
};

/** @returns what the log keeps of a body: a copy of a long one's beginning, so that the rest is not held. */
const kept = (body: Buffer): Buffer => (body.length > BOUNDS.logBodyBytes.most ? Buffer.from(beginning(body)) : body);

/** @returns as much of a list of texts as the log keeps. @param most characters of each. */
const few = (texts: readonly string[], most: number): readonly string[] => {
  const shown = texts.slice(0, BOUNDS.logNames.most).map((text) => {
    const cut = beginningOf(text, most);
    return cut === text ? text : `${cut}…`;
  });
  return shown.length === texts.length ? shown : [...shown, `and ${texts.length - shown.length} more`];
};

type Headers = IncomingHttpHeaders | Readonly<Record<string, string>>;
/** What an object, a header or a text takes besides its characters, in bytes. */
const EACH = 64;
/** The fields of a row that every row has. */
const ROW = 512;

const weightOfTexts = (texts: readonly string[]): number =>
  texts.reduce((sum, text) => sum + EACH + 2 * text.length, 0);

const weightOfHeaders = (headers: Headers): number => {
  let sum = 0;
  for (const name in headers) sum += 2 * EACH + name.length + (headers[name]?.length ?? 0);
  return sum;
};

/** @returns the user agent of a request, as much of it as is kept; null: none was sent. */
export const userAgentOf = ({ "user-agent": sent }: IncomingHttpHeaders): string | null =>
  sent === undefined ? null : beginningOf(sent, BOUNDS.deviceLength.most);

/** What a row takes over from a request. */
interface Arrived extends Pick<IncomingMessage, "method" | "url" | "headers"> {
  readonly socket: { readonly remoteAddress?: string | undefined; readonly encrypted?: boolean };
}

/** A row of the request log in the making. */
export class Exchange {
  id: string;
  readonly listener: Listener;
  readonly scheme: "http" | "https";
  readonly method: string;
  /** As asked, with its query. */
  readonly path: string;
  /** By the service's clock, milliseconds since 1970. */
  readonly atMs: number;
  /** By the monotonic clock, in milliseconds. */
  readonly startedMs: number;
  readonly remote: string | null;
  readonly requestHeaders: IncomingHttpHeaders;
  /** The first 16 KiB of the body. */
  requestBody: Buffer | null = null;
  /** Bytes of the whole body, where it was read. */
  requestBodyBytes = 0;
  appId: string | null = null;
  userId: string | null = null;
  ignoredFields: readonly string[] = NONE;
  warnings: readonly string[] = NONE;
  status = 0;
  reason: string | null = null;
  decision: string | null = null;
  /** The fault that it met (CONTRACT 6). */
  fault: string | null = null;
  /** Whether the passcode that it sends is not to arrive. */
  undelivered = false;
  durationMs = 0;
  responseHeaders: Readonly<Record<string, string>> = NO_HEADERS;
  /** The first 16 KiB of the answer. */
  responseBody: Buffer | null = null;

  constructor(listener: Listener, id: string, req: Arrived, atMs: number, startedMs: number) {
    this.listener = listener;
    this.id = id;
    this.scheme = "encrypted" in req.socket ? "https" : "http";
    this.method = req.method ?? "";
    this.path = req.url ?? "";
    this.atMs = atMs;
    this.startedMs = startedMs;
    this.remote = req.socket.remoteAddress ?? null;
    this.requestHeaders = req.headers;
  }

  /** Notes what the rules said besides their decision. */
  note(notes: Notes | undefined): void {
    if (notes?.ignoredFields !== undefined) this.ignoredFields = few(notes.ignoredFields, BOUNDS.logNameLength.most);
    if (notes?.warnings !== undefined) this.warnings = few(notes.warnings, BOUNDS.logWarningLength.most);
    if (notes?.userId !== undefined) this.userId = notes.userId;
  }

  /** Notes what the request has made; a deterministic app gives the request that made it an id of its own. */
  made({ userId, requestId }: { readonly userId: string; readonly requestId: string | null }): void {
    this.userId = userId;
    this.id = requestId ?? this.id;
  }

  /** Keeps the beginning of the body as it came. */
  keepBody(body: Buffer): void {
    this.requestBodyBytes = body.length;
    this.requestBody = kept(body);
  }

  /** About how many bytes of memory the row takes, with all that it holds; known once it is closed. */
  weight = 0;

  #weigh(): number {
    const texts = weightOfTexts(this.ignoredFields) + weightOfTexts(this.warnings) + this.path.length;
    const headers = weightOfHeaders(this.requestHeaders) + weightOfHeaders(this.responseHeaders);
    return ROW + texts + headers + (this.requestBody?.length ?? 0) + (this.responseBody?.length ?? 0);
  }

  /** Closes the row. @param nowMs by the monotonic clock. */
  close(status: number, headers: Readonly<Record<string, string>>, body: Buffer | null, nowMs: number): void {
    this.status = status;
    this.responseHeaders = headers;
    this.responseBody = body === null ? null : kept(body);
    this.durationMs = Math.round((nowMs - this.startedMs) * 1000) / 1000;
    this.weight = this.#weigh();
  }
}

/** @returns a row as the log of another Stagedoor had it: its secrets are masked. */
export const exchangeFrom = (item: RequestItem): Exchange => {
  const { listener, scheme, method, path: url, request, response, remote, ...rest } = item;
  const socket = { remoteAddress: remote ?? undefined, ...(scheme === "https" ? { encrypted: true } : {}) };
  const row = new Exchange(
    listener,
    item.id,
    { method, url, headers: request.headers, socket },
    Date.parse(item.at),
    0,
  );
  const { appId, userId, reason, decision, fault, ignoredFields, warnings } = rest;
  Object.assign(row, { appId, userId, reason, decision, fault, ignoredFields, warnings });
  if (request.body !== null) row.keepBody(Buffer.from(request.body));
  const headers = Object.fromEntries(Object.entries(response.headers).map(([name, value]) => [name, String(value)]));
  row.close(item.status, headers, response.body === null ? null : Buffer.from(response.body), item.durationMs);
  return row;
};

/** @returns the exchange that the first middleware opened for this answer. */
export const exchangeOf = (res: Response): Exchange => {
  const { exchange } = res.locals;
  if (exchange instanceof Exchange) return exchange;
  throw new Error("no exchange was opened for this answer");
};
