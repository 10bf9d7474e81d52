/** The stage plays by itself, for a booth: a whole login after the other. */
import type { Acts } from "./acts.ts";
import { type PhoneState, useStage } from "./stage-store.ts";

/** Pauses in which a scene can be read, in milliseconds. */
const READ_MS = 2_600;
const END_MS = 4_500;
/** A scene that does not come is not waited for. */
const PATIENCE_MS = 15_000;
/** Every so many rounds a wrong code comes first. */
const WRONG_EVERY = 3;

const isEnd = (phone: PhoneState): boolean => !["loading", "asking", "code", "checking"].includes(phone);

/** Waits until the phone stands so. @returns whether it does. */
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
  /** How many people there are. */
  readonly people: number;
  /** How many times as fast as usual. */
  readonly speed: number;
  readonly signal: AbortSignal;
  /** Told of each round that is over, and how the phone stood at its end. */
  readonly onRound: (rounds: number, phone: PhoneState) => void;
}

/** Plays until it is told to stop. */
export const play = async ({ acts, people, speed, signal, onRound }: Play): Promise<void> => {
  const rest = (ms: number): Promise<void> => pause(ms / speed, signal);
  /** A code is typed and judged. */
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
