/** The readers of the event stream: each gets what it accepts, and one that sees a single app costs nothing while nothing happens there. */
import type { Response } from "express";
import type { EventView, Ring } from "./ring.ts";

/** A reader that accepts nothing for this long, although events are pending, is dropped; milliseconds. */
const STUCK_MS = 2_000;

/** One reader: it is sent as much as it accepts, and has no buffer beyond the shared ring. */
export class EventReader {
  readonly #res: Response;
  readonly #ring: Ring;
  /** The number of its next event. */
  #next: number;
  #stuck: NodeJS.Timeout | undefined;
  readonly view: EventView;

  /** @param next the number of its first event. */
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

  /** Ends the stream. */
  end(): void {
    if (!this.#res.destroyed) this.#res.end();
  }
}

/** All readers, by the app that they see. */
export class Readers {
  /** By app; null: those that see all apps. */
  readonly #byApp = new Map<string | null, Set<EventReader>>();
  #size = 0;

  /** @returns how many there are that see this app alone; null: all apps. */
  countOf(appId: string | null): number {
    return this.#byApp.get(appId)?.size ?? 0;
  }

  get size(): number {
    return this.#size;
  }

  add(reader: EventReader): void {
    const key = keyOf(reader);
    const of = this.#byApp.get(key) ?? new Set();
    this.#byApp.set(key, of.add(reader));
    this.#size += 1;
  }

  delete(reader: EventReader): void {
    const key = keyOf(reader);
    const of = this.#byApp.get(key);
    if (of?.delete(reader) !== true) return;
    this.#size -= 1;
    if (of.size === 0) this.#byApp.delete(key);
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
