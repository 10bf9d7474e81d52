/** Rows of the request log for the tests of steps. */
import type { RequestRow } from "#client/index.ts";

/** @returns a row with these fields. */
export const exchangeRow = (change: Partial<RequestRow>): RequestRow => ({
  id: "row",
  at: "2027-01-01T00:00:00.000Z",
  listener: "auth",
  scheme: "http",
  method: "GET",
  path: "/",
  status: 200,
  reason: null,
  check: null,
  decision: null,
  fault: null,
  repeats: null,
  carriedOut: null,
  appId: null,
  userId: null,
  login: null,
  durationMs: 1,
  ignoredFields: [],
  warnings: [],
  advice: [],
  request: { headers: {}, body: null },
  response: { headers: {}, body: null },
  remote: null,
  ...change,
});
