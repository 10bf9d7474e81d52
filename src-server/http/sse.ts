/**
 * Server-sent events: numbered, replayed by `Last-Event-ID`, within bounds (CONTRACT 6, events).
 */
import type { Response } from "express";
import { type EventData, MAX_STREAMS } from "#contract/events.ts";
import { createChangeEvents } from "./change-events.ts";
import type { Deps } from "./deps.ts";
import type { Exchange } from "./exchange.ts";
import type { Stream } from "./handler.ts";
import { requestSummary } from "./request-log.ts";

/** How many events are kept to be replayed. */
const KEPT = 1_000;
/** A reader with this many bytes unread is dropped: it will reconnect and be told to fetch anew. */
const SLOW_BYTES = 1_048_576;
const HEARTBEAT_MS = 15_000;
/** Rows of the request log are told at most 20 times a second. */
const ROWS_MS = 50;

/** @see createEventHub */
export interface EventHub {
  /** Answers one stream. */
  readonly stream: Stream;
  /** Ends all streams. */
  close(): void;
}

/** @param instance tells this process from the one before: an id of another one cannot be resumed. */
export const createEventHub = (deps: Deps, instance: string): EventHub => {
  const streams = new Set<Response>();
  const kept: EventData[] = [];
  /** The number of the last event. */
  let last = 0;

  const block = (n: number, data: EventData): string => `id: ${instance}-${n}\ndata: ${JSON.stringify(data)}\n\n`;
  const resync = (): string => block(last, { type: "resync", appId: null, seq: deps.store.world.seq, item: null });

  const write = (res: Response, text: string): void => {
    res.write(text);
    if (res.writableLength > SLOW_BYTES) {
      streams.delete(res);
      res.destroy();
    }
  };

  const publish = (event: EventData): void => {
    last++;
    kept.push(event);
    if (kept.length > 2 * KEPT) kept.splice(0, kept.length - KEPT);
    if (streams.size === 0) return;
    const text = block(last, event);
    for (const res of streams) write(res, text);
  };

  const eventsOf = createChangeEvents(deps);
  const unsubscribe = deps.store.subscribe((changes) => {
    for (const event of eventsOf(changes)) publish(event);
  });

  let newest: Exchange | undefined;
  let rows = 0;
  let rowsTimer: NodeJS.Timeout | undefined;
  const publishRows = (): void => {
    rowsTimer = undefined;
    if (newest === undefined) return;
    publish({
      type: "request.put",
      appId: newest.appId,
      seq: deps.store.world.seq,
      item: { ...requestSummary(newest), more: rows - 1 },
    });
    [newest, rows] = [undefined, 0];
  };
  deps.log.onRow((row) => {
    newest = row;
    rows++;
    rowsTimer ??= setTimeout(publishRows, ROWS_MS).unref();
  });

  const heartbeat = setInterval(() => {
    for (const res of streams) write(res, ": still here\n\n");
  }, HEARTBEAT_MS).unref();

  /** What a reader that names its last event has missed; undefined if that cannot be told. */
  const missed = (lastEventId: string): string | undefined => {
    const match = /^(.+)-(\d{1,15})$/.exec(lastEventId);
    const n = Number(match?.[2]);
    const behind = last - n;
    if (match?.[1] !== instance || behind < 0 || behind > kept.length) return undefined;
    return kept
      .slice(kept.length - behind)
      .map((event, i) => block(n + 1 + i, event))
      .join("");
  };

  return {
    stream: (req, res) => {
      if (streams.size >= MAX_STREAMS) return { code: "too_many_streams" };
      res.writeHead(200, {
        "Content-Type": "text/event-stream; charset=utf-8",
        "Cache-Control": "no-store",
        "Cross-Origin-Resource-Policy": "same-origin",
        "X-Content-Type-Options": "nosniff",
        "X-Accel-Buffering": "no",
      });
      if (req.method === "HEAD") {
        res.end();
        return undefined;
      }
      const from = req.headers["last-event-id"];
      // A comment at once, so that the reader knows it is connected; the id from which it can resume.
      const greeting = `retry: 1000\nid: ${instance}-${last}\n: connected\n\n`;
      streams.add(res);
      res.once("close", () => streams.delete(res));
      write(res, from === undefined ? greeting : (missed(String(from)) ?? resync()));
      return undefined;
    },
    close: () => {
      unsubscribe();
      clearInterval(heartbeat);
      clearTimeout(rowsTimer);
      for (const res of streams) res.end();
      streams.clear();
    },
  };
};
