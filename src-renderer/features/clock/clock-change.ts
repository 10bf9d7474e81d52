/**
 * Changes of a clock, and the last one, so that it can be taken back, also after a look at another screen.
 */
import { type QueryClient, useMutation, useQueryClient } from "@tanstack/react-query";
import { useSyncExternalStore } from "react";
import { advanceClock, type ClockSetting, MOST_APPS, type OddClock, setClock } from "../../api/clock.ts";
import { appsQuery, clockQuery } from "../../api/queries.ts";
import { announce } from "../../ui/announcer.tsx";
import { complain } from "../../ui/complain.ts";

/** A change that was made, and what it takes to undo it. */
export interface ClockChange {
  /** Whose clock; null: of all apps. */
  readonly appId: string | null;
  /** What was done, to follow "The clock": `was moved on by 1 hour`. */
  readonly done: string;
  /** The clock as it was. */
  readonly before: OddClock;
  /** The clocks that apps had of their own, which a change of all clocks overrides or moves. */
  readonly own: readonly OddClock[];
}

/** What to do with a clock. */
export type ClockStep =
  | { readonly set: ClockSetting; readonly done: string }
  | { readonly advance: number; readonly done: string }
  /** Stands still at what it shows. */
  | { readonly freeze: true; readonly done: string }
  /** Runs on from where it stands. */
  | { readonly run: true; readonly done: string };

let last: ClockChange | null = null;
const listeners = new Set<() => void>();
const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};
const setLast = (change: ClockChange | null): void => {
  last = change;
  for (const listener of listeners) listener();
};

type Read = OddClock & { readonly aheadMs: number };

const readClock = async (client: QueryClient, appId: string | null): Promise<Read> => {
  const clock = await client.fetchQuery({ ...clockQuery(appId), staleTime: 0 });
  if (clock === null) throw new Error("This app is gone.");
  return { appId, ...clock };
};

const isSame = (a: OddClock, b: OddClock): boolean => a.frozenAt === b.frozenAt && a.offsetSeconds === b.offsetSeconds;

const readOwn = async (client: QueryClient, common: OddClock): Promise<OddClock[]> => {
  const apps = (await client.ensureQueryData(appsQuery())).items.slice(0, MOST_APPS);
  const clocks = await Promise.all(apps.map(({ appId }) => readClock(client, appId)));
  return clocks.filter((clock) => !isSame(clock, common));
};

const carryOut = (before: Read, step: ClockStep): Promise<void> => {
  const { appId, offsetSeconds, frozenAt, aheadMs } = before;
  if ("advance" in step) return advanceClock(appId, step.advance);
  if ("set" in step) return setClock(appId, step.set);
  if ("freeze" in step)
    return setClock(appId, { offsetSeconds, frozenAt: new Date(Date.now() + aheadMs).toISOString() });
  // The server and this browser are on one machine: real time is the same for both.
  return setClock(appId, {
    offsetSeconds: frozenAt === null ? offsetSeconds : (Date.parse(frozenAt) - Date.now()) / 1_000,
  });
};

const settingOf = ({ offsetSeconds, frozenAt }: OddClock): ClockSetting => ({ offsetSeconds, frozenAt });

const takeBack = async ({ appId, before, own }: ClockChange): Promise<void> => {
  await setClock(appId, settingOf(before));
  for (const clock of own) await setClock(clock.appId, settingOf(clock));
};

/** @returns the last change (null: none, or it was taken back), what changes a clock, what takes back, what forgets. */
export const useClockChange = () => {
  const client = useQueryClient();
  const lastChange = useSyncExternalStore(subscribe, () => last);
  const change = useMutation({
    mutationFn: async ({ appId, step }: { readonly appId: string | null; readonly step: ClockStep }) => {
      const before = await readClock(client, appId);
      const own = appId === null ? await readOwn(client, before) : [];
      await carryOut(before, step);
      return { appId, done: step.done, before, own };
    },
    onSuccess: (made) => {
      setLast(made);
      announce(`The clock ${made.done}`);
    },
    onError: complain,
  });
  const undo = useMutation({
    mutationFn: takeBack,
    onSuccess: (_, back) => {
      if (last === back) setLast(null);
      announce("The clock is back to what it was");
    },
    onError: complain,
  });
  return { lastChange, change, undo, forget: () => setLast(null) };
};
