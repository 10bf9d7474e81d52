/**
 * One request and its answer on their way through a listener: what the log will say of them.
 */
import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import type { Response } from "express";
import { LOG_LIMITS } from "#contract/requests.ts";
import type { Listener } from "#contract/routes.ts";
import type { Notes } from "#domain/decision.ts";

const NONE: readonly string[] = [];

/** @returns as much of UTF-8 text as the log keeps of a body; no character is cut in two. */
const beginning = (body: Buffer): Buffer => {
  let end = Math.min(body.length, LOG_LIMITS.bodyBytes);
  while (end > 0 && end < body.length && ((body[end] ?? 0) & 0xc0) === 0x80) end--;
  return body.subarray(0, end);
};

/** @returns what the log keeps of a body: a copy of a long one's beginning, so that the rest is not held. */
const kept = (body: Buffer): Buffer => (body.length > LOG_LIMITS.bodyBytes ? Buffer.from(beginning(body)) : body);

/** A row of the request log in the making. */
export class Exchange {
  id: string;
  readonly listener: Listener;
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
  responseHeaders: Readonly<Record<string, string>> = {};
  /** The first 16 KiB of the answer. */
  responseBody: Buffer | null = null;

  constructor(listener: Listener, id: string, req: IncomingMessage, atMs: number, startedMs: number) {
    this.listener = listener;
    this.id = id;
    this.method = req.method ?? "";
    this.path = req.url ?? "";
    this.atMs = atMs;
    this.startedMs = startedMs;
    this.remote = req.socket.remoteAddress ?? null;
    this.requestHeaders = req.headers;
  }

  /** Notes what the rules said besides their decision. */
  note(notes: Notes | undefined): void {
    if (notes?.ignoredFields !== undefined) this.ignoredFields = notes.ignoredFields;
    if (notes?.warnings !== undefined) this.warnings = notes.warnings;
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

  /** Closes the row. @param nowMs by the monotonic clock. */
  close(status: number, headers: Readonly<Record<string, string>>, body: Buffer | null, nowMs: number): void {
    this.status = status;
    this.responseHeaders = headers;
    this.responseBody = body === null ? null : kept(body);
    this.durationMs = Math.round((nowMs - this.startedMs) * 1000) / 1000;
  }
}

/** @returns the exchange that the first middleware opened for this answer. */
export const exchangeOf = (res: Response): Exchange => {
  const { exchange } = res.locals;
  if (exchange instanceof Exchange) return exchange;
  throw new Error("no exchange was opened for this answer");
};
