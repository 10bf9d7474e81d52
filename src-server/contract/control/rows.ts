/** What a row of the operation table is, and how rows are written, by the kernel and by features. */
import { z } from "zod";
import { optional } from "../scalars.ts";

/** The three listeners. */
export type Listener = "admin" | "auth" | "console";
/** HTTP methods; HEAD is handled like GET. */
type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/**
 * Where an operation names the app that a bound token is held to. `path`, `query`, `body`, `match` (in the
 * body): there; filled in if optional. `own`: through the id of a record, which must be in that app, or not at all: only
 * its own records are shown. `row`: through the id of a request, whose row names it. `new`: nowhere, since it creates
 * the app: only a join token may call it.
 */
type BoundBy = "path" | "query" | "body" | "match" | "own" | "row" | "new";

/** One row, before the table checks it: `contract/control/routes.ts` knows the codes and the settings. */
export interface Row {
  readonly listener: Listener;
  readonly method: Method;
  /** Parameters are written `:name`. */
  readonly path: string;
  readonly summary: string;
  /** What the summary does not say. */
  readonly description?: string;
  /** `secret`: the app secret as a bearer token; `session`: a session token. */
  readonly auth?: "secret" | "session";
  readonly query?: z.ZodObject;
  /** The query for an app, where its settings can change it. */
  readonly queryOf?: (settings: never) => z.ZodObject;
  /** The shape of the body. Absent: the operation reads no body. */
  readonly body?: z.ZodType;
  /** `rule`: the domain validates the body, because validation depends on the app; `bind` only parses the JSON object. */
  readonly checkedBy?: "rule";
  /** The body may also come as `application/x-www-form-urlencoded`. */
  readonly takesForm?: true;
  /** For whoever sends something else than its body, without this field: a sentence. */
  readonly otherBodies?: { readonly without: string; readonly says: string };
  /** Maximum body size in bytes; absent: the limit of the process (1 MiB). */
  readonly maxBodyBytes?: number;
  /** Stands in the queue of heavy requests; `large`: if it may concern more than 10,000 profiles; `like`: with that field. */
  readonly heavy?: "always" | "large" | "like";
  /** A web page or an asset of one, which OpenAPI omits. */
  readonly isPage?: true;
  /** Stops Stagedoor, or deletes at once what others may be using: OpenAPI documents have it only with `all=1`. */
  readonly isDrastic?: true;
  /** Content type of the success response, if not JSON. */
  readonly contentType?: string;
  /** Success responses by status; null: no body. */
  readonly answers: Readonly<Record<number, z.ZodType | null>>;
  /** Errors in addition to those of every operation of the listener. */
  readonly problems: readonly string[];
  /** What tokens other than the console's own may do with it. Absent: nothing. */
  readonly bound?: BoundBy;
  /** Its source: sections of docs/internals/service.md, and decisions of docs/fidelity.md. Absent: our own. */
  readonly source?: string;
  /** The decision that the request log shows for its responses. */
  readonly decision?: string;
}

/** A parameter of a path. */
export interface PathParameter {
  readonly schema: z.ZodType;
  readonly description: string;
  /** A value that works after a start with the demo data; see also `exampleOf`. */
  readonly example: string;
}

type Answers = Row["answers"];
/** The fields of a row that it may leave out. */
export type Rest = Partial<Omit<Row, "listener" | "method" | "path" | "summary" | "answers">>;

/** The error codes that a row names. */
type CodesOf<R> = R extends { readonly problems: readonly (infer C)[] } ? C : never;

/** The errors that a path implies: an operation on one record may not find it. */
const notFound = (path: string) =>
  path.includes(":userId") ? (["unknown_profile"] as const) : path.includes(":") ? (["unknown_record"] as const) : [];

/** Builds a row. @param more its other fields; `problems` are added to those that the path implies. */
export const row =
  <const L extends Listener, const C extends Rest>(listener: L, base: string, common: C) =>
  <const M extends Method, const A extends Answers, const R extends Rest = Record<never, never>>(
    method: M,
    path: string,
    summary: string,
    answers: A,
    more?: R,
  ) => ({
    listener,
    method,
    path: `${base}${path}`,
    summary,
    answers,
    ...common,
    // Without `more`, R is its default, an empty object.
    ...(more as R),
    problems: [...notFound(path), ...((more?.problems ?? []) as readonly CodesOf<R>[])],
  });

/** Rows of the control API. */
export const control = row("console", "/emulator/v1/", {});

/** Answers with 200. */
export const answersOk = <T extends z.ZodType>(answer: T) => ({ 200: answer });
/** Answers with 201. */
export const answersMade = <T extends z.ZodType>(answer: T) => ({ 201: answer });
/** Answers without a body. */
export const gone = { 204: null } as const;
/** Where a list goes on that is longer than a page: the `after` of the next call. */
const NEXT = "Where a page of 4 MiB, or of `limit` items, ends before the last: the next one’s `after`.";

/** Answers with a list in pages. */
export const pagesOf = <T extends z.ZodType>(item: T) =>
  answersOk(z.object({ items: z.array(item), total: z.int(), next: optional(z.string(), NEXT) }));

/** Answers with a list. */
export const listOf = <T extends z.ZodType>(item: T) => answersOk(z.object({ items: z.array(item), total: z.int() }));
