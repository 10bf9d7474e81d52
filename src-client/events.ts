/** Server-sent events of all changes, as an async iterator. */
import { StagedoorError } from "./error.ts";
import { checkOptions } from "./options.ts";
import type * as R from "./records.ts";
import { joinSignals, pause, untilAborted } from "./signals.ts";
import type { Transport } from "./transport.ts";

/** A row of the request log without bodies. `more`: the number of further rows at the same time. */
export type RequestSummary = Omit<R.RequestRow, "request" | "response"> & { more: number };

interface Items {
  "app.put": R.App;
  "app.remove": { appId: string };
  "profile.put": R.Profile;
  "profile.remove": { userId: string };
  "passcode.put": R.Passcode;
  "passcode.remove": { id: string };
  "passcode.devices": { id: string; devices: R.Passcode["devices"] };
  "session.put": R.Session;
  "session.remove": { id: string };
  "connection.put": R.Connection;
  "connection.remove": { id: string };
  "clock.put": R.Clock;
  "fault.put": R.Fault;
  "fault.remove": { id: string };
  "snapshot.put": R.Snapshot;
  "snapshot.remove": { name: string };
  "request.put": RequestSummary;
  "lan.put": R.Lan;
  "client.put": R.AuthClient;
  "signing-key.put": R.SigningKey;
  "signing-key.remove": { kid: string };
  /** An outcome of a login that an app met for the first time. */
  "coverage.put": R.CoverageItem;
  /** The first failure of its kind of an app; at most one a second. */
  "failure.first": R.FirstFailure;
  /** Many changes at once: reload. */
  "state.put": null;
  /** Events were missed: reload. */
  resync: null;
}
type Types = R.EventData["type"];

/** An event; `type` determines `item`. `appId` is null if it concerns all apps; `seq` counts every change. */
export type StagedoorEvent = {
  [K in Types]: { type: K; appId: string | null; seq: number; item: K extends keyof Items ? Items[K] : unknown };
}[Types];

/** @see streamEvents */
export interface EventOptions {
  /** Only events of this app, and those that concern all apps. */
  readonly appId?: string | undefined;
  /** Also events of hidden apps. */
  readonly hidden?: boolean | undefined;
  /** Ends the iteration without an error. */
  readonly signal?: AbortSignal | undefined;
  /** Called each time the stream opens; no event is missed from then on. */
  readonly onOpen?: (() => void) | undefined;
  /** Called when the stream breaks; it reconnects after half a second, later after up to 4 seconds. */
  readonly onBreak?: ((error: unknown) => void) | undefined;
  /** Keep retrying, even if the stream cannot be opened the first time, or is refused. */
  readonly persistent?: boolean | undefined;
}

/** A stream without data for this long is dead: the emulator sends a heartbeat every 15 seconds. */
const SILENT_MS = 40_000;
const SILENT = "The event stream has been silent for too long.";

const nextChunk = (
  reader: ReadableStreamDefaultReader<Uint8Array>,
  signal: AbortSignal,
): ReturnType<typeof reader.read> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(SILENT)), SILENT_MS);
    void untilAborted(reader.read(), signal)
      .then(resolve, reject)
      .finally(() => clearTimeout(timer));
  });

/** Opens the stream and splits it into event blocks. It ends with the server, and throws the signal's reason. */
async function* blocksOf(
  { open }: Transport,
  { headers, query }: { readonly headers: Readonly<Record<string, string>>; readonly query: object },
  ended: AbortSignal,
): AsyncGenerator<string> {
  const { signal, release } = joinSignals([ended]);
  let reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
  try {
    reader = (await open("GET", "events", { headers, query, signal })).body?.getReader();
    if (reader === undefined) return;
    const decoder = new TextDecoder();
    let text = "";
    for (let chunk = await nextChunk(reader, signal); !chunk.done; chunk = await nextChunk(reader, signal)) {
      text += decoder.decode(chunk.value, { stream: true });
      const blocks = text.split("\n\n");
      text = blocks.pop() ?? "";
      yield* blocks;
    }
  } finally {
    // Closes the connection, also when the consumer leaves the loop.
    void reader?.cancel().catch(() => undefined);
    release();
  }
}

const fieldOf = (block: string, name: string): string | undefined =>
  block
    .split("\n")
    .find((line) => line.startsWith(`${name}: `))
    ?.slice(name.length + 2);

/** @returns whether an event id, such as `k3f-17`, directly follows another. */
const follows = (id: string, last: string): boolean => {
  const dash = last.lastIndexOf("-");
  return id === `${last.slice(0, dash)}-${Number(last.slice(dash + 1)) + 1}`;
};

/** @param last the id of the event before. @returns the event of a block, after a `resync` if others were missed. */
const eventsIn = (block: string, last: string | undefined): readonly StagedoorEvent[] => {
  const id = fieldOf(block, "id");
  const data = fieldOf(block, "data");
  if (data === undefined) return [];
  const event: StagedoorEvent = JSON.parse(data);
  const isGap = id !== undefined && last !== undefined && !follows(id, last) && event.type !== "resync";
  return isGap ? [{ type: "resync", appId: null, seq: event.seq, item: null }, event] : [event];
};

const isOf = (event: StagedoorEvent, appId: string | undefined): boolean =>
  appId === undefined || event.appId === null || event.appId === appId;

const FIRST_PAUSE_MS = 500;
const LAST_PAUSE_MS = 4_000;

/**
 * Opens the stream, and resumes it when it breaks; if events were missed, a `resync` follows.
 * @throws StagedoorError if it cannot be opened the first time, or is refused, unless `persistent`.
 */
export async function* streamEvents(
  transport: Transport,
  options: EventOptions,
): AsyncGenerator<StagedoorEvent, void, void> {
  checkOptions("events", options, ["appId", "hidden", "signal", "onOpen", "onBreak", "persistent"]);
  const { appId, hidden = false, signal, onOpen, onBreak, persistent = false } = options;
  const query = hidden ? { hidden: 1 } : {};
  const { signal: ended, release } = joinSignals([signal, ...transport.ends]);
  let last: string | undefined;
  let pauseMs = FIRST_PAUSE_MS;
  try {
    while (!ended.aborted) {
      try {
        const headers = { Accept: "text/event-stream", ...(last === undefined ? {} : { "Last-Event-ID": last }) };
        let fresh = true;
        for await (const block of blocksOf(transport, { headers, query }, ended)) {
          if (fresh) onOpen?.();
          fresh = false;
          pauseMs = FIRST_PAUSE_MS;
          yield* eventsIn(block, last).filter((event) => isOf(event, appId));
          last = fieldOf(block, "id") ?? last;
        }
        onBreak?.(undefined);
      } catch (error) {
        if (ended.aborted) return;
        const refused = last === undefined || (error instanceof StagedoorError && error.status !== 0);
        if (refused && !persistent) throw error;
        onBreak?.(error);
      }
      await pause(pauseMs, [ended]);
      pauseMs = Math.min(2 * pauseMs, LAST_PAUSE_MS);
    }
  } finally {
    release();
  }
}
