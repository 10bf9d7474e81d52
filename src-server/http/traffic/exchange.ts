/** One request and its response while a listener handles it, as the request log will show them. */
import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import type { Response } from "express";
import { BOUNDS } from "#contract/bounds.ts";
import type { Advice, CarriedOut, Check, Login, RequestItem } from "#contract/control/requests.ts";
import type { Listener, OperationId } from "#contract/control/routes.ts";
import { beginningOf, cutText } from "#contract/scalars.ts";
import type { FieldErrors } from "#contract/validation.ts";
import type { Notes } from "#domain/decision.ts";
import type { MessageFault } from "#domain/world.ts";

type Headers = Readonly<Record<string, string>>;

const NONE: readonly string[] = [];
const NO_HEADERS: Headers = {};
const NO_ERRORS: FieldErrors = {};
const NO_ADVICE: readonly Advice[] = [];
const AS_USUAL: MessageFault = {};

/** @returns what the log keeps, without splitting a character: a copy, so that the rest can be freed. */
const kept = (body: Buffer): Buffer => {
  let end = BOUNDS.logBodyBytes.most;
  if (body.length <= end) return body;
  while (end > 0 && ((body[end] ?? 0) & 0xc0) === 0x80) end--;
  return Buffer.from(body.subarray(0, end));
};

/** @returns the part of a list of texts that the log keeps. @param most characters of each. */
const few = (texts: readonly string[], most: number): readonly string[] => {
  const shown = texts.slice(0, BOUNDS.logNames.most).map((text) => cutText(text, most));
  return shown.length === texts.length ? shown : [...shown, `and ${texts.length - shown.length} more`];
};

/** Memory overhead of an object, a header or a text in bytes. */
const EACH = 64;
/** Memory of the fixed fields of a row in bytes. */
const ROW = 512;

const weightOfTexts = (texts: readonly string[]): number =>
  texts.reduce((sum, text) => sum + EACH + 2 * text.length, 0);

const weightOfHeaders = (headers: IncomingHttpHeaders | Headers): number => {
  let sum = 0;
  for (const name in headers) sum += 2 * EACH + name.length + (headers[name]?.length ?? 0);
  return sum;
};

/** @returns the user agent of a request, truncated to the stored length; null if none was sent. */
export const userAgentOf = ({ "user-agent": sent }: IncomingHttpHeaders): string | null =>
  sent === undefined ? null : beginningOf(sent, BOUNDS.deviceLength.most);

/** The header of a request that was sent before. */
export const RESENT = "emulator-resent";

interface Arrived extends Pick<IncomingMessage, "method" | "url" | "headers"> {
  readonly socket: { readonly remoteAddress?: string | undefined; readonly encrypted?: boolean };
}

/** How an exchange ended: it was answered, the connection was cut on purpose, or the client had left. */
export type Ending = "answered" | "cut" | "left";

/** Who signs in with a request, and the code that it carries; null if it names no user, or has none. */
export type Named = { readonly [K in "to" | "typed"]: Login[K] | null };

/** What a fault does with an answer. @param answered the row with it. @param send sends it after all. */
export type Aftermath = (answered: Exchange, send: () => void) => void;

/** Makes advice. @param isBrief without what takes long to work out. */
export type Advise = (isBrief: boolean) => readonly Advice[];

/** A row of the request log under construction. */
export class Exchange {
  id: string;
  readonly listener: Listener;
  /** Whether it only asked whether Stagedoor is there: the request log does not have it. */
  isProbe = false;
  readonly scheme: "http" | "https";
  readonly method: string;
  /** As requested, with the query. */
  readonly path: string;
  /** Service clock, milliseconds since 1970. */
  readonly atMs: number;
  /** Monotonic clock, milliseconds. */
  readonly startedMs: number;
  /** The number of the last change before it. */
  seq = 0;
  readonly remote: string | null;
  readonly requestHeaders: IncomingHttpHeaders;
  /** The first 16 KiB of the body. */
  requestBody: Buffer | null = null;
  /** Size of the whole body in bytes, if it was read. */
  requestBodyBytes = 0;
  appId: string | null = null;
  userId: string | null = null;
  ignoredFields: readonly string[] = NONE;
  /** The parameters of the query that the operation ignores. */
  unknownQuery: readonly string[] = NONE;
  warnings: readonly string[] = NONE;
  status = 0;
  reason: string | null = null;
  check: Check | null = null;
  decision: string | null = null;
  operation: OperationId | null = null;
  /** The login that it belongs to; until it is answered, one of its own. */
  login: Login | null = null;
  fields: FieldErrors = NO_ERRORS;
  fault: string | null = null;
  /** The id of the request that this one repeats, by the client itself or by a fault. */
  repeats: string | null = null;
  carriedOut: CarriedOut | null = null;
  left = false;
  /** Instead of sending its answer; null: the answer is sent. */
  aftermath: Aftermath | null = null;
  /** What becomes of the answer when it is carried out once more; null: it is carried out once. */
  twice: { readonly aftermath: Aftermath | null } | null = null;
  /** What a fault does with the message of its passcode. */
  message: MessageFault = AS_USUAL;
  /** How far a fault puts the service's clock ahead for this request. */
  clockOffMs = 0;
  durationMs = 0;
  #advice: readonly Advice[] | Advise = NO_ADVICE;
  /** Estimated memory of the row in bytes, including everything in it; known once it is closed. */
  weight = 0;
  responseHeaders: Headers = NO_HEADERS;
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

  get advice(): readonly Advice[] {
    if (typeof this.#advice === "function") this.#advice = this.#advice(false);
    return this.#advice;
  }

  /** The same as far as it is known, or worked out at once. */
  get briefAdvice(): readonly Advice[] {
    return typeof this.#advice === "function" ? this.#advice(true) : this.#advice;
  }

  /** @param advice made when it is first read, from what does not change any more. */
  set advice(advice: readonly Advice[] | Advise) {
    this.#advice = advice;
  }

  /** Whether it was sent before, and again by the console or a person. */
  get isResent(): boolean {
    return this.requestHeaders[RESENT] !== undefined;
  }

  note(notes: Notes | undefined): void {
    if (notes?.ignoredFields !== undefined) this.ignoredFields = this.#withQuery(notes.ignoredFields);
    if (notes?.warnings !== undefined) this.warnings = few(notes.warnings, BOUNDS.logWarningLength.most);
    if (notes?.userId !== undefined) this.userId = notes.userId;
  }

  ignoresQuery(names: Iterable<string>): void {
    this.unknownQuery = [...new Set(names)];
    this.ignoredFields = this.#withQuery(this.ignoredFields);
  }

  #withQuery(fields: readonly string[]): readonly string[] {
    return few([...this.unknownQuery.map((name) => `?${name}`), ...fields], BOUNDS.logNameLength.most);
  }

  warn(sentence: string): void {
    this.warnings = few([...this.warnings, sentence], BOUNDS.logWarningLength.most);
  }

  names({ to, typed }: Named): void {
    const most = BOUNDS.logLoginLength.most;
    const code = this.method === "PUT" && typed !== null ? cutText(typed, most) : null;
    this.login = to === null ? null : { id: this.id, to: cutText(to, most), typed: code };
  }

  /** Records what the request has created; its app can assign its own id (AppRandom). */
  noteCreated({ userId, requestId }: { readonly userId: string; readonly requestId: string | null }): void {
    this.userId = userId;
    this.id = requestId ?? this.id;
  }

  /** @returns the row of the same request, once more. @param atMs as in the constructor. */
  again(req: Arrived, id: string, atMs: number, startedMs: number): Exchange {
    const next = new Exchange(this.listener, id, req, atMs, startedMs);
    const { requestBody, requestBodyBytes, message, clockOffMs, appId, userId, fault } = this;
    Object.assign(next, { requestBody, requestBodyBytes, message, clockOffMs });
    return Object.assign(next, { appId, userId, fault, repeats: this.id });
  }

  keepBody(body: Buffer): void {
    this.requestBodyBytes = body.length;
    this.requestBody = kept(body);
  }

  /** Closes the row. @param nowMs on the monotonic clock. */
  close(status: number, headers: Headers, body: Buffer | null, nowMs: number): void {
    this.status = status;
    this.responseHeaders = headers;
    this.responseBody = body === null ? null : kept(body);
    this.durationMs = Math.round((nowMs - this.startedMs) * 1000) / 1000;
    const texts = weightOfTexts(this.ignoredFields) + weightOfTexts(this.warnings) + this.path.length;
    const login = this.login === null ? 0 : EACH + 2 * (this.login.to.length + (this.login.typed?.length ?? 0));
    const bodies = (this.requestBody?.length ?? 0) + (this.responseBody?.length ?? 0);
    this.weight = ROW + texts + login + weightOfHeaders(this.requestHeaders) + weightOfHeaders(headers) + bodies;
  }
}

/** @returns a row from the log of another Stagedoor, with masked secrets. */
export const exchangeFrom = (item: RequestItem): Exchange => {
  const { listener, id, scheme, method, path: url, request, response, remote } = item;
  const socket = { remoteAddress: remote ?? undefined, ...(scheme === "https" ? { encrypted: true } : {}) };
  const row = new Exchange(listener, id, { method, url, headers: request.headers, socket }, Date.parse(item.at), 0);
  const { appId, userId, reason, check, decision, fault, repeats, login = null, ignoredFields, warnings } = item;
  const { carriedOut = null, left = false } = item;
  row.advice = item.advice ?? NO_ADVICE;
  Object.assign(row, { appId, userId, reason, check, decision, fault, repeats, carriedOut, left, login });
  Object.assign(row, { ignoredFields, warnings });
  if (request.body !== null) row.keepBody(Buffer.from(request.body));
  const headers = Object.fromEntries(Object.entries(response.headers).map(([name, value]) => [name, String(value)]));
  row.close(item.status, headers, response.body === null ? null : Buffer.from(response.body), item.durationMs);
  return row;
};

/** @returns the exchange that the first middleware created for this response. */
export const exchangeOf = (res: Response): Exchange => {
  const { exchange } = res.locals;
  if (exchange instanceof Exchange) return exchange;
  throw new Error("no exchange was opened for this response");
};
