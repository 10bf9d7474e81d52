import type { Session } from "#client/index.ts";

/** @returns the state at a time: an active session may have expired since the server's response. */
export const stateAt = ({ state, expiresAt }: Session, nowMs: number): Session["state"] =>
  state === "active" && Date.parse(expiresAt) <= nowMs ? "expired" : state;

const UNITS: readonly (readonly [pattern: RegExp, seconds: number, word: string])[] = [
  [/^d(ays?)?$/, 86_400, "d"],
  [/^h(ours?|rs?)?$/, 3_600, "h"],
  [/^m(in(ute)?s?)?$/, 60, "min"],
  [/^(s(ec(ond)?s?)?)?$/, 1, "s"],
];

/** Maximum lifetime of a session in seconds: a year. */
const MOST = 31_536_000;

/** @returns the seconds in a text such as `90 s`, `1 h 30 min` or `2 days`; null if invalid or out of range. */
export const readLifetime = (text: string): number | null => {
  const parts = [
    ...text
      .trim()
      .toLowerCase()
      .matchAll(/(\d+)\s*([a-z]*)[\s,]*|\S/g),
  ];
  let seconds = 0;
  for (const [, count, name = ""] of parts) {
    const unit = UNITS.find(([pattern]) => pattern.test(name));
    if (count === undefined || unit === undefined) return null;
    seconds += Number(count) * unit[1];
  }
  return seconds >= 1 && seconds <= MOST ? seconds : null;
};

/** @returns seconds as text, such as `1 d` or `1 h 30 min`. */
export const lifetimeWords = (seconds: number): string => {
  let left = seconds;
  const words = UNITS.flatMap(([, size, word]) => {
    const count = Math.floor(left / size);
    left -= count * size;
    return count === 0 ? [] : [`${count} ${word}`];
  });
  return words.join(" ");
};
