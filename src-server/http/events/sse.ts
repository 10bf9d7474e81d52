/** Server-sent events: numbered, resumable with `Last-Event-ID`, within limits (CONTRACT 6, events). */
import type { Response } from "express";
import { BOUNDS } from "#contract/bounds.ts";
import type { EventData, EventInput } from "#contract/events.ts";
import { type Visitor, visitorOf } from "../confinement.ts";
import type { Deps } from "../deps.ts";
import type { Stream } from "../handler.ts";
import type { Exchange } from "../traffic/exchange.ts";
import { requestSummary } from "../traffic/request-log.ts";
import { createChangeEvents } from "./change-events.ts";

/** A reader that accepts nothing for this long, although events are pending, is dropped; milliseconds. */
const STUCK_MS = 2_000;

/** What a reader with a bound token sees: events of its app (CONTRACT 13), and reload events. */
interface View {
  readonly appId: string;
  /** The change that created the app: earlier events with the same id belong to another app. */
  readonly since: number;
  /** Whether the app still exists. */
  readonly isCurrent: () => boolean;
}

/** Maximum number of streams for one app, so that one job cannot use up all of them. */
const MOST_OF_APP = 8;

/** One reader: it is sent as much as it accepts, and has no buffer beyond the shared ring. */
class EventReader {
  readonly #res: Response;
  readonly #ring: Ring;
  /** The number of its next event. */
  #next: number;
  #stuck: NodeJS.Timeout | undefined;
  /** Absent: all events. */
  readonly view: View | undefined;

  /** @param next the number of its first event. */
  constructor(res: Response, ring: Ring, next: number, view: View | undefined) {
    this.view = view;
    this.#res = res;
    this.#ring = ring;
    this.#next = next;
    res.on("drain", () => {
      clearTimeout(this.#stuck);
      this.#stuck = undefined;
      this.pump();
    });
    res.once("close", () => clearTimeout(this.#stuck));
  }

  /** Sends a comment, unless the reader is behind. */
  say(text: string): void {
    if (this.#stuck === undefined) this.#write(text);
  }

  /** Sends what the reader accepts. Drops a reader that is too far behind: it reconnects and reloads. */
  pump(): void {
    if (this.view?.isCurrent() === false) {
      this.end();
      return;
    }
    while (this.#stuck === undefined && this.#next <= this.#ring.last) {
      const { view } = this;
      const text = view === undefined ? this.#ring.text(this.#next) : this.#ring.textFor(this.#next, view);
      if (text === undefined) {
        this.drop();
        return;
      }
      this.#next++;
      if (text !== "") this.#write(text);
    }
  }

  /** Closes the connection. */
  drop(): void {
    this.#res.destroy();
  }

  /** Ends the stream. */
  end(): void {
    if (!this.#res.destroyed) this.#res.end();
  }

  #write(text: string): void {
    if (this.#res.destroyed || this.#res.writableEnded) return;
    if (!this.#res.write(text)) this.#stuck = setTimeout(() => this.drop(), STUCK_MS).unref();
  }
}

/** How many events are kept at least, for readers that resume. */
const KEPT = 1_000;
const HEARTBEAT_MS = 15_000;
/** Rows of the request log are published at most 20 times a second. */
const ROWS_MS = 50;

/** @see createEventHub */
export interface EventHub {
  /** Handles one stream. */
  readonly stream: Stream;
  /** Ends all streams. */
  close(): void;
}

/** A stored event. */
interface Kept {
  readonly data: EventData;
  text?: string;
  /** Replacements for readers of a single app, by its id and the change that created it. */
  readonly own?: ReadonlyMap<string, EventData>;
}

/** The newest events by number, from 1. They are serialised when the first reader needs them. */
class Ring {
  readonly #instance: string;
  readonly #kept: Kept[] = [];
  last = 0;

  constructor(instance: string) {
    this.#instance = instance;
  }

  /** @param own replacements for readers of a single app, by app. */
  add(data: EventData, own?: Kept["own"]): void {
    this.last++;
    this.#kept.push({ data, ...(own === undefined ? {} : { own }) });
    if (this.#kept.length > 2 * KEPT) this.#kept.splice(0, KEPT);
  }

  block(n: number, data: EventData): string {
    return `id: ${this.#instance}-${n}\ndata: ${JSON.stringify(data)}\n\n`;
  }

  #entry(n: number): Kept | undefined {
    return this.#kept[this.#kept.length - 1 - (this.last - n)];
  }

  /** @returns the event for a reader of one app; "" if it concerns other apps. */
  textFor(n: number, { appId, since }: View): string | undefined {
    const entry = this.#entry(n);
    if (entry === undefined) return undefined;
    const { data } = entry;
    const isOwn = data.appId === appId || (data.appId === null && data.type === "state.put");
    const own = entry.own === undefined ? isOwn && data.seq >= since && data : entry.own.get(`${appId} ${since}`);
    // Preceded by its predecessor's id without data, so that the reader does not see a gap.
    return own ? `id: ${this.#instance}-${n - 1}\n\n${this.block(n, own)}` : "";
  }

  text(n: number): string | undefined {
    const entry = this.#entry(n);
    if (entry === undefined) return undefined;
    entry.text ??= this.block(n, entry.data);
    return entry.text;
  }

  /** @returns the number after a reader's last event; undefined if the missed events are unknown. */
  after(lastEventId: string): number | undefined {
    const match = /^(.+)-(\d{1,15})$/.exec(lastEventId);
    const n = Number(match?.[2]);
    const told = match?.[1] === this.#instance && n <= this.last && n >= this.last - this.#kept.length;
    return told ? n + 1 : undefined;
  }
}

/** @param instance identifies this process: an event id of another process cannot be resumed. */
export const createEventHub = (deps: Deps, instance: string): EventHub => {
  const readers = new Set<EventReader>();
  const ring = new Ring(instance);
  const { bus, store } = deps;
  const add = ({ type, appId, seq = store.world.seq, item }: EventInput, own?: Kept["own"]): void => {
    ring.add({ type, appId, seq, item }, own);
    for (const reader of readers) reader.pump();
  };

  let newest: Exchange | undefined;
  let rows = 0;
  /** The rows of each app, if there are bound tokens. */
  const rowsOf = new Map<string, { newest: Exchange; rows: number }>();
  let rowsTimer: NodeJS.Timeout | undefined;
  const addRows = (): void => {
    rowsTimer = undefined;
    if (newest === undefined) return;
    const event = (row: Exchange, more: number): EventData => {
      const item = { ...requestSummary(row), more };
      return { type: "request.put", appId: row.appId, seq: store.world.seq, item };
    };
    const own = new Map([...rowsOf].map(([app, of]) => [app, event(of.newest, of.rows - 1)] as const));
    rowsOf.clear();
    add(event(newest, rows - 1), own);
    [newest, rows] = [undefined, 0];
  };

  const eventsOf = createChangeEvents(deps);
  const stops = [
    store.subscribe((changes) => {
      for (const event of eventsOf(changes)) bus.publish(event);
    }),
    bus.subscribe((message) => {
      if (!("row" in message)) return add(message);
      newest = message.row;
      rows++;
      const app = deps.bound === null ? undefined : store.world.app(newest.appId ?? "")?.app;
      if (app !== undefined) {
        const key = `${app.appId} ${app.seq}`;
        rowsOf.set(key, { newest, rows: (rowsOf.get(key)?.rows ?? 0) + 1 });
      }
      rowsTimer ??= setTimeout(addRows, ROWS_MS).unref();
    }),
  ];

  const heartbeat = setInterval(() => {
    for (const reader of readers) reader.say(": still here\n\n");
  }, HEARTBEAT_MS).unref();

  /** @returns the view of a visitor; undefined for the console's own token. */
  const viewOf = (visitor: Visitor | undefined): View | undefined => {
    if (visitor?.may !== "app") return undefined;
    const { appId } = visitor;
    const since = store.world.app(appId)?.app.seq ?? Infinity;
    return { appId, since, isCurrent: () => store.world.app(appId)?.app.seq === since };
  };

  return {
    stream: (req, res) => {
      const view = viewOf(visitorOf(res));
      const isFull =
        view !== undefined && [...readers].filter((one) => one.view?.appId === view.appId).length >= MOST_OF_APP;
      if (isFull || readers.size >= BOUNDS.eventStreams.most) return { code: "too_many_streams" };
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
      const reader = new EventReader(res, ring, next ?? ring.last + 1, view);
      readers.add(reader);
      // A listening job keeps its app's lease.
      const release = view && deps.leases.hold(view.appId);
      res.once("close", () => {
        readers.delete(reader);
        release?.();
      });
      // Send something immediately, so that the reader knows that it is connected; the id allows it to resume.
      if (from !== undefined && next === undefined)
        reader.say(ring.block(ring.last, { type: "resync", appId: null, seq: deps.store.world.seq, item: null }));
      else reader.say(`retry: 1000\n${next === undefined ? `id: ${instance}-${ring.last}\n` : ""}: connected\n\n`);
      reader.pump();
      return undefined;
    },
    close: () => {
      for (const stop of stops) stop();
      clearInterval(heartbeat);
      clearTimeout(rowsTimer);
      for (const reader of readers) reader.end();
      readers.clear();
    },
  };
};
