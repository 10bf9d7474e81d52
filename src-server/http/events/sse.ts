/** Server-sent events: numbered, resumable with `Last-Event-ID`, within limits. */
import { type EventData, type EventInput, type EventQuery, eventQuery } from "#contract/control/events.ts";
import { isHidden } from "#domain/world.ts";
import type { Deps } from "../deps.ts";
import type { PendingCall, StepResult } from "../handler.ts";
import { appNamed } from "../lookups/select.ts";
import type { Exchange } from "../traffic/exchange.ts";
import { requestSummary } from "../traffic/request-log.ts";
import { createChangeEvents } from "./change-events.ts";
import { EventReader, type KeptEvent, Readers, Ring, type View } from "./ring.ts";

/** Each reader hears this often that the stream still lives, in milliseconds. */
const HEARTBEAT_MS = 15_000;
/** So many readers hear it at once: many of them must not keep a request waiting. */
const AT_ONCE = 100;
/** The key of the rows of hidden apps; no app has such an id. */
const HIDDEN = "hidden ";
/** Rows of the request log are published at most 20 times a second. */
const ROWS_MS = 50;
/** Memory of a stream with its connection, in bytes. */
const STREAM = 32 * 1_024;

/** The readers of the events, and what is published to them. */
export class EventHub {
  readonly #deps: Deps;
  readonly #instance: string;
  readonly #ring: Ring;
  readonly #readers = new Readers();
  /** The rows of the next event: of all apps (`""`), and of each app if there are bound tokens. */
  readonly #rows = new Map<string, { readonly newest: Exchange; readonly more: number }>();
  /** How many are open, by the app of a bound token; undefined: with the console's own. */
  readonly #open = new Map<string | undefined, number>();
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
    deps.store.shares.counts("streams", (appId) => this.#countOf(appId) * STREAM);
  }

  #countOf(own: string | undefined): number {
    return this.#open.get(own) ?? 0;
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
    this.#heartbeat = setInterval(() => this.#sayStillHere(this.#readers.all()), HEARTBEAT_MS).unref();
  }

  #sayStillHere(readers: Iterator<EventReader>): void {
    for (let count = 0; count < AT_ONCE; count++) {
      const next = readers.next();
      if (next.done === true) return;
      next.value.say(": still here\n\n");
    }
    setImmediate(() => this.#sayStillHere(readers));
  }

  #add({ type, appId, seq = this.#deps.store.world.seq, item }: EventInput, own?: KeptEvent["own"]): void {
    this.#ring.add({ type, appId, seq, item }, own, isHidden(this.#deps.store.world, appId));
    // The only event of all apps that those who see a single one get.
    const isOfAll = type === "state.put" && appId === null;
    const apps =
      own === undefined
        ? appId === null
          ? []
          : [appId]
        : [...own.keys()].map((key) => key.slice(0, key.lastIndexOf(" ")));
    this.#readers.pump(this.#ring.last, isOfAll ? undefined : apps);
  }

  #noteRow(row: Exchange): void {
    const { store, admit } = this.#deps;
    // Those of a hidden app are their own event.
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
    let own: KeptEvent["own"] = byKey;
    for (const key of ["", HIDDEN]) {
      const event = byKey.get(key);
      if (event === undefined) continue;
      this.#add(event, own);
      own = new Map();
    }
  }

  #viewOf(appId: string): View {
    const { world } = this.#deps.store;
    const since = world.app(appId)?.app.seq ?? Infinity;
    this.#hasViews = true;
    return { appId, since, isCurrent: () => world.app(appId)?.app.seq === since };
  }

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
    const { eventStreams, appStreams } = this.#deps.maxima;
    const most = own === undefined ? eventStreams : appStreams;
    if (this.#countOf(own) >= most) return { code: "too_many_streams" };
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
    this.#open.set(own, this.#countOf(own) + 1);
    // A job that listens uses its app.
    const release = own === undefined ? undefined : leases.hold(own);
    res.once("close", () => {
      readers.delete(reader);
      if (this.#countOf(own) > 1) this.#open.set(own, this.#countOf(own) - 1);
      else this.#open.delete(own);
      release?.();
    });
    // Send something immediately, so that the reader knows that it is connected; the id allows it to resume.
    if (from !== undefined && next === undefined)
      reader.say(ring.block(ring.last, { type: "resync", appId: null, seq: store.world.seq, item: null }));
    else reader.say(`retry: 1000\n${next === undefined ? `id: ${this.#instance}-${ring.last}\n` : ""}: connected\n\n`);
    reader.pump();
    return "ended";
  };

  close(): void {
    for (const stop of this.#stops) stop();
    clearInterval(this.#heartbeat);
    clearTimeout(this.#rowsTimer);
    for (const reader of this.#readers.all()) reader.end();
  }
}
