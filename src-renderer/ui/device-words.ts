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
