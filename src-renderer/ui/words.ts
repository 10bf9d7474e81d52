import { counted, lengthWords } from "#contract/words/words.ts";

/** An id in a text. */
export const UUID = /\b[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\b/i;

/** Said before what a trial finds too large for the timeline. */
export const CANNOT_BE_UNDONE =
  "This cannot be undone: it replaces more than the timeline keeps. Save a snapshot first.";

/** @returns the text in one line, as a field shows it: without what continues a line of a shell. */
export const inOneLine = (text: string): string => text.replaceAll(/\\\r?\n|\s+/g, " ").trim();

/** @returns the text with its first letter in lower case. */
export const lowered = (words: string): string => words.charAt(0).toLowerCase() + words.slice(1);

/** @returns how much of a list is shown: `Newest 200 of 5,050`, or only its order. */
export const newestWords = (shown: number, total: number): string =>
  shown < total ? `Newest ${counted(shown)} of ${counted(total)}` : "Newest first";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** @returns how long ago, such as `12 s ago`; `now` for the last two seconds and for the future. */
export const agoWords = (ms: number): string => {
  if (ms < 2 * SECOND) return "now";
  if (ms < MINUTE) return `${Math.floor(ms / SECOND)} s ago`;
  if (ms < HOUR) return `${Math.floor(ms / MINUTE)} min ago`;
  if (ms < DAY) return `${Math.floor(ms / HOUR)} h ago`;
  return `${Math.floor(ms / DAY)} d ago`;
};

/** @returns the remaining time, such as `7:48`, `3 h 20 min` or `12 d`. */
export const leftWords = (ms: number): string => {
  const seconds = Math.max(0, Math.ceil(ms / SECOND));
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes}:${String(seconds % 60).padStart(2, "0")}`;
  const hours = Math.floor(minutes / 60);
  if (hours < 48) return `${hours} h ${minutes % 60} min`;
  return `${Math.floor(hours / 24)} d`;
};

/** @returns a clock offset, such as `+2 h` or `-90 s`. */
export const shiftWords = (seconds: number): string => `${seconds < 0 ? "-" : "+"}${lengthWords(Math.abs(seconds))}`;

/** The one time format: 24 hours, and English dates in an English window, whatever the locale of the system. */
const exact = new Intl.DateTimeFormat("en-US", { dateStyle: "medium", timeStyle: "medium", hourCycle: "h23" });
const time = new Intl.DateTimeFormat("en-US", { timeStyle: "medium", hourCycle: "h23" });

/** @returns local date and time of an instant, such as `Nov 22, 2026, 14:02:11`. */
export const exactWords = (instant: string): string => exact.format(new Date(instant));

/** @returns local time of day of an instant, such as `14:02:11`. */
export const clockWords = (instant: string): string => time.format(new Date(instant));

/** Programs and systems in a User-Agent, most specific first. */
const PROGRAMS: readonly (readonly [RegExp, string])[] = [
  [/^curl\//, "curl"],
  [/Postman/, "Postman"],
  [/Dart\//, "Dart"],
  [/okhttp\//, "OkHttp"],
  [/CFNetwork\//, "URLSession"],
  [/^Java[/-]/, "Java"],
  [/python-requests|httpx|aiohttp/i, "Python"],
  [/^node|undici/i, "Node.js"],
  [/Edg\//, "Edge"],
  [/Firefox\//, "Firefox"],
  [/HeadlessChrome\//, "Headless Chrome"],
  [/Chrome\//, "Chrome"],
  [/Version\/[\d.]+ (?:Mobile\/\w+ )?Safari\//, "Safari"],
];
const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/iPhone/, "iPhone"],
  [/iPad/, "iPad"],
  [/Android/, "Android"],
  [/Mac OS X|Darwin/, "macOS"],
  [/Windows/, "Windows"],
  [/Linux/, "Linux"],
];

/** @returns a short name for a User-Agent; unchanged if unknown. */
export const deviceWords = (userAgent: string | null): string => {
  if (userAgent === null || userAgent === "") return "Unknown device";
  const words = [PROGRAMS, SYSTEMS].flatMap((kinds) => kinds.find(([pattern]) => pattern.test(userAgent))?.[1] ?? []);
  return words.length > 0 ? words.join(", ") : userAgent;
};
