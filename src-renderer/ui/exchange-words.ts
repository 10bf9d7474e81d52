/**
 * A request and its answer in plain words.
 */

import type { RequestRow } from "#client/index.ts";
import { fieldErrorsBody, type ProblemCode, problems, statusPhrase } from "#contract/problems.ts";
import { type OperationId, routes } from "#contract/routes.ts";
import { readJson } from "./wire-shape.ts";

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
  return [{ listener, method, words, path: new RegExp(`^${path.replace(/:\w+/g, "[^/]+")}/?$`) }];
});

/** @returns whether a reason is one of the error table. */
export const isReason = (reason: string): reason is ProblemCode => Object.hasOwn(problems, reason);

/** @returns the path without its query. */
export const pathOnly = (path: string): string => path.split("?")[0] ?? path;

const sentence = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);

/** @returns what is wrong, by field, of a 422. */
export const fieldFaults = ({ status, response }: RequestRow): Readonly<Record<string, readonly string[]>> =>
  status === 422 ? (fieldErrorsBody.safeParse(readJson(response.body)).data ?? {}) : {};

const refusalWords = (row: RequestRow): string => {
  const faults = Object.entries(fieldFaults(row)).map(([field, words]) => `${field} ${words.join(", ")}`);
  if (faults.length > 0) return faults.join("; ");
  if (row.reason === null) return statusPhrase(row.status);
  return isReason(row.reason) ? sentence(problems[row.reason].when) : row.reason;
};

/** @returns what came of a request: why it was refused, or what it did. */
export const outcomeWords = (row: RequestRow): string => {
  if (row.status === 0) return "Connection closed without a response";
  if (row.status >= 400) return row.fault !== null ? "Simulated fault" : refusalWords(row);
  if (row.method === "OPTIONS") return "CORS preflight";
  if (row.status === 202) return "Passcode sent";
  const path = pathOnly(row.path);
  const method = row.method === "HEAD" ? "GET" : row.method;
  const done = OPERATIONS.find((one) => one.listener === row.listener && one.method === method && one.path.test(path));
  return done?.words ?? (/^\/(livez|readyz)\/?$/.test(path) ? "Health check" : statusWords(row.status));
};

const statusWords = (status: number): string => (status < 300 ? "Succeeded" : `Status ${status}`);

/** @returns a duration, such as `0.4 ms`, `12 ms` or `1.2 s`. */
export const durationWords = (ms: number): string => {
  if (ms < 10) return `${ms.toFixed(1)} ms`;
  return ms < 1_000 ? `${Math.round(ms)} ms` : `${(ms / 1_000).toFixed(1)} s`;
};
