/** What a rejected request sent where its advice points to, and the request as it would have been accepted. */
import type { ReplayInput, RequestRow } from "#client/records.ts";
import { header } from "#contract/control/refusals.ts";
import { isObject } from "#contract/service/wire-body.ts";
import { parsedJson } from "#contract/words/parsed-json.ts";

const inBody = (body: unknown, [key, ...rest]: readonly string[]): unknown =>
  key === undefined ? body : isObject(body) ? inBody(body[key], rest) : undefined;

/** @returns the value that the first advice is about, as it was sent; undefined: none, or more than a word. */
export const sentAt = ({ advice: [first], request, method, path }: RequestRow): string | undefined => {
  const [place, ...keys] = first?.at?.split(".") ?? [];
  if (place === "method") return method;
  if (place === "path") return path;
  if (place === "header") return header(request.headers, keys.join("."));
  const value = place === "body" && keys.length > 0 ? inBody(parsedJson(request.body), keys) : undefined;
  return typeof value === "string" || typeof value === "number" ? String(value) : undefined;
};

const withValue = (body: unknown, [key, ...rest]: readonly string[], value: string): unknown =>
  key === undefined ? value : { ...(isObject(body) ? body : {}), [key]: withValue(inBody(body, [key]), rest, value) };

/** @returns the change after which a request is accepted; undefined: its advice does not say. */
export const correctionOf = ({ advice: [first], request }: RequestRow): ReplayInput | undefined => {
  const { send, at = "" } = first ?? {};
  if (send === undefined) return undefined;
  if (at === "body") return { body: send };
  if (at === "path") return { path: send };
  const [place, ...keys] = at.split(".");
  return place === "body" ? { body: JSON.stringify(withValue(parsedJson(request.body), keys, send)) } : undefined;
};
