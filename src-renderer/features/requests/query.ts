/**
 * The query of the requests screen: `status:401 -path:/livez method:PUT words`. It is in the URL, and clicks add to it.
 */
import type { RequestRow } from "#client/index.ts";
import { refusalWords } from "#contract/refusals.ts";
import { type OperationId, routes } from "#contract/routes.ts";
import type { RequestFilter } from "../../api/queries.ts";

const DONE = {
  createProfile: "Profile created",
  listProfiles: "Profiles listed",
  readProfile: "Profile read",
  updateProfile: "Profile updated",
  deleteProfile: "Profile deleted",
  startSession: "Signed up",
  authenticate: "Signed in",
  readSession: "Session read",
  endSession: "Session ended",
  readJwks: "Public keys read",
} as const satisfies Partial<Record<OperationId, string>>;

const OPERATIONS = Object.entries(DONE).flatMap(([id, words]) => {
  const found = Object.entries(routes).find(([name]) => name === id)?.[1];
  if (found === undefined) return [];
  const { listener, method, path } = found;
  return [{ listener, method, words, path: path.split("/") }];
});

/** @returns whether a path matches an operation, whose parameters start with a colon. */
const isAt = (path: string, operation: readonly string[]): boolean => {
  const parts = path.replace(/\/$/, "").split("/");
  return (
    parts.length === operation.length &&
    operation.every((part, i) => (part.startsWith(":") ? parts[i] !== "" : part === parts[i]))
  );
};

/** @returns the path without its query. */
export const pathOnly = (path: string): string => path.split("?")[0] ?? path;

/** @returns the outcome of a request: why it failed, or what it did. */
export const outcomeWords = (row: RequestRow): string => {
  const refused = refusalWords(row);
  if (refused !== undefined) return refused;
  if (row.method === "OPTIONS") return "CORS preflight";
  if (row.status === 202) return "Passcode sent";
  const path = pathOnly(row.path);
  const method = row.method === "HEAD" ? "GET" : row.method;
  const done = OPERATIONS.find((one) => one.listener === row.listener && one.method === method && isAt(path, one.path));
  return done?.words ?? (/^\/(livez|readyz)\/?$/.test(path) ? "Health check" : statusWords(row.status));
};

const statusWords = (status: number): string => (status < 300 ? "Succeeded" : `Status ${status}`);

/** @returns a duration, such as `0.4 ms`, `12 ms` or `1.2 s`. */
export const durationWords = (ms: number): string => {
  if (ms < 10) return `${ms.toFixed(1)} ms`;
  return ms < 1_000 ? `${Math.round(ms)} ms` : `${(ms / 1_000).toFixed(1)} s`;
};

const FIELDS = ["method", "path", "status", "reason", "app", "user", "listener"] as const;
/** @see FIELDS */
export type Field = (typeof FIELDS)[number];

/** A term of the query; without a field its text can match anywhere. */
export interface Term {
  readonly field: Field | null;
  readonly text: string;
  /** `-`: excludes matching rows. */
  readonly not: boolean;
}

const TERM = /(-?)(?:([a-z]+):)?(?:"([^"]*)"|(\S+))/g;
const fieldOf = (name: string | undefined): Field | null => FIELDS.find((field) => field === name) ?? null;

/** @returns the terms of a query, in order. */
export const readQuery = (q: string): Term[] =>
  [...q.matchAll(TERM)].flatMap(([, minus, name, quoted, plain]) => {
    const field = fieldOf(name);
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
export const withField = (q: string, field: Field, text: string): string =>
  writeQuery([...readQuery(q).filter((term) => term.field !== field || term.not), { field, text, not: false }]);

const STATUS = /^[1-5]\d\d$/;
const METHODS = /^(get|head|post|put|patch|delete|options)$/i;
const asListener = (text: string): "admin" | "auth" | undefined =>
  text === "admin" || text === "auth" ? text : undefined;

/**
 * @returns the part of the query that the server can apply. With a selected app it includes requests without a known
 * app, because those are what users look for in that app's log; see `isOfApp`.
 */
export const serverFilter = (terms: readonly Term[], app: string | null): RequestFilter => {
  const only = (field: Field): string | undefined => terms.find((term) => term.field === field && !term.not)?.text;
  const [method, path, status, user, listener] = [
    only("method"),
    only("path"),
    only("status"),
    only("user"),
    asListener(only("listener") ?? ""),
  ];
  const appId = app === null ? only("app") : undefined;
  return {
    ...(appId === undefined ? {} : { appId }),
    ...(user === undefined ? {} : { userId: user }),
    ...(method !== undefined && METHODS.test(method) ? { method } : {}),
    ...(path === undefined ? {} : { path }),
    ...(status !== undefined && STATUS.test(status) ? { status: Number(status) } : {}),
    ...(listener === undefined ? {} : { listener }),
  };
};

/** @returns whether a row is in an app's log: its own, or without a known app. @param app null: all apps. */
export const isOfApp = ({ appId }: RequestRow, app: string | null): boolean =>
  app === null || appId === app || appId === null;

const fits = (row: RequestRow, { field, text }: Term): boolean => {
  const sought = text.toLowerCase();
  switch (field) {
    case "method":
      return row.method.toLowerCase().startsWith(sought);
    case "path":
      return row.path.toLowerCase().startsWith(sought);
    case "status":
      // `4xx` matches any of them, and so does `4` while typing; each `x` matches one digit.
      return [...sought].every((digit, i) => digit === "x" || digit === String(row.status)[i]);
    case "reason":
      return row.reason?.startsWith(sought) ?? false;
    case "app":
      return row.appId === text;
    case "user":
      return row.userId === text;
    case "listener":
      return row.listener.startsWith(sought);
    case null:
      return [row.path, outcomeWords(row), row.reason ?? "", row.request.body ?? "", row.response.body ?? "", row.id]
        .join("\n")
        .toLowerCase()
        .includes(sought);
  }
};

/** @returns whether a row matches the query. */
export const passesQuery = (row: RequestRow, terms: readonly Term[]): boolean =>
  terms.every((term) => fits(row, term) !== term.not);
