/** Explains the error response of a logged request. */
import { z } from "zod";
import { decisionOf } from "../service/decisions.ts";
import { errorBody, fieldErrorsBody, type ProblemCode, problems, statusPhrase } from "../service/problems.ts";
import { parsedJson } from "../words/parsed-json.ts";
import { sentence } from "../words/words.ts";
import type { RequestItem } from "./requests.ts";

const table: Readonly<Record<string, (typeof problems)[ProblemCode]>> = problems;
const problemOf = (reason: string | null) =>
  reason !== null && Object.hasOwn(table, reason) ? table[reason] : undefined;

/** The body of a 422; nested with the setting errors.fields. */
const fieldErrors = z.union([z.object({ errors: fieldErrorsBody }).transform(({ errors }) => errors), fieldErrorsBody]);

/** @returns the errors by field of a 422. */
const fieldFaults = ({ status, response }: RequestItem): Readonly<Record<string, readonly string[]>> =>
  status === 422 ? (fieldErrors.safeParse(parsedJson(response.body)).data ?? {}) : {};

/** @returns why a request was refused or got no response; undefined otherwise. */
export const refusalWords = (row: RequestItem): string | undefined => {
  if (row.repeats !== null && row.fault !== null && !row.carriedOut)
    return 'Repeated by the client itself, so the fault applied again; with repetitions "count" it would have succeeded';
  if (row.status === 0)
    return row.left ? "The client left before the response" : "Connection closed without a response";
  if (row.status < 400) return undefined;
  if (row.fault !== null) return "Simulated fault";
  const faults = Object.entries(fieldFaults(row)).map(([field, words]) => `${field} ${words.join(", ")}`);
  if (faults.length > 0) return faults.join("; ");
  const known = problemOf(row.reason);
  return known === undefined ? (row.reason ?? statusPhrase(row.status)) : sentence(known.when);
};

/**
 * @returns the sentence with which each account of a request that was refused begins: the advice that cures first, else
 * why it was refused; undefined if it was not.
 */
export const firstWords = (row: RequestItem): string | undefined => {
  const why = refusalWords(row);
  const isOurs = row.status >= 400 && row.fault === null;
  return why === undefined ? undefined : ((isOurs ? row.advice[0]?.text : undefined) ?? why);
};

/** @returns a failed request in one line, with the first sentence about it: `PUT /v1/users/session 401 unknown_app: No app …`. */
export const failureLine = (row: RequestItem): string => {
  const { method, path, status, reason } = row;
  const head = [method, path, status === 0 ? "no response" : status, reason].filter((part) => part !== null).join(" ");
  const [first] = /^.*?[.!?](?=\s|$)/s.exec(firstWords(row) ?? "") ?? [firstWords(row) ?? ""];
  return `${head}: ${first}`;
};

/** @returns what was answered to a request and lost: `status 200; the client left before the response`; empty: nothing. */
export const lostWords = ({ carriedOut, left, status }: RequestItem): string => {
  if (!carriedOut) return "";
  const got = status === 0 ? "the client got no response" : `the client got ${status}`;
  const { reason } = carriedOut;
  return `status ${carriedOut.status}${reason === null ? "" : ` (${reason})`}; ${left ? "the client left before the response" : got}`;
};

/** @returns the decision behind a response; undefined if the operation's decision does not explain the error. */
export const decisionOn = ({ reason, status, fault, decision }: RequestItem): ReturnType<typeof decisionOf> => {
  const isAbout = status < 400 || status === 422 || problemOf(reason)?.decision !== undefined;
  return decision !== null && fault === null && isAbout ? decisionOf(decision) : undefined;
};

/** @returns a header; undefined if absent. @param name in lower case. */
export const header = (headers: RequestItem["request"]["headers"], name: string): string | undefined => {
  const value = Object.entries(headers).find(([own]) => own.toLowerCase() === name)?.[1];
  return typeof value === "string" ? value : value?.[0];
};

/** @returns the server's instruction; empty if there was none. */
export const instructionOf = ({ response, reason }: RequestItem): string => {
  const said = errorBody.safeParse(parsedJson(response.body)).data?.instruction;
  return said ?? header(response.headers, "emulator-instruction") ?? problemOf(reason)?.instruction ?? "";
};
