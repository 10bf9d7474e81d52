/**
 * The only `EventSource`: the server's events in order, or the word that some were missed.
 */
import { type EventData, eventData } from "#contract/events.ts";
import { routes } from "#contract/routes.ts";
import { holdBackground } from "./background.ts";

/** `away`: the server cannot be reached; it is tried again and again. */
export type Connection = "connecting" | "open" | "away";

/** Who listens to the stream. */
export interface EventListeners {
  /** Some events in their order, all that came since the last frame. */
  readonly onEvents: (events: readonly EventData[]) => void;
  /** The stream has just begun, or has a hole: whatever was read before may be out of date. */
  readonly onGap: () => void;
  readonly onConnection: (connection: Connection) => void;
  /** Asked when the page is hidden: whether it still has to hear of everything. One such page of a browser does. */
  readonly staysOpen: () => boolean;
}

const FIRST_RETRY_MS = 500;
const LAST_RETRY_MS = 4_000;

const readEvent = (text: string): EventData | undefined => {
  try {
    return eventData.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
};

/** @returns instance and number of an event id, such as `k3f-17`. */
const readId = (id: string): { instance: string; n: number } => {
  const dash = id.lastIndexOf("-");
  return { instance: id.slice(0, dash), n: Number(id.slice(dash + 1)) };
};

/**
 * Opens the stream, and keeps it open while the page is visible: a browser has six connections to a host, and hidden
 * tabs must not use them up.
 *
 * @returns how to end it
 */
export const openEvents = ({ onEvents, onGap, onConnection, staysOpen }: EventListeners): (() => void) => {
  let source: EventSource | undefined;
  let retry: ReturnType<typeof setTimeout> | undefined;
  let retryMs = FIRST_RETRY_MS;
  let last: { instance: string; n: number } | undefined;
  let waiting: EventData[] = [];
  let frame = 0;
  let giveBack = (): void => {};

  const flush = (): void => {
    frame = 0;
    const events = waiting;
    waiting = [];
    if (events.length > 0) onEvents(events);
  };

  const stop = (): void => {
    source?.close();
    source = undefined;
    clearTimeout(retry);
    cancelAnimationFrame(frame);
    frame = 0;
    waiting = [];
    last = undefined;
  };

  const receive = (message: MessageEvent<string>): void => {
    const event = readEvent(message.data);
    const id = readId(message.lastEventId);
    const follows = last === undefined || (id.instance === last.instance && id.n === last.n + 1);
    last = id;
    if (event === undefined || event.type === "resync" || !follows) onGap();
    if (event === undefined || event.type === "resync") return;
    waiting.push(event);
    // A hidden page has no frames.
    if (document.hidden) flush();
    else if (frame === 0) frame = requestAnimationFrame(flush);
  };

  const start = (): void => {
    stop();
    const opened = new EventSource(routes.streamEvents.path);
    source = opened;
    opened.onopen = () => {
      retryMs = FIRST_RETRY_MS;
      onConnection("open");
      onGap();
    };
    opened.onmessage = receive;
    // A new stream rather than the browser's own retry: that one waits longer, and gives up on any answer but 200.
    opened.onerror = () => {
      stop();
      onConnection("away");
      retry = setTimeout(start, retryMs);
      retryMs = Math.min(retryMs * 2, LAST_RETRY_MS);
    };
  };

  const followVisibility = (): void => {
    giveBack();
    giveBack = () => {};
    if (!document.hidden) {
      if (source === undefined) start();
      return;
    }
    stop();
    if (staysOpen()) giveBack = holdBackground(start);
  };
  document.addEventListener("visibilitychange", followVisibility);
  if (!document.hidden) start();
  return () => {
    document.removeEventListener("visibilitychange", followVisibility);
    giveBack();
    stop();
  };
};
