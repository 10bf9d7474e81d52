/** A request as advice tries it: what was sent, or what might have been meant. */

import {
  isJsonArray,
  isJsonObject,
  type JsonDraft,
  type JsonObject,
  type JsonValue,
  setKey,
} from "#contract/scalars.ts";
import { parsedJson } from "#contract/words/parsed-json.ts";
import { hasBody } from "#http/bodies/read-body.ts";
import { queryIn } from "#http/guards/auth.ts";
import type { Exchange } from "#http/traffic/exchange.ts";

export interface Attempt {
  readonly listener: "admin" | "auth";
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** The secret of the Authorization header; undefined if there is none that can be read. */
  readonly secret: string | undefined;
  /** Whether its headers allow the body to be read. */
  readonly isReadable: boolean;
  /** Whether it has a body of which the log does not have the whole. */
  readonly isUnread: boolean;
  /** As JSON; undefined if it is none, or unread. */
  readonly body: JsonValue | undefined;
}

/** A way into a body: names, and numbers of entries. */
export type Path = readonly string[];

const isRead = ({ reason }: Exchange): boolean =>
  reason !== "not_json" && reason !== "encoded_body" && reason !== "body_too_large";

/** @returns the whole body as text; undefined if the log does not have it. */
export const bodyText = ({ requestBody, requestBodyBytes }: Exchange): string | undefined =>
  requestBody === null || requestBody.length < requestBodyBytes
    ? undefined
    : requestBody.toString("utf8").replace(/^\ufeff/, "");

/** @returns the request of a row; undefined for one to the console. */
export const attemptOf = (row: Exchange): Attempt | undefined => {
  const { listener, method, path, requestHeaders } = row;
  if (listener === "console") return undefined;
  const text = bodyText(row);
  const value = parsedJson(text ?? null);
  const empty = row.requestBodyBytes === 0 && !hasBody(requestHeaders) ? {} : undefined;
  return {
    listener,
    method: method === "HEAD" ? "GET" : method,
    path: path.replace(/\?.*$/s, ""),
    query: queryIn(path),
    secret: /^bearer +(\S+) *$/i.exec(requestHeaders.authorization ?? "")?.[1],
    isReadable: isRead(row),
    isUnread: row.requestBody === null ? hasBody(requestHeaders) : text === undefined,
    // What `JSON.parse` returns.
    body: value === undefined ? empty : (value as JsonValue),
  };
};

/** @returns the value at a path; undefined if there is none. */
export const valueAtPath = (body: JsonValue | undefined, path: Path): JsonValue | undefined => {
  let value = body;
  for (const key of path) {
    if (isJsonArray(value)) value = value[Number(key)];
    else value = isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
  }
  return value;
};

/** @returns the object with a value at a path; what stands in the way becomes an object. */
export const withValue = (body: JsonValue | undefined, path: Path, value: JsonValue): JsonObject => {
  const [key = "", ...rest] = path;
  const draft: JsonDraft = {};
  if (isJsonObject(body)) for (const [name, own] of Object.entries(body)) setKey(draft, name, own);
  setKey(draft, key, rest.length === 0 ? value : withValue(draft[key], rest, value));
  return draft;
};

/** @returns the object without what is at a path, and without objects that are empty for it. */
export const withoutValue = (body: JsonObject, path: Path): JsonObject => {
  const [key = "", ...rest] = path;
  const draft: JsonDraft = {};
  for (const [name, own] of Object.entries(body)) {
    if (name !== key) setKey(draft, name, own);
    else if (rest.length > 0 && isJsonObject(own)) {
      const left = withoutValue(own, rest);
      if (Object.keys(left).length > 0) setKey(draft, name, left);
    }
  }
  return draft;
};

const MOST_NODES = 200;
const MOST_DEPTH = 5;

/** @returns what is in a body, outermost first: each value with its path. */
export const nodesOf = (body: JsonValue | undefined): readonly (readonly [path: Path, value: JsonValue])[] => {
  const found: (readonly [Path, JsonValue])[] = [];
  const queue: (readonly [Path, JsonValue])[] = body === undefined ? [] : [[[], body]];
  for (const node of queue) {
    const [path, value] = node;
    if (path.length > 0) found.push(node);
    if (found.length >= MOST_NODES) break;
    if (path.length >= MOST_DEPTH || typeof value !== "object" || value === null) continue;
    for (const [key, inner] of Object.entries(value).slice(0, MOST_NODES)) queue.push([[...path, key], inner]);
  }
  return found;
};

/** @returns a path as it is shown: `user.phone`, `users[0].phone`. */
export const pathWords = (path: Path): string =>
  path.reduce((text, key) => {
    if (/^\d+$/.test(key)) return `${text}[${key}]`;
    return text === "" ? key : `${text}.${key}`;
  }, "");
