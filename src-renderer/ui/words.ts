/** @returns a number with its noun, such as `1 profile` or `1,024 profiles`. */
export const many = (count: number, one: string, several = `${one}s`): string =>
  `${count.toLocaleString("en")} ${count === 1 ? one : several}`;

/** @returns a text that begins with a capital letter. */
export const sentence = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);

/** @returns a text that begins with a small letter. */
export const lowered = (words: string): string => words.charAt(0).toLowerCase() + words.slice(1);

/**
 * Times and durations in the fewest words.
 */
const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** @returns how long ago, such as `12 s ago`; `now` for the last two seconds and for what lies ahead. */
export const agoWords = (ms: number): string => {
  if (ms < 2 * SECOND) return "now";
  if (ms < MINUTE) return `${Math.floor(ms / SECOND)} s ago`;
  if (ms < HOUR) return `${Math.floor(ms / MINUTE)} min ago`;
  if (ms < DAY) return `${Math.floor(ms / HOUR)} h ago`;
  return `${Math.floor(ms / DAY)} d ago`;
};

/** @returns how long is left, such as `7:48`, `3 h 20 min` or `12 d`. */
export const leftWords = (ms: number): string => {
  const seconds = Math.max(0, Math.ceil(ms / SECOND));
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes}:${String(seconds % 60).padStart(2, "0")}`;
  const hours = Math.floor(minutes / 60);
  if (hours < 48) return `${hours} h ${minutes % 60} min`;
  return `${Math.floor(hours / 24)} d`;
};

/** @returns a shift of the clock, such as `+2 h` or `-90 s`. */
export const shiftWords = (seconds: number): string => {
  const size = Math.abs(seconds);
  const sign = seconds < 0 ? "-" : "+";
  if (size < 120) return `${sign}${Math.round(size)} s`;
  if (size < 7_200) return `${sign}${Math.round(size / 60)} min`;
  if (size < 172_800) return `${sign}${Math.round(size / 3_600)} h`;
  return `${sign}${Math.round(size / 86_400)} d`;
};

/** One format wherever a time is shown: 24 hours, the day as the browser writes it. */
const exact = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "medium", hourCycle: "h23" });
const time = new Intl.DateTimeFormat(undefined, { timeStyle: "medium", hourCycle: "h23" });

/** @returns the local day and time of an instant, such as `Nov 22, 2026, 14:02:11`. */
export const exactWords = (instant: string): string => exact.format(new Date(instant));

/** @returns the local time of day of an instant, such as `14:02:11`. */
export const clockWords = (instant: string): string => time.format(new Date(instant));

/** Programs and systems as a User-Agent names them, the telling ones first. */
const PROGRAMS: readonly (readonly [RegExp, string])[] = [
  [/^curl\//, "curl"],
  [/Postman/, "Postman"],
  [/Dart\//, "Dart"],
  [/okhttp\//, "OkHttp"],
  [/CFNetwork\//, "URLSession"],
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

/** @returns a User-Agent in a few words; itself where it is of no known kind. */
export const deviceWords = (userAgent: string | null): string => {
  if (userAgent === null || userAgent === "") return "Unknown device";
  const words = [PROGRAMS, SYSTEMS].flatMap((kinds) => kinds.find(([pattern]) => pattern.test(userAgent))?.[1] ?? []);
  return words.length > 0 ? words.join(", ") : userAgent;
};
