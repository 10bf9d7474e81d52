/** The newest events, numbered, for readers that read on or come back. */

import type { Response } from "express";
import { BOUNDS } from "#contract/bounds.ts";
import type { EventData } from "#contract/control/events.ts";
import { memoryOf } from "#domain/history/memory.ts";

/** What a reader with a bound token sees: events of its app, and reload events. */
export interface View {
  readonly appId: string;
  /** The change that created the app: earlier events with the same id belong to another app. */
  readonly since: number;
  readonly isCurrent: () => boolean;
}

/** What a reader sees. `all`: all events; `shown`: without those of hidden apps. */
export type EventView = View | "shown" | "all";

/** How many events are kept at least, for readers that resume. */
const KEPT = 1_000;

/** A stored event. */
export interface KeptEvent {
  readonly data: EventData;
  text?: string;
  /** Estimated memory in bytes. */
  bytes: number;
  readonly isHidden: boolean;
  /** Replacements for readers of a single app, by its id and the change that created it. */
  readonly own: ReadonlyMap<string, EventData> | undefined;
}

/** The newest events by number, from 1. They are serialised when the first reader needs them. */
export class Ring {
  readonly #instance: string;
  readonly #kept: KeptEvent[] = [];
  #bytes = 0;
  last = 0;

  constructor(instance: string) {
    this.#instance = instance;
  }

  /** @param own replacements for readers of a single app, by app. */
  add(data: EventData, own: KeptEvent["own"], isHidden: boolean): void {
    this.last++;
    const bytes = memoryOf(data);
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
  text(n: number, view: EventView): string | undefined {
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

/** A reader that accepts nothing for this long, although events are pending, is dropped; milliseconds. */
const STUCK_MS = 2_000;

/** One reader: it is sent as much as it accepts, and has no buffer beyond the shared ring. */
export class EventReader {
  readonly #res: Response;
  readonly #ring: Ring;
  #next: number;
  #stuck: NodeJS.Timeout | undefined;
  readonly view: EventView;

  constructor(res: Response, ring: Ring, next: number, view: EventView) {
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

  /** Goes on with this event: what came before it is not for this reader. One that is behind goes on where it is. */
  skipTo(n: number): void {
    if (this.#stuck === undefined) this.#next = Math.max(this.#next, n);
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

  end(): void {
    if (!this.#res.destroyed) this.#res.end();
  }
}

/** All readers, by the app that they see. */
export class Readers {
  /** By app; null: those that see all apps. */
  readonly #byApp = new Map<string | null, Set<EventReader>>();

  add(reader: EventReader): void {
    const key = keyOf(reader);
    const of = this.#byApp.get(key) ?? new Set();
    this.#byApp.set(key, of.add(reader));
  }

  delete(reader: EventReader): void {
    const key = keyOf(reader);
    const of = this.#byApp.get(key);
    of?.delete(reader);
    if (of?.size === 0) this.#byApp.delete(key);
  }

  /** Sends the event with this number. @param apps those that it concerns; undefined: all. */
  pump(n: number, apps: Iterable<string> | undefined): void {
    if (apps === undefined) for (const reader of this.all()) reader.pump();
    else
      for (const key of [null, ...apps])
        for (const reader of this.#byApp.get(key) ?? []) {
          if (key !== null) reader.skipTo(n);
          reader.pump();
        }
  }

  *all(): Generator<EventReader> {
    for (const of of this.#byApp.values()) yield* of;
  }
}

const keyOf = ({ view }: EventReader): string | null => (typeof view === "string" ? null : view.appId);
