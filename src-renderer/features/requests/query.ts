/**
 * The query of the requests: `status:401 -path:/livez method:PUT words`. It is in the address, and clicks add to it.
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

/** @returns whether a path is of an operation, whose parameters begin with a colon. */
const isAt = (path: string, operation: readonly string[]): boolean => {
  const parts = path.replace(/\/$/, "").split("/");
  return (
    parts.length === operation.length &&
    operation.every((part, i) => (part.startsWith(":") ? parts[i] !== "" : part === parts[i]))
  );
};

/** @returns the path without its query. */
export const pathOnly = (path: string): string => path.split("?")[0] ?? path;

/** @returns what came of a request: why it was refused, or what it did. */
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

/** One part of the query; without a field its text may stand anywhere. */
export interface Term {
  readonly field: Field | null;
  readonly text: string;
  /** `-`: rows that fit are left out. */
  readonly not: boolean;
}

const TERM = /(-?)(?:([a-z]+):)?(?:"([^"]*)"|(\S+))/g;
const fieldOf = (name: string | undefined): Field | null => FIELDS.find((field) => field === name) ?? null;

/** @returns the parts of a query, in their order. */
export const readQuery = (q: string): Term[] =>
  [...q.matchAll(TERM)].flatMap(([, minus, name, quoted, plain]) => {
    const field = fieldOf(name);
    const value = quoted ?? plain ?? "";
    const text = field === null && name !== undefined ? `${name}:${value}` : value;
    return text === "" ? [] : [{ field, text, not: minus === "-" }];
  });

/** @returns the query that these parts make. */
export const writeQuery = (terms: readonly Term[]): string =>
  terms
    .map(({ field, text, not }) => {
      const value = /\s/.test(text) ? `"${text}"` : text;
      return `${not ? "-" : ""}${field === null ? "" : `${field}:`}${value}`;
    })
    .join(" ");

/** @returns the query with a field at this value, in the place of any other value of the field. */
export const withField = (q: string, field: Field, text: string): string =>
  writeQuery([...readQuery(q).filter((term) => term.field !== field || term.not), { field, text, not: false }]);

const STATUS = /^[1-5]\d\d$/;
const METHODS = /^(get|head|post|put|patch|delete|options)$/i;
const asListener = (text: string): "admin" | "auth" | undefined =>
  text === "admin" || text === "auth" ? text : undefined;

/**
 * @returns what of the query the server can look for. With an app chosen it is asked for those of all apps: a call that
 * names no known app is what one opens that app's log for; see `isOfApp`.
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

/** @returns whether a row stands in an app's log: its own, and those that name no known app. @param app null: of all. */
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
      // `4xx` is any of them, and so is `4` while it is typed; each `x` stands for one digit.
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

/** @returns whether the query lets a row through. */
export const passesQuery = (row: RequestRow, terms: readonly Term[]): boolean =>
  terms.every((term) => fits(row, term) !== term.not);
