/**
 * The events of the server as the page hears them: in order, all of a frame at once.
 */
import { onlineManager } from "@tanstack/react-query";
import { type Passcode, StagedoorError, type StagedoorEvent } from "#client/index.ts";
import { cache } from "./cache.ts";
import { emulator } from "./emulator.ts";
import { applyEvents, refetchAll } from "./live.ts";

const LOCK = "stagedoor.background";

/**
 * Waits until this tab is the one hidden tab of the browser that may keep its event stream: a browser has six
 * connections to a host, and hidden tabs must not use them up.
 *
 * @param onHeld told when it is
 * @returns how to give it back, or to wait no longer
 */
const holdBackground = (onHeld: () => void): (() => void) => {
  // Only on a page that the browser holds secure, as this machine's own are.
  if (!("locks" in navigator)) return () => {};
  const end = new AbortController();
  const ended = new Promise((resolve) => end.signal.addEventListener("abort", resolve));
  const hold = (): Promise<unknown> => {
    onHeld();
    return ended;
  };
  navigator.locks.request(LOCK, { signal: end.signal }, hold).catch(() => {});
  return () => end.abort();
};

const EVERY_MS = 10_000;
const ROWS = 20;

/**
 * Looks for new passcodes while the tab is hidden and has given its event stream back: now and then, and once more when
 * it is shown again.
 *
 * @param onNew hears of the passcodes that came since the tab was hidden; of one perhaps twice
 * @returns how to end it
 */
export const watchWhileHidden = (onNew: (passcodes: readonly Passcode[]) => void): (() => void) => {
  let timer: ReturnType<typeof setInterval> | undefined;
  let last: number | undefined;
  const look = async (): Promise<void> => {
    const { items } = await emulator.passcodes.list({ limit: ROWS });
    const since = last;
    if (since !== undefined) onNew(items.filter(({ seq }) => seq > since));
    last = items[0]?.seq ?? 0;
  };
  // A server that is away is told of elsewhere.
  const lookQuietly = (): void => void look().catch(() => {});
  const follow = (): void => {
    clearInterval(timer);
    if (document.hidden) {
      last = undefined;
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

/** `away`: the server cannot be reached; it is tried again and again. */
export type Connection = "connecting" | "open" | "away";

interface StreamOptions {
  readonly onConnection: (connection: Connection) => void;
  /** Asked when the page is hidden: whether it still has to hear of everything. One such page of a browser does. */
  readonly staysOpen: () => boolean;
}

/** Applies events once a frame. A hidden page has no frames. */
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

/**
 * Follows the events, and keeps the stream open while the page is visible: a browser has six connections to a host, and
 * hidden tabs must not use them up. What the screens read waits until it is open, so that nothing is read twice.
 *
 * @returns how to end it
 */
export const followEvents = ({ onConnection, staysOpen }: StreamOptions): (() => void) => {
  let stop: AbortController | undefined;
  let giveBack = (): void => undefined;
  const queue = createQueue();

  const onOpen = (): void => {
    // What was read before may be out of date by now.
    if (onlineManager.isOnline()) refetchAll();
    onlineManager.setOnline(true);
    void cache.refetchQueries({ type: "active", predicate: ({ state }) => state.status === "error" });
    onConnection("open");
  };
  const onBreak = (error: unknown): void => {
    // A server that refuses a stream still answers.
    onlineManager.setOnline(error instanceof StagedoorError && error.status !== 0);
    onConnection("away");
  };
  const start = async (): Promise<void> => {
    stop?.abort();
    stop = new AbortController();
    const { signal } = stop;
    for await (const event of emulator.events({ signal, persistent: true, onOpen, onBreak })) queue(event);
  };
  const end = (): void => {
    giveBack();
    giveBack = () => undefined;
    stop?.abort();
    stop = undefined;
  };

  const followVisibility = (): void => {
    if (document.hidden) {
      end();
      if (staysOpen()) giveBack = holdBackground(() => void start());
    } else if (stop === undefined) void start();
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
