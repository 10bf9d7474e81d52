/**
 * What changes, as it changes: server-sent events as an async iterator.
 */
import { StagedoorError } from "./error.ts";
import type {
  App,
  Clock,
  Connection,
  EventData,
  Fault,
  Passcode,
  Profile,
  RequestRow,
  Session,
  Snapshot,
} from "./records.ts";
import type { Transport } from "./transport.ts";

/** A row of the request log without its bodies. `more`: how many others came with it. */
export type RequestSummary = Omit<RequestRow, "request" | "response"> & { more: number };

interface Items {
  "app.put": App;
  "app.remove": { appId: string };
  "profile.put": Profile;
  "profile.remove": { userId: string };
  "passcode.put": Passcode;
  "passcode.remove": { id: string };
  "passcode.devices": { id: string; devices: Passcode["devices"] };
  "session.put": Session;
  "session.remove": { id: string };
  "connection.put": Connection;
  "connection.remove": { id: string };
  "clock.put": Clock;
  "fault.put": Fault;
  "fault.remove": { id: string };
  "snapshot.put": Snapshot;
  "snapshot.delete": { name: string };
  "request.put": RequestSummary;
  /** Much has changed at once: read anew. */
  "state.put": null;
  /** Events were missed: read anew. */
  resync: null;
}
type Types = EventData["type"];

/** An event; `type` tells what `item` is. `appId` is null where it concerns all apps; `seq` counts every change. */
export type StagedoorEvent = {
  [K in Types]: { type: K; appId: string | null; seq: number; item: K extends keyof Items ? Items[K] : unknown };
}[Types];

/** @see createEvents */
export interface EventOptions {
  /** Only events of this app; those that concern all apps come too. */
  readonly appId?: string | undefined;
  /** Ends the iteration, without an error. */
  readonly signal?: AbortSignal | undefined;
  /** Told each time that the stream is open; from then on no event is missed. */
  readonly onOpen?: (() => void) | undefined;
  /** Told when the stream has broken off; it is opened again after a second. */
  readonly onBreak?: ((error: unknown) => void) | undefined;
}

/** Waits for some milliseconds, or until the signal. */
const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener("abort", done);
  });

/** The blocks of a stream, as its bytes come. */
async function* blocksOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    text += decoder.decode(value, { stream: true });
    for (let end = text.indexOf("\n\n"); end >= 0; end = text.indexOf("\n\n")) {
      yield text.slice(0, end);
      text = text.slice(end + 2);
    }
  }
}

const fieldOf = (block: string, name: string): string | undefined =>
  block
    .split("\n")
    .find((line) => line.startsWith(`${name}: `))
    ?.slice(name.length + 2);

/** How long until a stream that broke off is opened again, in milliseconds. */
const AGAIN_MS = 1_000;

/**
 * Opens the stream and goes on when it breaks off, from where it was; what cannot be told any more is a `resync`.
 * @throws StagedoorError if it cannot be opened the first time, or is refused.
 */
export async function* streamEvents(
  transport: Transport,
  { appId, signal, onOpen, onBreak }: EventOptions,
): AsyncGenerator<StagedoorEvent, void, void> {
  const stop = new AbortController();
  const ended = signal === undefined ? stop.signal : AbortSignal.any([signal, stop.signal]);
  let last: string | undefined;
  try {
    while (!ended.aborted) {
      try {
        const headers = { Accept: "text/event-stream", ...(last === undefined ? {} : { "Last-Event-ID": last }) };
        const { body } = await transport.open("GET", "events", { headers, signal: ended });
        if (body === null) return;
        let fresh = true;
        for await (const block of blocksOf(body)) {
          last = fieldOf(block, "id") ?? last;
          if (fresh) onOpen?.();
          fresh = false;
          const data = fieldOf(block, "data");
          if (data === undefined) continue;
          const event: StagedoorEvent = JSON.parse(data);
          if (appId === undefined || event.appId === null || event.appId === appId) yield event;
        }
        onBreak?.(undefined);
      } catch (error) {
        if (ended.aborted) return;
        if (last === undefined || (error instanceof StagedoorError && error.status !== 0)) throw error;
        onBreak?.(error);
      }
      await pause(AGAIN_MS, ended);
    }
  } finally {
    // The reader of the iterator has left: so does the connection.
    stop.abort();
  }
}
