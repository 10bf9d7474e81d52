import { StatusMark } from "./status-mark.tsx";
import { leftWords } from "./time-words.ts";

/** A countdown is urgent in its last quarter. */
const URGENT = 0.25;
/** In percent of the pie: as long as there is anything left, there is something to see. */
const LEAST_SHOWN = 3;

interface CountdownProps {
  readonly nowMs: number;
  readonly createdAt: string;
  readonly expiresAt: string;
}

/** @returns what is left of a life: its colour, its share in percent, and the words. */
export const lifeLeft = ({ nowMs, createdAt, expiresAt }: CountdownProps) => {
  const whole = Math.max(1, Date.parse(expiresAt) - Date.parse(createdAt));
  // The clock of this page steps once a second, and may lag behind the one that issued it.
  const left = Math.min(whole, Math.max(0, Date.parse(expiresAt) - nowMs));
  const share = left / whole;
  return {
    tone: share < URGENT ? ("warn" as const) : ("ok" as const),
    share: Math.max(LEAST_SHOWN, Math.round(share * 100)),
    words: `${leftWords(left)} left`,
  };
};

/** The time that is left, as a pie and in words. */
export const Countdown = (props: CountdownProps) => {
  const { tone, share, words } = lifeLeft(props);
  return (
    <StatusMark tone={tone} share={share}>
      {words}
    </StatusMark>
  );
};
