/**
 * One reader of the event stream: it is given as much as it takes, and no more is kept for it than the ring has anyway.
 */
import type { Response } from "express";

/** A reader that takes nothing for so long, though there is something for it, is dropped; milliseconds. */
const STUCK_MS = 2_000;

/** The numbered events that are kept, as text for a reader. */
export interface EventRing {
  /** The number of the newest event. */
  readonly last: number;
  /** @returns the event with this number; undefined if it is not kept any more. */
  text(n: number): string | undefined;
}

/** @see file */
export class EventReader {
  readonly #res: Response;
  readonly #ring: EventRing;
  /** The number of the event that it gets next. */
  #next: number;
  #stuck: NodeJS.Timeout | undefined;

  /** @param next the number of the first event for it. */
  constructor(res: Response, ring: EventRing, next: number) {
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

  /** Says something that is no event, unless the reader is behind anyway. */
  say(text: string): void {
    if (this.#stuck === undefined) this.#write(text);
  }

  /** Gives it what it can take. One that is too far behind is dropped: it will come again and be told to fetch anew. */
  pump(): void {
    while (this.#stuck === undefined && this.#next <= this.#ring.last) {
      const text = this.#ring.text(this.#next);
      if (text === undefined) {
        this.drop();
        return;
      }
      this.#next++;
      this.#write(text);
    }
  }

  /** Cuts the connection. */
  drop(): void {
    this.#res.destroy();
  }

  /** Ends the stream. */
  end(): void {
    if (!this.#res.destroyed) this.#res.end();
  }

  #write(text: string): void {
    if (this.#res.destroyed) return;
    if (!this.#res.write(text)) this.#stuck = setTimeout(() => this.drop(), STUCK_MS).unref();
  }
}
