/** Changes of a clock, and undo for the last one, which is kept while another screen is shown. */
import { useMutation } from "@tanstack/react-query";
import type { ClockInput } from "#client/index.ts";
import { lengthWords } from "#contract/words.ts";
import { cache } from "../../api/cache.ts";
import { advanceClock, MOST_APPS, type OddClock, setClock } from "../../api/clock.ts";
import { appsQuery, clockQuery } from "../../api/queries.ts";
import { announce, complain } from "../../ui/action.tsx";
import { keepUndo } from "../../ui/undo.tsx";
import { exactWords, lowered } from "../../ui/words.ts";
import { stateWords } from "./clock-state.ts";

/** A change of a clock: set it, move it by seconds, freeze it at its current time, or resume it from there. */
export interface ClockStep {
  readonly act: ClockInput | number | "freeze" | "run";
  /** The confirmation: `was frozen`. */
  readonly done: string;
}

/** Props of a part that changes the clock. */
export interface ChangeProps {
  readonly busy: boolean;
  readonly onStep: (step: ClockStep) => void;
}

/** The changes that need no time. */
export const STEPS = {
  freeze: { act: "freeze", done: "was frozen" },
  run: { act: "run", done: "was resumed" },
  real: { act: {}, done: "was reset to real time" },
} as const satisfies Record<string, ClockStep>;

/** @returns a move by seconds, back if negative. */
export const forward = (seconds: number): ClockStep => ({
  act: seconds,
  done: `was moved ${seconds > 0 ? "forward" : "back"} by ${lengthWords(Math.abs(seconds))}`,
});

/** @returns a freeze at a time in ms since 1970. */
export const freezeAt = (atMs: number): ClockStep => {
  const frozenAt = new Date(atMs).toISOString();
  return { act: { frozenAt }, done: `was frozen at ${exactWords(frozenAt)}` };
};

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

const carryOut = ({ appId, offsetSeconds, frozenAt, aheadMs }: Read, { act }: ClockStep): Promise<unknown> => {
  if (typeof act === "number") return advanceClock(appId, act);
  if (act === "freeze")
    return setClock(appId, { offsetSeconds, frozenAt: new Date(Date.now() + aheadMs).toISOString() });
  if (act !== "run") return setClock(appId, act);
  // Server and browser share the machine, so real time is the same for both.
  const apartMs = frozenAt === null ? offsetSeconds * 1_000 : Date.parse(frozenAt) - Date.now();
  return setClock(appId, { offsetSeconds: apartMs / 1_000 });
};

/** Keeps a change for undo. @param own the clocks of apps, which a change of the global clock overrides or moves. */
const keep = (before: OddClock, own: readonly OddClock[], done: string): void => {
  const { appId } = before;
  const apps = cache.getQueryData(appsQuery().queryKey)?.items ?? [];
  const whose = appId === null ? "all apps" : (apps.find((app) => app.appId === appId)?.name ?? appId);
  keepUndo({
    label: "Last change of a clock",
    home: "clock",
    words: (
      <>
        The clock of <bdi>{whose}</bdi> {done}.
      </>
    ),
    note: [
      `Before: ${lowered(stateWords(before))}.`,
      own.length > 0 && "The apps’ own clocks are restored too.",
      appId === null && apps.length > MOST_APPS && `Of apps’ own clocks, the first ${MOST_APPS} are restored.`,
    ]
      .filter(Boolean)
      .join(" "),
    back: async () => {
      for (const clock of [before, ...own])
        await setClock(clock.appId, { offsetSeconds: clock.offsetSeconds, frozenAt: clock.frozenAt });
      return "Clock restored";
    },
  });
};

/** @returns the mutation that changes a clock. */
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
