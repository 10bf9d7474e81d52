/** Selects the fault that applies to a request. Pure: the HTTP layer executes the effect. */

import { foldUsername } from "#contract/scalars.ts";
import {
  EFFECT_NAMES,
  EFFECTS,
  type EffectName,
  type FaultEffect,
  type FaultMatch,
  type MsOrRange,
} from "#contract/service/faults.ts";
import type { ProblemCode } from "#contract/service/problems.ts";
import type { Env } from "#domain/world.ts";
import type { FaultItem } from "./contract/faults.ts";

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
  readonly sendsPasscode: boolean;
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

/** @returns whether a fault can apply to this request: it matches, and is not used up. */
export const canMeet = (fault: FaultItem, subject: FaultSubject): boolean =>
  fault.remaining !== 0 && matches(fault.match, subject) && applies(fault, subject);

const isRange = (ms: MsOrRange | undefined): ms is Exclude<MsOrRange, number> => typeof ms === "object";

/** @returns whether anything about a fault is left to chance. */
export const isByChance = ({ probability, effect }: Pick<FaultItem, "probability" | "effect">): boolean =>
  probability !== undefined || isRange(effect.delayMs) || isRange(effect.deliverAfterMs);

/** @returns from 0 to below 1: the same for the same seed, effects and count of requests. */
const drawn = ({ digits }: Pick<Env, "digits">, { seed, effect, used, passed = 0 }: FaultItem, what: string): number =>
  Number(digits(9, JSON.stringify([String(seed), Object.keys(effect), used + passed, what]))) / 1e9;

/** @returns whether this request is let pass. No draw is below 0, and all are below 1: these cost none. */
const passes = (env: Pick<Env, "digits">, fault: FaultItem): boolean => {
  const { probability = 1 } = fault;
  return probability < 1 && (probability <= 0 || drawn(env, fault, "probability") >= probability);
};

/** An effect of which nothing is left to chance. */
export type DrawnEffect = Omit<FaultEffect, "delayMs" | "deliverAfterMs"> & {
  readonly delayMs?: number;
  readonly deliverAfterMs?: number;
};

/** A request that a fault can meet comes. @returns the fault with it counted, and the effect if it applies. */
export const metBy = (
  env: Pick<Env, "digits">,
  fault: FaultItem,
): { readonly fault: FaultItem; readonly effect?: DrawnEffect } => {
  const { used, remaining, passed = 0 } = fault;
  if (passes(env, fault)) return { fault: { ...fault, passed: passed + 1 } };
  const { delayMs, deliverAfterMs, ...others } = fault.effect;
  const exact = (ms: MsOrRange, what: string): number =>
    isRange(ms) ? Math.floor(ms.from + drawn(env, fault, what) * (ms.to - ms.from + 1)) : ms;
  return {
    fault: { ...fault, used: used + 1, remaining: remaining === null ? null : remaining - 1 },
    effect: {
      ...others,
      ...(delayMs !== undefined && { delayMs: exact(delayMs, "delayMs") }),
      ...(deliverAfterMs !== undefined && { deliverAfterMs: exact(deliverAfterMs, "deliverAfterMs") }),
    },
  };
};
