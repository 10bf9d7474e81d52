/** The server's events as the page processes them: in order, batched per frame. */
import { onlineManager } from "@tanstack/react-query";
import { type Passcode, StagedoorError, type StagedoorEvent } from "#client/index.ts";
import { cache } from "./cache.ts";
import { emulator } from "./emulator.ts";
import { applyEvents, refetchAll } from "./live.ts";

const LOCK = "stagedoor.background";

/** Waits until this is the one hidden tab of the browser that keeps its event stream. @param signal ends that. */
const holdBackground = (signal: AbortSignal, onHeld: () => void): void => {
  // Only available in secure contexts, such as loopback.
  if (!("locks" in navigator)) return;
  const ended = new Promise((resolve) => signal.addEventListener("abort", resolve));
  const hold = (): Promise<unknown> => {
    onHeld();
    return ended;
  };
  navigator.locks.request(LOCK, { signal }, hold).catch(() => {});
};

const EVERY_MS = 10_000;
const ROWS = 20;

/**
 * Polls for new passcodes while the tab is hidden without an event stream, and once more when it is shown again.
 * @param onNew called with passcodes since the tab was hidden; the same one may come twice. @returns what stops it.
 */
export const watchWhileHidden = (onNew: (passcodes: readonly Passcode[]) => void): (() => void) => {
  let timer: ReturnType<typeof setInterval> | undefined;
  let last = Number.POSITIVE_INFINITY;
  const look = async (): Promise<void> => {
    const { items } = await emulator.passcodes.list({ limit: ROWS });
    onNew(items.filter(({ seq }) => seq > last));
    last = items[0]?.seq ?? 0;
  };
  // An unreachable server is reported elsewhere.
  const lookQuietly = (): void => void look().catch(() => {});
  const follow = (): void => {
    clearInterval(timer);
    if (document.hidden) {
      last = Number.POSITIVE_INFINITY;
      timer = setInterval(lookQuietly, EVERY_MS);
    }
    lookQuietly();
  };
  document.addEventListener("visibilitychange", follow);
  return () => {
    clearInterval(timer);
    document.removeEventListener("visibilitychange", follow);
  };
};

/** `away`: the server is unreachable; the page keeps retrying. */
export type Connection = "connecting" | "open" | "away";

interface StreamOptions {
  readonly onConnection: (connection: Connection) => void;
  /** Also events of hidden apps. */
  readonly hidden: boolean;
  /** Called when the page is hidden: whether it still needs all events. One such page per browser does. */
  readonly staysOpen: () => boolean;
}

/** Applies events once per frame; hidden pages have no frames. */
const createQueue = () => {
  let waiting: StagedoorEvent[] = [];
  let frame = 0;
  const flush = (): void => {
    frame = 0;
    const events = waiting;
    waiting = [];
    applyEvents(events);
  };
  return (event: StagedoorEvent): void => {
    waiting.push(event);
    if (document.hidden) flush();
    else if (frame === 0) frame = requestAnimationFrame(flush);
  };
};

// Already now: the queries of the first components start before the effect that opens the stream.
onlineManager.setOnline(document.hidden);

/** Whether something may have been loaded that no stream has kept up to date since. */
let isOutdated = document.hidden;

/**
 * Follows the events while the page is visible: a browser allows six connections per host, which hidden tabs must not
 * use up. Queries wait until the stream is open, so that nothing is loaded twice. @returns what stops it.
 */
export const followEvents = ({ onConnection, staysOpen, hidden }: StreamOptions): (() => void) => {
  let stop = new AbortController();
  let following = false;
  const queue = createQueue();

  const onOpen = (): void => {
    if (isOutdated) refetchAll();
    isOutdated = false;
    onlineManager.setOnline(true);
    void cache.refetchQueries({ type: "active", predicate: ({ state }) => state.status === "error" });
    onConnection("open");
  };
  const onBreak = (error: unknown): void => {
    // A server that refuses a stream is still reachable. After any other break, the stream resumes where it was.
    const isRefused = error instanceof StagedoorError && error.status !== 0;
    onlineManager.setOnline(isRefused);
    isOutdated ||= isRefused;
    onConnection("away");
  };
  const start = async (): Promise<void> => {
    if (following) return;
    following = true;
    const { signal } = stop;
    for await (const event of emulator.events({ hidden, signal, persistent: true, onOpen, onBreak })) queue(event);
  };
  const end = (): void => {
    isOutdated = true;
    stop.abort();
    stop = new AbortController();
    following = false;
  };

  const followVisibility = (): void => {
    if (!document.hidden) return void start();
    end();
    if (staysOpen()) holdBackground(stop.signal, () => void start());
  };
  document.addEventListener("visibilitychange", followVisibility);
  if (!document.hidden) {
    onlineManager.setOnline(false);
    void start();
  }
  return () => {
    document.removeEventListener("visibilitychange", followVisibility);
    end();
  };
};
