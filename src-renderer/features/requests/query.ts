/**
 * The query of the requests: `status:401 -path:/livez method:PUT words`. It is in the address, and clicks add to it.
 */
import type { RequestFilter, RequestRow } from "../../api/request-log.ts";
import { outcomeWords } from "../../ui/exchange-words.ts";

/** What a term may name. */
export const FIELDS = ["method", "path", "status", "reason", "app", "user", "listener"] as const;
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

/** @returns what of the query the server can look for. */
export const serverFilter = (terms: readonly Term[], app: string | null): RequestFilter => {
  const only = (field: Field): string | undefined => terms.find((term) => term.field === field && !term.not)?.text;
  const [method, path, status, user, listener] = [
    only("method"),
    only("path"),
    only("status"),
    only("user"),
    asListener(only("listener") ?? ""),
  ];
  const appId = app ?? only("app");
  return {
    ...(appId === undefined ? {} : { appId }),
    ...(user === undefined ? {} : { userId: user }),
    ...(method !== undefined && METHODS.test(method) ? { method } : {}),
    ...(path === undefined ? {} : { path }),
    ...(status !== undefined && STATUS.test(status) ? { status } : {}),
    ...(listener === undefined ? {} : { listener }),
  };
};

const fits = (row: RequestRow, { field, text }: Term): boolean => {
  const sought = text.toLowerCase();
  switch (field) {
    case "method":
      return row.method.toLowerCase().startsWith(sought);
    case "path":
      return row.path.toLowerCase().startsWith(sought);
    case "status":
      // `4xx` is any of them, and so is `4` while it is typed.
      return String(row.status).startsWith(sought.replace(/x+$/, ""));
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
