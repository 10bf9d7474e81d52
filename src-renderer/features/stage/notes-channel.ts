/**
 * What a stage and the notes of its presenter tell each other: windows of one browser, by the id of the stage's app.
 */
import { useEffect, useEffectEvent, useRef } from "react";
import { z } from "zod";
import { STAGE_NOTES } from "./notes-address.ts";

const notesState = z.object({
  /** The next steps in words, the nearest first. */
  coming: z.array(z.string()),
  /** How many steps of the show are done, and how many it has; 0: no show is given. */
  done: z.number(),
  steps: z.number(),
  /** How the phone stands, in words; its code, if there is one. */
  stands: z.string(),
  code: z.string(),
  /** Why the last key did nothing. */
  said: z.string(),
  /** When the first key was pressed, in ms since 1970; null: not yet. */
  beganAt: z.number().nullable(),
  keys: z.array(z.object({ cap: z.string(), label: z.string(), on: z.boolean() })),
});
/** What the notes show of their stage. */
export type NotesState = z.infer<typeof notesState>;

const notesOrder = z.object({ press: z.string() });

/** What notes that have just opened press: nothing, but it makes the stage tell its state. */
const HELLO = "";

const open = (appId: string): BroadcastChannel => new BroadcastChannel(`stagedoor.stage.${appId}`);

/** Opens the notes of a stage in a window of their own. @returns whether the browser allowed it. */
export const openNotes = (appId: string): boolean => {
  const lang = new URLSearchParams(location.search).get("lang");
  const query = new URLSearchParams({ stage: appId, ...(lang !== null && { lang }) });
  return window.open(`/stage/${STAGE_NOTES}?${query}`, `notes-${appId}`, "popup,width=520,height=760") !== null;
};

/** The stage's end: tells its state on every change. @param press presses a key for the notes. */
export const useNotes = (appId: string, state: NotesState, press: (cap: string) => unknown): void => {
  const channel = useRef<BroadcastChannel | null>(null);
  const tell = (): void => channel.current?.postMessage(state);
  const onOrder = useEffectEvent(({ data }: MessageEvent<unknown>) => {
    const order = notesOrder.safeParse(data).data;
    if (order?.press === HELLO) tell();
    else if (order !== undefined) press(order.press);
  });
  useEffect(() => {
    const opened = open(appId);
    channel.current = opened;
    opened.onmessage = (event: MessageEvent<unknown>) => onOrder(event);
    return () => opened.close();
  }, [appId]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: compared as it is sent
  useEffect(tell, [appId, JSON.stringify(state)]);
};

/** The notes' end. @param onState called with each state. @returns a function that presses a key on the stage. */
export const useStageOf = (appId: string, onState: (state: NotesState) => void): ((cap: string) => void) => {
  const channel = useRef<BroadcastChannel | null>(null);
  const onMessage = useEffectEvent(({ data }: MessageEvent<unknown>) => {
    const state = notesState.safeParse(data).data;
    if (state !== undefined) onState(state);
  });
  useEffect(() => {
    const opened = open(appId);
    channel.current = opened;
    opened.onmessage = (event: MessageEvent<unknown>) => onMessage(event);
    opened.postMessage({ press: HELLO });
    return () => opened.close();
  }, [appId]);
  return (cap) => channel.current?.postMessage({ press: cap });
};
