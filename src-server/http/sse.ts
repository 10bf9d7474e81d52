/**
 * Server-sent events: numbered, replayed by `Last-Event-ID`, within bounds (CONTRACT 6, events).
 */
import { type EventData, MAX_STREAMS } from "#contract/events.ts";
import { createChangeEvents } from "./change-events.ts";
import type { Deps } from "./deps.ts";
import { EventReader, type EventRing } from "./event-reader.ts";
import type { Exchange } from "./exchange.ts";
import type { Stream } from "./handler.ts";
import { requestSummary } from "./request-log.ts";
import { showSnapshot } from "./snapshot-item.ts";

/** How many events are kept, at least, to be replayed. */
const KEPT = 1_000;
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

/** The newest events by their numbers, which start at 1. They become text when the first reader asks for it. */
class Ring implements EventRing {
  readonly #instance: string;
  readonly #kept: { readonly data: EventData; text?: string }[] = [];
  last = 0;

  constructor(instance: string) {
    this.#instance = instance;
  }

  add(data: EventData): void {
    this.last++;
    this.#kept.push({ data });
    if (this.#kept.length > 2 * KEPT) this.#kept.splice(0, KEPT);
  }

  block(n: number, data: EventData): string {
    return `id: ${this.#instance}-${n}\ndata: ${JSON.stringify(data)}\n\n`;
  }

  text(n: number): string | undefined {
    const entry = this.#kept[this.#kept.length - 1 - (this.last - n)];
    if (entry === undefined) return undefined;
    entry.text ??= this.block(n, entry.data);
    return entry.text;
  }

  /** @returns the number after the event that a reader names as its last; undefined if what it missed cannot be told. */
  after(lastEventId: string): number | undefined {
    const match = /^(.+)-(\d{1,15})$/.exec(lastEventId);
    const n = Number(match?.[2]);
    const told = match?.[1] === this.#instance && n <= this.last && n >= this.last - this.#kept.length;
    return told ? n + 1 : undefined;
  }
}

/** @param instance tells this process from the one before: an id of another one cannot be resumed. */
export const createEventHub = (deps: Deps, instance: string): EventHub => {
  const readers = new Set<EventReader>();
  const ring = new Ring(instance);
  const publish = (event: EventData): void => {
    ring.add(event);
    for (const reader of readers) reader.pump();
  };

  const eventsOf = createChangeEvents(deps);
  const unsubscribe = deps.store.subscribe((changes) => {
    for (const event of eventsOf(changes)) publish(event);
  });

  deps.faults.onEvent(publish);

  deps.devices.onDevices((appId, item) =>
    publish({ type: "passcode.devices", appId, seq: deps.store.world.seq, item }),
  );
  deps.store.snapshots.onEvent((event, saved) => {
    const item = event === "put" ? showSnapshot(saved) : { name: saved.name };
    publish({ type: `snapshot.${event}`, appId: saved.appId, seq: deps.store.world.seq, item });
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
    for (const reader of readers) reader.say(": still here\n\n");
  }, HEARTBEAT_MS).unref();

  return {
    stream: (req, res) => {
      if (readers.size >= MAX_STREAMS) return { code: "too_many_streams" };
      res.writeHead(200, {
        Emulator: `stagedoor/${deps.version}`,
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
      const next = from === undefined ? undefined : ring.after(String(from));
      const reader = new EventReader(res, ring, next ?? ring.last + 1);
      readers.add(reader);
      res.once("close", () => readers.delete(reader));
      // Something at once, so that the reader knows it is connected; with the id from which it can resume.
      if (from !== undefined && next === undefined)
        reader.say(ring.block(ring.last, { type: "resync", appId: null, seq: deps.store.world.seq, item: null }));
      else reader.say(`retry: 1000\n${next === undefined ? `id: ${instance}-${ring.last}\n` : ""}: connected\n\n`);
      reader.pump();
      return undefined;
    },
    close: () => {
      unsubscribe();
      clearInterval(heartbeat);
      clearTimeout(rowsTimer);
      for (const reader of readers) reader.end();
      readers.clear();
    },
  };
};
