/** Changes of a clock. */
import { useMutation } from "@tanstack/react-query";
import type { ClockInput } from "#client/index.ts";
import { noApp } from "#contract/words/not-found.ts";
import { lengthWords } from "#contract/words/words.ts";
import { cache } from "../../api/cache.ts";
import type { OddClock } from "../../api/clock.ts";
import { clockQuery } from "../../api/queries.ts";
import { advanceClock, setClock } from "../../shared/clock/set-clock.ts";
import { announce, complain } from "../../ui/action.tsx";
import { exactWords } from "../../ui/words.ts";

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
  if (clock === null) throw new Error(`${noApp(appId ?? "")}. It may have been deleted.`);
  return { appId, ...clock };
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

/** @returns the mutation that changes a clock. */
export const useClockChange = () =>
  useMutation({
    mutationFn: async ({ appId, step }: { readonly appId: string | null; readonly step: ClockStep }) => {
      await carryOut(await readClock(appId), step);
      announce(`The clock ${step.done}`);
    },
    onError: complain,
  });
