import type { Fault, FaultInput, Passcode, Scenario } from "#client/index.ts";
import type { EffectName, FaultChance, MsOrRange } from "#contract/service/faults.ts";
import { REASON_WORDS } from "#contract/service/reasons.ts";
import { recipientText } from "#contract/words/phone-words.ts";
import { counted, many } from "#contract/words/words.ts";
import { lowered } from "../../ui/words.ts";
import { SCENARIO_CHOICES } from "./scenario-words.ts";

type Match = Fault["match"];
type Effect = Fault["effect"];
const NUMBER = new Intl.NumberFormat("en", { maximumFractionDigits: 1 });

/** @returns which requests, such as `PUT /v1/users/session for +1 202 555 0100`. @param nameOf an app's name. */
export const matchWords = (
  { listener, method, path, appId, to }: Match,
  nameOf: (appId: string) => string = (id) => id,
): string => {
  const any = method !== undefined ? `${method} requests` : listener !== undefined ? "Requests" : "All requests";
  const what = path === undefined ? any : [method, path].join(" ").trim();
  return [
    what,
    ...(listener === undefined ? [] : [path === undefined ? `to ${listener}` : `on ${listener}`]),
    ...(to === undefined ? [] : [`for ${recipientText(to)}`]),
    ...(appId === undefined ? [] : [`in ${nameOf(appId)}`]),
  ].join(" ");
};

/** @returns milliseconds as seconds, such as `2`, or `0.5 to 4`. */
const secondsText = (ms: MsOrRange | undefined): string => {
  if (ms === undefined) return "";
  return typeof ms === "number" ? String(ms / 1_000) : `${ms.from / 1_000} to ${ms.to / 1_000}`;
};

/** The text of each effect; empty: nothing to say. The first one of a fault begins the sentence. */
const EFFECT_WORDS: Readonly<Record<EffectName, (effect: Effect) => string>> = {
  twice: () => "Carries it out twice",
  status: ({ status }) => `Returns ${status}`,
  headers: () => "",
  body: () => "",
  reason: ({ reason }) => `Rejects with “${reason === undefined ? "" : REASON_WORDS[reason].short}”`,
  drop: () => "Drops the connection",
  reset: () => "Resets the connection",
  undelivered: () => "Does not deliver the code",
  deliverAfterMs: ({ deliverAfterMs }) => `Delivers the code after ${secondsText(deliverAfterMs)} s`,
  deliverTwice: ({ deliverAfterMs }) => (deliverAfterMs === undefined ? "Delivers the code twice" : "twice"),
  delayMs: ({ delayMs = 0, after, ...others }) =>
    `${Object.keys(others).length === 0 ? (after ? "Delays the response" : "Delays") : "after"} ${secondsText(delayMs)} s`,
  after: () => "after carrying it out",
  clockOffMs: ({ clockOffMs = 0, ...others }) => {
    const words = `${secondsText(Math.abs(clockOffMs))} s ${clockOffMs < 0 ? "behind" : "ahead"}`;
    return `${Object.keys(others).length === 0 ? "Clock" : "clock"} ${words}`;
  },
};

/** @returns the effect as text, such as `Returns 503, after 2 s`. */
export const effectWords = (effect: Effect): string =>
  Object.entries(EFFECT_WORDS)
    .flatMap(([name, words]) => (name in effect ? [words(effect)] : []))
    .filter((words) => words !== "")
    .map((words, at) => (at === 0 ? words : lowered(words)))
    .join(", ");

/** @returns the description of a scenario. */
export const scenarioWords = (scenario: Scenario): string =>
  typeof scenario === "string"
    ? (SCENARIO_CHOICES.find(([name]) => name === scenario)?.[1] ?? scenario)
    : effectWords(scenario.effect);

/** @returns the count as text, such as `next 3 requests` or `until turned off`. */
const timesWords = (times: number | null): string => {
  if (times === null) return "until turned off";
  return times === 1 ? "next request" : `next ${many(times, "request")}`;
};

/** @returns the part of the requests that a fault applies to, such as `, for 20 % of requests`; empty: all. */
export const shareWords = ({ probability, cycle }: FaultChance): string => {
  const share = probability === undefined ? "" : `, for ${NUMBER.format(probability * 100)} % of requests`;
  return cycle === undefined
    ? share
    : `${share}, for ${secondsText(cycle.forMs)} s of every ${secondsText(cycle.everyMs)} s`;
};

/** @returns when a fault applies, such as `next 3 requests, for 20 % of requests`. */
export const oftenWords = (fault: Pick<FaultInput, "times" | keyof FaultChance>): string =>
  timesWords(fault.times ?? null) + shareWords(fault);

/** @returns the counters: how many uses are left, and how many there were. */
export const counterWords = ({ used, remaining, times }: Fault): readonly [left: string, used: string] => {
  const total = counted(used);
  if (remaining === null) return ["No limit", used === 0 ? "not used yet" : `used ${total}×`];
  return [remaining === 0 ? "Used up" : `${counted(remaining)} left`, `${total} of ${counted(times ?? used)} used`];
};

/** @returns whether a fault can apply to requests of an app. @param appId null: any app. */
export const concerns = ({ match }: Fault, appId: string | null): boolean =>
  appId === null || match.appId === undefined || match.appId === appId;

const LOGIN_PATH = "/v1/users/session";

/** @returns whether a fault can apply to a request that sends this passcode or submits it. */
export const meets = ({ match }: Fault, { appId, to }: Pick<Passcode, "appId" | "to">): boolean =>
  match.listener !== "admin" &&
  ["POST", "PUT", undefined].includes(match.method) &&
  (match.path?.endsWith("*")
    ? LOGIN_PATH.startsWith(match.path.slice(0, -1))
    : (match.path ?? LOGIN_PATH) === LOGIN_PATH) &&
  (match.appId ?? appId) === appId &&
  (match.to ?? to).toLowerCase() === to.toLowerCase();
