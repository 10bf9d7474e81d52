/** Selects the fault that applies to a request. Pure: the HTTP layer executes the effect. */
import {
  EFFECT_NAMES,
  EFFECTS,
  type EffectName,
  type FaultEffect,
  type FaultItem,
  type FaultMatch,
} from "#contract/faults.ts";
import type { ProblemCode } from "#contract/problems.ts";
import { foldUsername } from "#contract/scalars.ts";

/** A request as fault matching sees it: complete and valid, but not executed yet. */
export interface FaultSubject {
  readonly listener: "admin" | "auth";
  /** GET for HEAD. */
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  readonly appId: string | null;
  /** The username of a session request, as sent. */
  readonly to: string | null;
  /** Whether it would send a passcode. */
  readonly sendsPasscode: boolean;
  /** The errors that its operation can return. */
  readonly refusals: readonly ProblemCode[];
}

const withoutSlash = (path: string): string => (path.length > 1 && path.endsWith("/") ? path.slice(0, -1) : path);

const pathFits = (pattern: string, path: string): boolean =>
  pattern.endsWith("*") ? path.startsWith(pattern.slice(0, -1)) : withoutSlash(pattern) === withoutSlash(path);

const matches = (match: FaultMatch, subject: FaultSubject): boolean =>
  (match.listener === undefined || match.listener === subject.listener) &&
  (match.method === undefined || match.method === (subject.method === "HEAD" ? "GET" : subject.method)) &&
  (match.path === undefined || pathFits(match.path, subject.path)) &&
  (match.appId === undefined || match.appId === subject.appId) &&
  (match.to === undefined || (subject.to !== null && foldUsername(match.to) === foldUsername(subject.to)));

type Requests = (typeof EFFECTS)[EffectName]["on"];

/** Whether a request can have an effect on such requests. */
const CAN_HAVE: Readonly<Record<Requests, (subject: FaultSubject, effect: FaultEffect) => boolean>> = {
  all: () => true,
  passcodes: ({ sendsPasscode }) => sendsPasscode,
  refusals: ({ refusals }, { reason }) => reason !== undefined && refusals.includes(reason),
};

/** Whether the effect is possible for this request; otherwise the fault is skipped and not counted. */
const applies = ({ effect }: FaultItem, subject: FaultSubject): boolean =>
  EFFECT_NAMES.every((name) => effect[name] === undefined || CAN_HAVE[EFFECTS[name].on](subject, effect));

/** @returns the oldest fault that applies to this request and is not used up. */
export const faultFor = (faults: readonly FaultItem[], subject: FaultSubject): FaultItem | undefined =>
  faults.find((fault) => fault.remaining !== 0 && matches(fault.match, subject) && applies(fault, subject));

/** @returns the fault with one more use counted. */
export const usedOnce = (fault: FaultItem): FaultItem => ({
  ...fault,
  used: fault.used + 1,
  remaining: fault.remaining === null ? null : fault.remaining - 1,
});
