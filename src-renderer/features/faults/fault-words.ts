/**
 * What there is to say of a fault.
 */
import type { Fault } from "../../api/faults.ts";
import { recipientText } from "../../ui/phone.ts";

type Match = Fault["match"];
type Effect = Fault["effect"];
/** A refusal that a fault can bring about. */
export type Reason = NonNullable<Effect["reason"]>;

/** The refusals in words. */
export const REASON_WORDS: Readonly<Record<Reason, string>> = {
  passcode_expired: "the code has expired",
  passcode_exhausted: "too many wrong tries",
  passcode_mismatch: "the code is wrong",
  passcode_used: "the code was used already",
  passcode_replaced: "a newer code was sent",
  rate_limited: "too many requests, 429 with Retry-After",
  unknown_user: "nobody has this number or address",
  unknown_app: "there is no such app",
  sign_up_closed: "sign-ups are closed",
  unknown_secret: "the secret is wrong",
  unknown_profile: "there is no such profile",
  internal: "an error in the server, 500",
  disk_full: "the disk is full, 507",
};

const NUMBER = new Intl.NumberFormat("en", { maximumFractionDigits: 3 });

/** @returns milliseconds as seconds, such as `2 s` or `0.25 s`. */
export const delayWords = (ms: number): string => `${NUMBER.format(ms / 1_000)} s`;

/** @returns which requests, such as `PUT /v1/users/session for +1 202 555 0100`. @param nameOf the name of an app. */
export const matchWords = (
  { listener, method, path, appId, to }: Match,
  nameOf: (appId: string) => string = (id) => id,
): string => {
  const what =
    path === undefined
      ? `${method === undefined ? (listener === undefined ? "Every request" : "Requests") : `${method} requests`}`
      : `${method === undefined ? "" : `${method} `}${path}`;
  return [
    what,
    ...(listener === undefined ? [] : [path === undefined ? `to ${listener}` : `on ${listener}`]),
    ...(to === undefined ? [] : [`for ${recipientText(to)}`]),
    ...(appId === undefined ? [] : [`of ${nameOf(appId)}`]),
  ].join(" ");
};

/** @returns what happens to a request, such as `Answered 503, after 2 s`. */
export const effectWords = ({ delayMs, status, reason, drop, reset, undelivered }: Effect): string => {
  const late = delayMs === undefined ? "" : `, after ${delayWords(delayMs)}`;
  if (status !== undefined) return `Answered ${status}${late}`;
  if (reason !== undefined) return `Refused: ${REASON_WORDS[reason]}${late}`;
  if (drop === true) return `Closed without an answer${late}`;
  if (reset === true) return `Connection reset${late}`;
  if (undelivered === true) return `The code does not arrive${late}`;
  return `Answered ${delayWords(delayMs ?? 0)} late`;
};

/** @returns how often, such as `the next 3 requests` or `until it is turned off`. */
export const timesWords = (times: number | null): string => {
  if (times === null) return "until it is turned off";
  return times === 1 ? "the next request" : `the next ${times.toLocaleString("en")} requests`;
};

/** @returns the counters, such as `met 1, 2 left`. */
export const counterWords = ({ used, remaining, times }: Fault): string => {
  if (remaining === 0) return times === 1 ? "met 1, used up" : `met all ${used.toLocaleString("en")}`;
  if (remaining === null) return used === 0 ? "not met yet" : `met ${used.toLocaleString("en")} so far`;
  return `${used === 0 ? "not met" : `met ${used.toLocaleString("en")}`}, ${remaining.toLocaleString("en")} left`;
};

/** @returns whether a fault can meet requests of an app. @param appId null: of any. */
export const concerns = ({ match }: Fault, appId: string | null): boolean =>
  appId === null || match.appId === undefined || match.appId === appId;
