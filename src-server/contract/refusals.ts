/** What a row of the request log says of its refusal (section 5 of the contract). */

import { z } from "zod";
import { decisionOf } from "./decisions.ts";
import { errorBody, fieldErrorsBody, type ProblemCode, problems, statusPhrase } from "./problems.ts";
import type { RequestItem } from "./requests.ts";
import { readJson } from "./wire-body.ts";
import { sentence } from "./words.ts";

const isReason = (reason: string): reason is ProblemCode => Object.hasOwn(problems, reason);

/** The body of a 422; nested where the app's errors.fields says so. */
const fieldErrors = z.union([z.object({ errors: fieldErrorsBody }).transform(({ errors }) => errors), fieldErrorsBody]);

/** @returns what is wrong, by field, of a 422. */
export const fieldFaults = ({ status, response }: RequestItem): Readonly<Record<string, readonly string[]>> =>
  status === 422 ? (fieldErrors.safeParse(readJson(response.body)).data ?? {}) : {};

/** @returns why a request was refused or got no answer; undefined: it was neither. */
export const refusalWords = (row: RequestItem): string | undefined => {
  if (row.status === 0) return "Connection closed without a response";
  if (row.status < 400) return undefined;
  if (row.fault !== null) return "Simulated fault";
  const faults = Object.entries(fieldFaults(row)).map(([field, words]) => `${field} ${words.join(", ")}`);
  if (faults.length > 0) return faults.join("; ");
  if (row.reason === null) return statusPhrase(row.status);
  return isReason(row.reason) ? sentence(problems[row.reason].when) : row.reason;
};

/** @returns the decision that an answer rests on; undefined where that of the operation says nothing of the refusal. */
export const decisionOn = ({ reason, status, fault, decision }: RequestItem): ReturnType<typeof decisionOf> => {
  const isAbout =
    status < 400 || status === 422 || (reason !== null && isReason(reason) && "decision" in problems[reason]);
  return decision !== null && fault === null && isAbout ? decisionOf(decision) : undefined;
};

/** @returns a header of a message; undefined if it has none of that name. @param name in small letters. */
export const header = (headers: RequestItem["request"]["headers"], name: string): string | undefined => {
  const value = Object.entries(headers).find(([own]) => own.toLowerCase() === name)?.[1];
  return typeof value === "string" ? value : value?.[0];
};

/** @returns what the server said to look at; empty if it said nothing. */
export const instructionOf = ({ response, reason }: RequestItem): string => {
  const said = errorBody.safeParse(readJson(response.body)).data?.instruction;
  const inHeader = header(response.headers, "emulator-instruction");
  return said ?? inHeader ?? (reason !== null && isReason(reason) ? problems[reason].instruction : "");
};
