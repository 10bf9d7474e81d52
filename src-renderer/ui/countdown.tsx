import classes from "./countdown.module.css";
import { leftWords } from "./time-words.ts";

/** A countdown is urgent in its last quarter. */
const URGENT = 0.25;
/** In percent of the ring: as long as there is anything left, there is something to see. */
const LEAST_SHOWN = 3;

interface CountdownProps {
  readonly nowMs: number;
  readonly createdAt: string;
  readonly expiresAt: string;
}

/** The time that is left, as a ring and in words. */
export const Countdown = ({ nowMs, createdAt, expiresAt }: CountdownProps) => {
  const left = Math.max(0, Date.parse(expiresAt) - nowMs);
  const whole = Math.max(1, Date.parse(expiresAt) - Date.parse(createdAt));
  const share = Math.min(1, left / whole);
  return (
    <span className={classes.countdown}>
      <span
        className={classes.ring}
        data-urgent={share < URGENT || undefined}
        style={{ "--share": `${Math.max(LEAST_SHOWN, Math.round(share * 100))}%` }}
        aria-hidden="true"
      />
      <span className={classes.words}>{leftWords(left)} left</span>
    </span>
  );
};
