/** Automatic play for a booth: one complete login after the other. */
import type { Acts } from "./acts.ts";
import { type PhoneState, useStage } from "./stage-store.ts";

/** Pauses for reading a scene, in milliseconds. */
const READ_MS = 2_600;
const END_MS = 4_500;
/** How long to wait for a scene, in milliseconds. */
const PATIENCE_MS = 15_000;
/** One in this many rounds starts with a wrong code. */
const WRONG_EVERY = 3;

const isEnd = (phone: PhoneState): boolean => !["loading", "asking", "code", "checking"].includes(phone);

/** Waits until the phone is in a state. @returns whether it is. */
const until = (fits: (phone: PhoneState) => boolean, signal: AbortSignal): Promise<boolean> =>
  new Promise((resolve) => {
    const settle = (fine: boolean): void => {
      clearTimeout(timer);
      stop();
      signal.removeEventListener("abort", give);
      resolve(fine);
    };
    const give = (): void => settle(false);
    const timer = setTimeout(give, PATIENCE_MS);
    const stop = useStage.subscribe(({ phone }) => fits(phone) && settle(true));
    signal.addEventListener("abort", give);
    if (fits(useStage.getState().phone)) settle(true);
  });

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener("abort", end);
    if (signal.aborted) end();
  });

interface Play {
  readonly acts: Acts;
  /** The number of personas. */
  readonly people: number;
  /** The speed as a factor. */
  readonly speed: number;
  readonly signal: AbortSignal;
  /** Called after each round, with the phone's final state. */
  readonly onRound: (rounds: number, phone: PhoneState) => void;
}

/** Plays until the signal aborts. */
export const play = async ({ acts, people, speed, signal, onRound }: Play): Promise<void> => {
  const rest = (ms: number): Promise<void> => pause(ms / speed, signal);
  /** Waits until a typed code has been judged. */
  const seen = async (): Promise<void> => {
    await until((phone) => phone === "checking", signal);
    await until(isEnd, signal);
  };
  for (let round = 0; !signal.aborted; round++) {
    await acts.reset();
    await until((phone) => phone === "idle", signal);
    await rest(READ_MS / 2);
    await acts.persona(round % people);
    await until((phone) => phone === "code" || (phone !== "idle" && isEnd(phone)), signal);
    await rest(READ_MS);
    if (round % WRONG_EVERY === 1 && acts.typeWrong()) {
      await seen();
      await rest(READ_MS);
    }
    if (acts.type()) await seen();
    await rest(END_MS);
    if (!signal.aborted) onRound(round + 1, useStage.getState().phone);
  }
};
