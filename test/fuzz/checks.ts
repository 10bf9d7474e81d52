/** What must hold for every response to any request: the checks of Schemathesis, against our own documents. */

import type { JsonObject, JsonValue } from "#contract/scalars.ts";
import { problems } from "#contract/service/problems.ts";
import type { Received } from "#test/hosts/send.ts";
import type { DocumentedAnswer } from "./operations.ts";
import { FOREIGN, ID, SECRET } from "./seed.ts";
import type { Shot } from "./shots.ts";
import { schemaFault } from "./validators.ts";

/** The possible findings. */
export type Check =
  | "no response"
  | "server error"
  | "HTML or stack trace"
  | "undocumented status"
  | "undocumented media type"
  | "undocumented body"
  | "undocumented headers"
  | "wrong reason"
  | "invalid data accepted"
  | "valid data rejected"
  | "wrong status"
  | "auth ignored"
  | "method"
  | "another app's data"
  | "state changed"
  | "next write fails"
  | "used after deletion";

/** A finding, in words. */
export interface Finding {
  readonly check: Check;
  readonly text: string;
}

/** @returns a finding in a list, so that checks can be combined. */
export const found = (check: Check, text: string): Finding[] => [{ check, text }];

const STACK = /\bat (?:async )?[^\n]*\(?(?:file:|node:|\/)[^\n]*\.[cm]?[jt]s:\d+|node_modules/;

const isObject = (value: JsonValue | undefined): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const parsed = (text: string): { readonly value: JsonValue } | undefined => {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
};

const mediaType = ({ headers }: Received): string | undefined => headers["content-type"]?.split(";")[0]?.trim();

const header = ({ headers }: Received, name: string): string | undefined => {
  const value = headers[name.toLowerCase()];
  return Array.isArray(value) ? value.join(", ") : value;
};

/** No 5xx, no HTML page, no stack trace: in any response on any path. */
const plainFaults = (answer: Received): Finding[] => {
  const faults: Finding[] = [];
  if (answer.status >= 500) faults.push(...found("server error", `${answer.status} ${answer.text.slice(0, 300)}`));
  if (/html/i.test(mediaType(answer) ?? "") || /^\s*<(?:!doctype|html)/i.test(answer.text))
    faults.push(...found("HTML or stack trace", `HTML: ${answer.text.slice(0, 200)}`));
  if (STACK.test(answer.text))
    faults.push(...found("HTML or stack trace", `a stack trace: ${answer.text.slice(0, 300)}`));
  return faults;
};

/** Emulator headers on admin and auth; every refusal has its reason, one of the table and for this status. */
const reasonFaults = (shot: Shot, answer: Received): Finding[] => {
  const faults: Finding[] = [];
  const missing = (name: string): Finding[] => found("undocumented headers", `no ${name} with ${answer.status}`);
  if (shot.listener !== "console")
    for (const [name, pattern] of [
      ["Emulator", /^stagedoor\//],
      ["Emulator-Request-Id", /^[0-9a-f-]{36}$/],
    ] as const)
      if (!pattern.test(header(answer, name) ?? "")) faults.push(...missing(name));
  const reason = header(answer, "Emulator-Reason");
  if (answer.status < 400) return faults;
  const table: Readonly<Record<string, { readonly status: number }>> = problems;
  if (reason === undefined || table[reason]?.status !== answer.status)
    faults.push(...found("wrong reason", `${answer.status} with the reason ${reason}`));
  return faults;
};

const bodyFaults = (documented: DocumentedAnswer, answer: Received): Finding[] => {
  const types = Object.keys(documented.content);
  const type = mediaType(answer);
  if (types.length === 0)
    return answer.text === "" ? [] : found("undocumented body", `${answer.status} with ${answer.text.slice(0, 100)}`);
  const schema = documented.content[type ?? ""];
  if (schema === undefined)
    return found("undocumented media type", `${answer.status} ${type}, not ${types.join(" or ")}`);
  if (type !== "application/json") return [];
  const body = parsed(answer.text);
  if (body === undefined) return found("undocumented body", `not JSON: ${answer.text.slice(0, 200)}`);
  const fault = schemaFault(schema, body.value);
  return fault === undefined
    ? []
    : found("undocumented body", `${answer.status} ${fault}: ${answer.text.slice(0, 300)}`);
};

const headerFaults = (documented: DocumentedAnswer, answer: Received): Finding[] =>
  documented.headers.flatMap(({ name, required, schema }) => {
    const text = header(answer, name);
    if (text === undefined) return required ? found("undocumented headers", `no ${name} with ${answer.status}`) : [];
    const value = schema["type"] === "integer" ? Number(text) : text;
    const fault = schemaFault(schema, value);
    return fault === undefined ? [] : found("undocumented headers", `${name}: ${text}: ${fault}`);
  });

/** What every listener may return for a path without an operation. */
const ELSEWHERE: ReadonlySet<string> = new Set(["unknown_path", "not_emulated", "other_listener", "malformed_path"]);

/** Status, media type, body and headers match the document. */
const documentFaults = (shot: Shot, answer: Received): Finding[] => {
  const documented = shot.operation?.answers.get(answer.status);
  const reason = header(answer, "Emulator-Reason") ?? "";
  if (documented !== undefined && !(shot.kind === "hostile" && ELSEWHERE.has(reason)))
    return [...bodyFaults(documented, answer), ...headerFaults(documented, answer)];
  if (shot.operation !== undefined && shot.kind !== "hostile")
    return found("undocumented status", `${answer.status} ${reason} ${answer.text.slice(0, 300)}`);
  if (shot.operation !== undefined && !ELSEWHERE.has(reason))
    return found("undocumented status", `${answer.status} ${reason} ${answer.text.slice(0, 300)}`);
  const body = parsed(answer.text)?.value;
  const plain = isObject(body) && typeof body["message"] === "string" && typeof body["instruction"] === "string";
  return answer.status < 400 || plain
    ? []
    : found("undocumented body", `${answer.status} ${answer.text.slice(0, 200)}`);
};

/** Invalid data is rejected, valid data is not called malformed, and where only one status is right it is returned. */
const verdictFaults = (shot: Shot, { status, text }: Received): Finding[] => {
  if (shot.status !== undefined && shot.status !== status)
    return found("wrong status", `${status} instead of ${shot.status}: ${text.slice(0, 300)}`);
  if (shot.kind === "violating" && status < 400)
    return found("invalid data accepted", `${status} ${text.slice(0, 300)}`);
  if (shot.kind === "valid" && [400, 413, 415].includes(status))
    return found("valid data rejected", `${status} ${text.slice(0, 300)}`);
  return [];
};

/** Marks of what the app's clients must not see: other apps' records, and all secrets. */
const MARKS: Readonly<Record<Shot["listener"], readonly string[]>> = {
  admin: [FOREIGN, ID.foreign, ID.mail, ID.witness, ...Object.values(SECRET)],
  auth: [FOREIGN, ID.foreign, ID.witness, ...Object.values(SECRET)],
  console: [],
};

/** No other app's data appears on admin and auth, except what the request itself contained. */
const foreignFaults = (shot: Shot, { text }: Received): Finding[] => {
  const said = `${shot.target}${shot.body?.toString() ?? ""}`.toLowerCase();
  return MARKS[shot.listener]
    .filter((mark) => text.includes(mark) && !said.includes(mark.toLowerCase()))
    .flatMap((mark) => found("another app's data", `${mark} in ${text.slice(0, 300)}`));
};

/** @returns all that is wrong with a response. */
export const answerFaults = (shot: Shot, answer: Received): Finding[] => [
  ...plainFaults(answer),
  ...reasonFaults(shot, answer),
  ...documentFaults(shot, answer),
  ...verdictFaults(shot, answer),
  ...foreignFaults(shot, answer),
];
