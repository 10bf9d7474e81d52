/** The calls, codes and changes of a login, by the second in which they come. */
import type { Passcode, RequestRow, TimelineItem } from "#client/index.ts";
import { instant, PASSCODE, ROW } from "./records.ts";

/** @returns an instant of the login. */
const at = (seconds: number) => instant(new Date(Date.UTC(2026, 0, 1, 14, 2, seconds)).toISOString());
/** A call of the login, in this second. @param typed the body as sent, and the code. */
export const row = (
  seconds: number,
  method: string,
  status: number,
  change: Partial<RequestRow> = {},
  typed?: string,
) => {
  const answer = method === "PUT" && status === 200 ? JSON.stringify({ id: "s1" }) : null;
  const made: RequestRow = {
    ...ROW,
    id: `r${seconds}`,
    at: at(seconds),
    method,
    status,
    request: { headers: {}, body: typed ?? null },
    login: { id: "r0", to: "+12025550100", typed: typed ?? null },
    response: { headers: {}, body: answer },
    ...change,
  };
  return made;
};
/** A code that came in this second. */
export const passcode = (code: string, seconds: number, requestId: string | null): Passcode => ({
  ...PASSCODE,
  id: `p${seconds}`,
  seq: seconds,
  code,
  requestId,
  createdAt: at(seconds),
  expiresAt: at(599),
});
/** Of a call with a wrong code. */
export const wrong = { reason: "passcode_mismatch" };

/** A change of the timeline. @param seq its number, and its second. */
export const item = (seq: number, what: string, requestId: string | null = `r${seq}`): TimelineItem => ({
  seq,
  at: at(seq),
  requestId,
  what,
  changes: [],
});
