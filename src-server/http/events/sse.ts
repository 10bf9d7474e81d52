/** Server-sent events: numbered, resumable with `Last-Event-ID`, within limits (CONTRACT 6, events). */
import type { Response } from "express";
import { BOUNDS } from "#contract/bounds.ts";
import { type EventData, type EventInput, type EventQuery, eventQuery } from "#contract/events.ts";
import { weightOf } from "#domain/history/weight.ts";
import { isHidden } from "#domain/world.ts";
import type { Deps } from "../deps.ts";
import type { PendingCall, StepResult } from "../handler.ts";
import { appNamed } from "../select.ts";
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

/** What a reader sees. `all`: all events; `shown`: without those of hidden apps. */
type Seen = View | "shown" | "all";

/** Maximum number of streams for one app, so that one job cannot use up all of them. */
const MOST_OF_APP = 8;

/** How many events are kept at least, for readers that resume. */
const KEPT = 1_000;
const HEARTBEAT_MS = 15_000;
/** The key of the rows of hidden apps; no app has such an id. */
const HIDDEN = "hidden ";
/** Rows of the request log are published at most 20 times a second. */
const ROWS_MS = 50;

/** A stored event. */
interface Kept {
  readonly data: EventData;
  text?: string;
  /** Estimated memory in bytes. */
  bytes: number;
  /** Whether it is of a hidden app. */
  readonly isHidden: boolean;
  /** Replacements for readers of a single app, by its id and the change that created it. */
  readonly own: ReadonlyMap<string, EventData> | undefined;
}

/** The newest events by number, from 1. They are serialised when the first reader needs them. */
class Ring {
  readonly #instance: string;
  readonly #kept: Kept[] = [];
  #bytes = 0;
  last = 0;

  constructor(instance: string) {
    this.#instance = instance;
  }

  /** @param own replacements for readers of a single app, by app. */
  add(data: EventData, own: Kept["own"], isHidden: boolean): void {
    this.last++;
    const bytes = weightOf(data);
    this.#kept.push({ data, own, bytes, isHidden });
    this.#bytes += bytes;
    if (this.#kept.length > 2 * KEPT) this.#drop(KEPT);
    while (this.#bytes > BOUNDS.eventBytes.most && this.#kept.length > 1) this.#drop(1);
  }

  #drop(count: number): void {
    for (const { bytes } of this.#kept.splice(0, count)) this.#bytes -= bytes;
  }

  block(n: number, data: EventData): string {
    return `id: ${this.#instance}-${n}\ndata: ${JSON.stringify(data)}\n\n`;
  }

  /** @returns an event as text; "" if it concerns other apps than the view; undefined if it is gone. */
  text(n: number, view: Seen): string | undefined {
    const entry = this.#kept[this.#kept.length - 1 - (this.last - n)];
    if (entry === undefined) return undefined;
    const { data } = entry;
    // Without data, so that the reader does not see a gap.
    if (view === "shown" && entry.isHidden) return `id: ${this.#instance}-${n}\n\n`;
    if (typeof view === "string") {
      if (entry.text === undefined) {
        entry.text = this.block(n, data);
        entry.bytes += entry.text.length;
        this.#bytes += entry.text.length;
      }
      return entry.text;
    }
    const { appId, since } = view;
    const isOwn = data.appId === appId || (data.appId === null && data.type === "state.put");
    const own = entry.own === undefined ? isOwn && data.seq >= since && data : entry.own.get(`${appId} ${since}`);
    // Preceded by its predecessor's id without data, so that the reader does not see a gap.
    return own ? `id: ${this.#instance}-${n - 1}\n\n${this.block(n, own)}` : "";
  }

  /** @returns the number after a reader's last event; undefined if the missed events are unknown. */
  after(lastEventId: string): number | undefined {
    const match = /^(.+)-(\d{1,15})$/.exec(lastEventId);
    const n = Number(match?.[2]);
    const isKnown = match?.[1] === this.#instance && n <= this.last && n >= this.last - this.#kept.length;
    return isKnown ? n + 1 : undefined;
  }
}

/** One reader: it is sent as much as it accepts, and has no buffer beyond the shared ring. */
class EventReader {
  readonly #res: Response;
  readonly #ring: Ring;
  /** The number of its next event. */
  #next: number;
  #stuck: NodeJS.Timeout | undefined;
  readonly view: Seen;

  /** @param next the number of its first event. */
  constructor(res: Response, ring: Ring, next: number, view: Seen) {
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

  /** Sends a text, unless the reader is behind. Drops a reader that accepts nothing for too long. */
  say(text: string): void {
    if (this.#stuck !== undefined || this.#res.destroyed || this.#res.writableEnded) return;
    if (!this.#res.write(text)) this.#stuck = setTimeout(() => this.#res.destroy(), STUCK_MS).unref();
  }

  /** Sends what the reader accepts. Drops a reader that is too far behind: it reconnects and reloads. */
  pump(): void {
    if (typeof this.view === "object" && !this.view.isCurrent()) {
      this.end();
      return;
    }
    while (this.#stuck === undefined && this.#next <= this.#ring.last) {
      const text = this.#ring.text(this.#next, this.view);
      if (text === undefined) {
        this.#res.destroy();
        return;
      }
      this.#next++;
      if (text !== "") this.say(text);
    }
  }

  /** Ends the stream. */
  end(): void {
    if (!this.#res.destroyed) this.#res.end();
  }
}

/** The readers of the events, and what is published to them. */
export class EventHub {
  readonly #deps: Deps;
  readonly #instance: string;
  readonly #ring: Ring;
  readonly #readers = new Set<EventReader>();
  /** The rows of the next event: of all apps (`""`), and of each app if there are bound tokens. */
  readonly #rows = new Map<string, { readonly newest: Exchange; readonly more: number }>();
  #stops: readonly (() => void)[] = [];
  #heartbeat: NodeJS.Timeout | undefined;
  #rowsTimer: NodeJS.Timeout | undefined;
  /** Whether a client has ever read the events of one app: rows are then counted by app as well. */
  #hasViews = false;

  /** @param instance identifies this process: an event id of another process cannot be resumed. */
  constructor(deps: Deps, instance: string) {
    this.#deps = deps;
    this.#instance = instance;
    this.#ring = new Ring(instance);
  }

  /** Follows what happens from the first reader on: before, no reader has an id to resume from. */
  #begin(): void {
    if (this.#heartbeat !== undefined) return;
    const { store, bus } = this.#deps;
    const eventsOf = createChangeEvents(this.#deps);
    this.#stops = [
      store.subscribe((changes) => {
        for (const event of eventsOf(changes)) bus.publish(event);
      }),
      bus.subscribe((message) => {
        if ("row" in message) this.#noteRow(message.row);
        else this.#add(message);
      }),
    ];
    this.#heartbeat = setInterval(() => {
      for (const reader of this.#readers) reader.say(": still here\n\n");
    }, HEARTBEAT_MS).unref();
  }

  #add({ type, appId, seq = this.#deps.store.world.seq, item }: EventInput, own?: Kept["own"]): void {
    this.#ring.add({ type, appId, seq, item }, own, isHidden(this.#deps.store.world, appId));
    for (const reader of this.#readers) reader.pump();
  }

  #noteRow(row: Exchange): void {
    const { store, admit } = this.#deps;
    // Those of a hidden app are an event of their own.
    this.#countRow(isHidden(store.world, row.appId) ? HIDDEN : "", row);
    const app = this.#hasViews || admit !== null ? store.world.app(row.appId ?? "")?.app : undefined;
    if (app !== undefined) this.#countRow(`${app.appId} ${app.seq}`, row);
    this.#rowsTimer ??= setTimeout(() => this.#addRows(), ROWS_MS).unref();
  }

  #countRow(key: string, newest: Exchange): void {
    this.#rows.set(key, { newest, more: (this.#rows.get(key)?.more ?? -1) + 1 });
  }

  #addRows(): void {
    this.#rowsTimer = undefined;
    const { seq } = this.#deps.store.world;
    const events = [...this.#rows].map(([key, { newest, more }]): [string, EventData] => {
      const item = { ...requestSummary(newest), more };
      return [key, { type: "request.put", appId: newest.appId, seq, item }];
    });
    this.#rows.clear();
    const byKey = new Map(events);
    // Each app has its own with the first of both.
    let own: Kept["own"] = byKey;
    for (const key of ["", HIDDEN]) {
      const event = byKey.get(key);
      if (event === undefined) continue;
      this.#add(event, own);
      own = new Map();
    }
  }

  /** @returns the view of one app. */
  #viewOf(appId: string): View {
    const { world } = this.#deps.store;
    const since = world.app(appId)?.app.seq ?? Infinity;
    this.#hasViews = true;
    return { appId, since, isCurrent: () => world.app(appId)?.app.seq === since };
  }

  /** The step that handles a stream. */
  readonly stream = ({ req, res, holder, query }: PendingCall): StepResult => {
    const { leases, store, program } = this.#deps;
    const readers = this.#readers;
    const ring = this.#ring;
    const { appId: asked, lastEventId, hidden }: EventQuery = eventQuery.parse(query ?? {});
    const own = holder?.appId;
    if (own !== undefined && asked !== undefined && asked !== own) return { code: "not_your_app" };
    const appId = own ?? (asked === undefined ? undefined : appNamed(store.world, asked).app.appId);
    const ofAll = hidden === "1" ? "all" : "shown";
    const view = appId === undefined ? ofAll : this.#viewOf(appId);
    const isFull =
      own !== undefined &&
      [...readers].filter(({ view: of }) => typeof of === "object" && of.appId === own).length >= MOST_OF_APP;
    if (isFull || readers.size >= BOUNDS.eventStreams.most) return { code: "too_many_streams" };
    res.writeHead(200, {
      Emulator: `stagedoor/${program.version}`,
      "Content-Type": "text/event-stream; charset=utf-8",
      "Cache-Control": "no-store",
      "Cross-Origin-Resource-Policy": "same-origin",
      "X-Content-Type-Options": "nosniff",
      "X-Accel-Buffering": "no",
    });
    if (req.method === "HEAD") {
      res.end();
      return "ended";
    }
    this.#begin();
    const from = lastEventId ?? req.headers["last-event-id"];
    const next = from === undefined ? undefined : ring.after(String(from));
    const reader = new EventReader(res, ring, next ?? ring.last + 1, view);
    readers.add(reader);
    // A job that listens uses its app.
    const release = own === undefined ? undefined : leases.hold(own);
    res.once("close", () => {
      readers.delete(reader);
      release?.();
    });
    // Send something immediately, so that the reader knows that it is connected; the id allows it to resume.
    if (from !== undefined && next === undefined)
      reader.say(ring.block(ring.last, { type: "resync", appId: null, seq: store.world.seq, item: null }));
    else reader.say(`retry: 1000\n${next === undefined ? `id: ${this.#instance}-${ring.last}\n` : ""}: connected\n\n`);
    reader.pump();
    return "ended";
  };

  /** Ends all streams. */
  close(): void {
    for (const stop of this.#stops) stop();
    clearInterval(this.#heartbeat);
    clearTimeout(this.#rowsTimer);
    for (const reader of this.#readers) reader.end();
    this.#readers.clear();
  }
}
