/** Automatic play for a booth: one complete login after the other. */
import type { PhoneState } from "#contract/control/stage-bridge.ts";
import type { Acts } from "./acts.ts";
import { useStage } from "./stage-store.ts";

/** Pauses for reading a scene, in milliseconds. */
const READ_MS = 2_600;
const END_MS = 4_500;
/** How long to wait for a scene, in milliseconds. */
const PATIENCE_MS = 15_000;
/** Pause and number of attempts to type a code that has not arrived yet. */
const RETRY_MS = 500;
const TRIES = 10;
/** One in this many rounds starts with a wrong code. */
const WRONG_EVERY = 3;

type Fits = (phone: PhoneState) => boolean;
const isEnd: Fits = (phone) => !["loading", "asking", "code", "checking"].includes(phone);

/** Waits until the phone is in a state, for at most `ms` milliseconds. */
const until = (signal: AbortSignal, fits: Fits, ms = PATIENCE_MS): Promise<void> =>
  new Promise((resolve) => {
    const settle = (): void => {
      clearTimeout(timer);
      stop();
      signal.removeEventListener("abort", settle);
      resolve();
    };
    const timer = setTimeout(settle, ms);
    const stop = useStage.subscribe(({ phone }) => fits(phone) && settle());
    signal.addEventListener("abort", settle);
    if (signal.aborted || fits(useStage.getState().phone)) settle();
  });

/** Plays until the signal aborts. The page's root has the rounds so far, and how the last one ended. */
export const play = async (acts: Acts, people: number, speed: number, signal: AbortSignal): Promise<void> => {
  const { dataset } = document.documentElement;
  const rest = (ms: number): Promise<void> => until(signal, () => false, ms / speed);
  /** Waits until a typed code has been judged. */
  const seen = async (): Promise<void> => {
    await until(signal, (phone) => phone === "checking");
    await until(signal, isEnd);
  };
  /** Types the code. @returns whether it has arrived. */
  const typed = async (): Promise<boolean> => {
    for (let tries = 0; tries < TRIES && !signal.aborted; tries++) {
      if (acts.type() === undefined) return true;
      await until(signal, () => false, RETRY_MS);
    }
    return false;
  };
  for (let round = 0; !signal.aborted; round++) {
    await acts.reset();
    await until(signal, (phone) => phone === "idle");
    await rest(READ_MS / 2);
    await acts.persona(round % people);
    await until(signal, (phone) => phone === "code" || (phone !== "idle" && isEnd(phone)));
    await rest(READ_MS);
    if (round % WRONG_EVERY === 1 && acts.typeWrong() === undefined) {
      await seen();
      await rest(READ_MS);
    }
    if (await typed()) await seen();
    await rest(END_MS);
    if (!signal.aborted) Object.assign(dataset, { rounds: round + 1, last: useStage.getState().phone });
  }
};
