/**
 * The events of the server as the page hears them: in order, all of a frame at once.
 */
import { onlineManager } from "@tanstack/react-query";
import { StagedoorError, type StagedoorEvent } from "#client/index.ts";
import { holdBackground } from "./background.ts";
import { cache } from "./cache.ts";
import { emulator } from "./emulator.ts";
import { applyEvents, refetchAll } from "./live.ts";

/** `away`: the server cannot be reached; it is tried again and again. */
export type Connection = "connecting" | "open" | "away";

/** What is asked of who keeps the page current. */
export interface StreamOptions {
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
