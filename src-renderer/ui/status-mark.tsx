import type { ReactNode } from "react";
import { TONES, type Tone } from "./tones.ts";
import { leftWords } from "./words.ts";

interface StatusMarkProps {
  readonly tone: Tone;
  /** What is left, in percent: drawn as a pie. */
  readonly share?: number;
  readonly children: ReactNode;
}

/** A dot and a word. */
export const StatusMark = ({ tone, share = 100, children }: StatusMarkProps) => (
  <span className={`mark${tone === "quiet" ? " dim" : ""}`}>
    <span style={{ "--tone": TONES[tone][0], "--share": `${share}%` }} aria-hidden="true" />
    <span>{children}</span>
  </span>
);

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
  return {
    tone: left / whole < URGENT ? ("warn" as const) : ("ok" as const),
    share: Math.max(LEAST_SHOWN, Math.round((left / whole) * 100)),
    children: `${leftWords(left)} left`,
  };
};

/** The time that is left, as a pie and in words. */
export const Countdown = (props: CountdownProps) => <StatusMark {...lifeLeft(props)} />;
