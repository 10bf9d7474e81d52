/** The newest events, numbered, for readers that read on or come back. */
import { BOUNDS } from "#contract/bounds.ts";
import type { EventData } from "#contract/control/events.ts";
import { memoryOf } from "#domain/history/memory.ts";

/** What a reader with a bound token sees: events of its app, and reload events. */
export interface View {
  readonly appId: string;
  /** The change that created the app: earlier events with the same id belong to another app. */
  readonly since: number;
  /** Whether the app still exists. */
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
  /** Whether it is of a hidden app. */
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
