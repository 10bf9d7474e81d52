/**
 * Changes of a clock, and the last one, so that it can be taken back, also after a look at another screen.
 */
import { useMutation } from "@tanstack/react-query";
import type { ClockInput } from "#client/index.ts";
import { cache } from "../../api/cache.ts";
import { advanceClock, MOST_APPS, type OddClock, setClock } from "../../api/clock.ts";
import { appsQuery, clockQuery } from "../../api/queries.ts";
import { announce } from "../../ui/announcer.tsx";
import { complain } from "../../ui/complain.ts";
import { keepUndo } from "../../ui/undo.tsx";
import { kindOf, stateWords } from "./clock-state.ts";

/** What to do with a clock. */
export type ClockStep =
  | { readonly set: ClockInput; readonly done: string }
  | { readonly advance: number; readonly done: string }
  /** Stands still at what it shows. */
  | { readonly freeze: true; readonly done: string }
  /** Runs on from where it stands. */
  | { readonly run: true; readonly done: string };

type Read = OddClock & { readonly aheadMs: number };

const readClock = async (appId: string | null): Promise<Read> => {
  const clock = await cache.fetchQuery({ ...clockQuery(appId), staleTime: 0 });
  if (clock === null) throw new Error("This app is gone. It may have been deleted.");
  return { appId, ...clock };
};

const isSame = (a: OddClock, b: OddClock): boolean => a.frozenAt === b.frozenAt && a.offsetSeconds === b.offsetSeconds;

const readOwn = async (common: OddClock): Promise<OddClock[]> => {
  const apps = (await cache.ensureQueryData(appsQuery())).items.slice(0, MOST_APPS);
  const clocks = await Promise.all(apps.map(({ appId }) => readClock(appId)));
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

const settingOf = ({ offsetSeconds, frozenAt }: OddClock): ClockInput => ({ offsetSeconds, frozenAt });

/** Keeps a change. @param own the clocks that apps had of their own, which a change of all clocks overrides or moves. */
const keep = (before: OddClock, own: readonly OddClock[], done: string): void => {
  const { appId } = before;
  const apps = cache.getQueryData(appsQuery().queryKey)?.items ?? [];
  const whose = appId === null ? "all apps" : (apps.find((app) => app.appId === appId)?.name ?? appId);
  const words = stateWords(before);
  const state = kindOf(before) === "real" ? "real time" : words.charAt(0).toLowerCase() + words.slice(1);
  keepUndo({
    label: "Last change of a clock",
    home: "clock",
    words: (
      <>
        The clock of <bdi>{whose}</bdi> {done}.
      </>
    ),
    note: [
      `Before: ${state}.`,
      ...(own.length > 0 ? ["The apps’ own clocks are restored too."] : []),
      ...(appId === null && apps.length > MOST_APPS
        ? [`Of apps’ own clocks, the first ${MOST_APPS} are restored.`]
        : []),
    ].join(" "),
    back: async () => {
      for (const clock of [before, ...own]) await setClock(clock.appId, settingOf(clock));
      return "Clock restored";
    },
  });
};

/** @returns what changes a clock. */
export const useClockChange = () =>
  useMutation({
    mutationFn: async ({ appId, step }: { readonly appId: string | null; readonly step: ClockStep }) => {
      const before = await readClock(appId);
      const own = appId === null ? await readOwn(before) : [];
      await carryOut(before, step);
      keep(before, own, step.done);
      announce(`The clock ${step.done}`);
    },
    onError: complain,
  });
