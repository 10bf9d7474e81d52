/** The query of the requests screen, in the URL: `status:401 -path:/livez method:PUT words`. */
import type { RequestQuery, RequestRow } from "#client/index.ts";
import { firstWords, refusalWords } from "#contract/control/refusals.ts";
import { finds, searchFold } from "#contract/words/fold.ts";
import { isOfTrace } from "#contract/words/traces.ts";
import { refusalName } from "./row-words.ts";

/** What a successful call did, by listener, method and path. */
const DONE: readonly (readonly [call: RegExp, words: string])[] = [
  [/^admin POST \/v1\/profiles\/?$/, "Profile created"],
  [/^admin (GET|HEAD) \/v1\/profiles\/?$/, "Profiles listed"],
  [/^admin (GET|HEAD) \/v1\/profiles\/[^/]+\/?$/, "Profile read"],
  [/^admin PUT \/v1\/profiles\/[^/]+\/?$/, "Profile updated"],
  [/^admin DELETE \/v1\/profiles\/[^/]+\/?$/, "Profile deleted"],
  [/^auth POST \/v1\/users\/session\/?$/, "Signed up"],
  [/^auth PUT \/v1\/users\/session\/?$/, "Signed in"],
  [/^auth (GET|HEAD) \/v1\/users\/session\/?$/, "Session read"],
  [/^auth DELETE \/v1\/users\/session\/?$/, "Session ended"],
  [/^auth (GET|HEAD) \/\.well-known\/jwks\.json\/?$/, "Public keys read"],
  [/ \/(livez|readyz)\/?$/, "Health check"],
];

/** @returns the path without its query. */
export const pathOnly = (path: string): string => path.split("?")[0] ?? path;

/** @returns the outcome of a request: what is wrong with it, or what it did. */
export const outcomeWords = (row: RequestRow): string => {
  const refused = firstWords(row);
  if (refused !== undefined) return refused;
  if (row.method === "OPTIONS") return "CORS preflight";
  if (row.status === 202) return "Passcode sent";
  const call = `${row.listener} ${row.method} ${pathOnly(row.path)}`;
  const done = DONE.find(([pattern]) => pattern.test(call));
  return done?.[1] ?? (row.status < 300 ? "Succeeded" : `Status ${row.status}`);
};

/** @returns the outcome of a request above its advice, which it does not repeat. */
export const titleWords = (row: RequestRow): string =>
  row.status >= 400 && row.advice.length > 0 ? refusalName(row) : outcomeWords(row);

/** @returns a duration, such as `0.4 ms`, `12 ms` or `1.2 s`. */
export const durationWords = (ms: number): string => {
  if (ms < 10) return `${ms.toFixed(1)} ms`;
  return ms < 1_000 ? `${Math.round(ms)} ms` : `${(ms / 1_000).toFixed(1)} s`;
};

const FIELDS = ["method", "path", "status", "reason", "app", "user", "listener", "trace"] as const;
/** A field that a term can name. */
export type QueryField = (typeof FIELDS)[number];

/** A term of the query; without a field its text can match anywhere. */
export interface Term {
  readonly field: QueryField | null;
  readonly text: string;
  /** `-`: excludes matching rows. */
  readonly not: boolean;
}

const TERM = /(-?)(?:([a-z]+):)?(?:"([^"]*)"|(\S+))/g;

/** @returns the terms of a query, in order. */
export const readQuery = (q: string): Term[] =>
  [...q.matchAll(TERM)].flatMap(([, minus, name, quoted, plain]) => {
    const field = FIELDS.find((known) => known === name) ?? null;
    const value = quoted ?? plain ?? "";
    const text = field === null && name !== undefined ? `${name}:${value}` : value;
    return text === "" ? [] : [{ field, text, not: minus === "-" }];
  });

/** @returns the query for these terms. */
export const writeQuery = (terms: readonly Term[]): string =>
  terms
    .map(({ field, text, not }) => {
      const value = /\s/.test(text) ? `"${text}"` : text;
      return `${not ? "-" : ""}${field === null ? "" : `${field}:`}${value}`;
    })
    .join(" ");

/** @returns the query with a field set to this value, replacing other values of the field. */
export const withField = (q: string, field: QueryField, text: string): string =>
  writeQuery([...readQuery(q).filter((term) => term.field !== field || term.not), { field, text, not: false }]);

const STATUS = /^[1-5]\d\d$/;
const METHODS = /^(get|head|post|put|patch|delete|options)$/i;

/**
 * @returns the part of the query that the server can apply. With a selected app it includes requests without a known
 * app, because those are what users look for in that app's log; see `isOfApp`.
 */
export const serverFilter = (terms: readonly Term[], app: string | null): RequestQuery => {
  const [method = "", path, status = "", user, listener, trace, appId] = (
    ["method", "path", "status", "user", "listener", "trace", "app"] as const
  ).map((field) => terms.find((term) => term.field === field && !term.not)?.text);
  return {
    ...(app === null && appId !== undefined && { appId }),
    ...(user !== undefined && { userId: user }),
    ...(METHODS.test(method) && { method }),
    ...(path !== undefined && { path }),
    ...(STATUS.test(status) && { status: Number(status) }),
    ...(trace !== undefined && { trace }),
    ...((listener === "admin" || listener === "auth") && { listener }),
  };
};

const fits = (row: RequestRow, { field, text }: Term): boolean => {
  const sought = searchFold(text);
  switch (field) {
    case "status":
      // `4xx` matches any of them, and so does `4` while typing; each `x` matches one digit.
      return [...sought].every((digit, i) => digit === "x" || digit === String(row.status)[i]);
    case "app":
      return row.appId === text;
    case "user":
      return row.userId === text;
    case "trace":
      return isOfTrace(row.request.headers, text);
    case null:
      return finds(text)(
        [
          row.path,
          outcomeWords(row),
          refusalWords(row) ?? "",
          row.reason ?? "",
          row.login?.to ?? "",
          row.request.body ?? "",
          row.response.body ?? "",
          row.id,
        ].join("\n"),
      );
    default:
      return searchFold(row[field] ?? "").startsWith(sought);
  }
};

/** @returns whether a row matches the query. */
export const passesQuery = (row: RequestRow, terms: readonly Term[]): boolean =>
  terms.every((term) => fits(row, term) !== term.not);
