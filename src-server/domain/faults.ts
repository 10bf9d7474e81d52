/** Which fault a request meets. Pure: the acting is done where requests are answered. */
import type { FaultItem, FaultMatch } from "#contract/faults.ts";
import type { ProblemCode } from "#contract/problems.ts";
import { foldUsername } from "#contract/scalars.ts";

/** A request as faults see it: read and known to be whole, but not yet carried out. */
export interface FaultSubject {
  readonly listener: "admin" | "auth";
  /** HEAD counts as GET. */
  readonly method: string;
  /** Without a query. */
  readonly path: string;
  readonly appId: string | null;
  /** The username that a session request is about, as sent. */
  readonly to: string | null;
  /** Whether it is about to send a passcode. */
  readonly sendsPasscode: boolean;
  /** What its operation may refuse. */
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

/** Whether its effect can come about with this request: only then is it used up. */
const applies = ({ effect }: FaultItem, subject: FaultSubject): boolean => {
  if (effect.undelivered === true) return subject.sendsPasscode;
  return effect.reason === undefined || subject.refusals.includes(effect.reason);
};

/** @returns the first fault, in order of making, that meets this request; one that is used up meets none. */
export const faultFor = (faults: readonly FaultItem[], subject: FaultSubject): FaultItem | undefined =>
  faults.find((fault) => fault.remaining !== 0 && matches(fault.match, subject) && applies(fault, subject));

/** @returns the fault after it has met one more request. */
export const usedOnce = (fault: FaultItem): FaultItem => ({
  ...fault,
  used: fault.used + 1,
  remaining: fault.remaining === null ? null : fault.remaining - 1,
});
