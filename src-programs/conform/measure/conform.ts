/**
 * Measures what a service does at each decision, and compares it with Stagedoor. It creates its own
 * profiles, and deletes all of them.
 */

import { valueAt } from "#contract/service/effective-settings.ts";
import { type Keep, Lab, type Leftovers } from "./lab.ts";
import { LIST_PROBES } from "./list-probes.ts";
import {
  isSettingValue,
  type MeasuredRow,
  rowOf,
  type SettingValue,
  sameValue,
  Unanswered,
  Unobservable,
} from "./observation.ts";
import type { Bench, Probe } from "./probe.ts";
import { PROFILE_PROBES } from "./profile-probes.ts";
import type { Evidence, Service } from "./service.ts";
import { SESSION_PROBES } from "./session-probes.ts";

/** Decisions that no probe checks, and why. */
export const NEVER_OBSERVED: readonly Pick<MeasuredRow, "decision" | "question" | "note">[] = [
  { decision: "D5", question: "How large can metadata be?", note: "needs requests that could look like an attack" },
  { decision: "D24", question: "How long is a code valid?", note: "needs a wait of 10 minutes" },
  { decision: "D29", question: "What does a token contain?", note: "depends on the app: inspect one of its tokens" },
  { decision: "D31", question: "Which rate limits apply?", note: "needs more requests than a service should receive" },
];

/** All probes of a run, in order. */
export const PROBES: readonly Probe[] = [...PROFILE_PROBES, ...LIST_PROBES, ...SESSION_PROBES];

/**
 * The result of a run. `settings`: those that make Stagedoor behave like the service, by path, without defaults;
 * `evidence`: the requests of each probe; `stopped`: why it ended before the last probe, null if it did not; `left`: the
 * profiles that are left for people to delete, and where; `isTidy`: there are none.
 */
export interface Conformity {
  readonly rows: readonly MeasuredRow[];
  readonly settings: Readonly<Record<string, SettingValue>>;
  readonly evidence: readonly { readonly question: string; readonly requests: readonly Evidence[] }[];
  readonly stopped: string | null;
  readonly left: readonly string[];
  readonly isTidy: boolean;
}

/** How many probes in a row without an answer end a run. */
const MOST_SILENCE = 3;

/** The input of a run. */
export interface ConformParts extends Omit<Bench, "lab" | "found"> {
  readonly service: Service;
  /** A unique mark for the profiles of this run. */
  readonly run: string;
  readonly keep: Keep;
  /** Random numbers from 0 to 1. */
  readonly random: () => number;
  /** What an earlier run left behind; null: nothing. */
  readonly leftovers: Leftovers | null;
  readonly tell: (row: MeasuredRow) => void;
  readonly begin: (question: string) => void;
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** @throws Error if the service does not accept the secret, does not respond, or not with JSON. */
const checkAccess = async (service: Service): Promise<void> => {
  const { status, text, body } = await service.admin("GET", "/v1/profiles");
  const where = `GET ${service.profilesUrl}`;
  if (status === 401 || status === 403)
    throw new Error(`${where} has status ${status}. Check the secret (--secret-env).`);
  if (status !== 200) throw new Error(`${where} has status ${status}. Check --admin-url and the secret.`);
  if (typeof body === "object" && body !== null) return;
  throw new Error(`The response to ${where} is not JSON, but "${text.slice(0, 40)}". Check --admin-url.`);
};

/** Measures a service. @throws Error if it is unreachable, or the leftovers of an earlier run cannot be deleted. */
export const conform = async (parts: ConformParts): Promise<Conformity> => {
  const { service, run, keep, random, leftovers, tell, begin } = parts;
  const lab = new Lab(service, run, keep, random);
  const bench: Bench = { ...parts, lab, found: {} };
  await checkAccess(service);
  if (leftovers !== null) await lab.adopt(leftovers);
  const rows: MeasuredRow[] = [];
  const settings: Record<string, SettingValue> = {};
  const evidence: { question: string; requests: Evidence[] }[] = [];
  let stopped: string | null = null;
  let silence = 0;
  for (const probe of PROBES) {
    begin(probe.question);
    service.startProbe();
    service.evidence.length = 0;
    try {
      const observation = await probe.run(bench).catch((error: unknown) => {
        if (!(error instanceof Unobservable)) throw error;
        silence = error instanceof Unanswered ? silence + 1 : 0;
        return { unknown: error.message };
      });
      if (!("unknown" in observation)) silence = 0;
      const row = rowOf(probe, observation);
      rows.push(row);
      const value = "least" in observation ? observation.least : row.verdict === "differs" ? row.observed : null;
      if (probe.setting !== null && value !== null && value !== undefined) settings[probe.setting] = value;
      tell(row);
      if (silence === MOST_SILENCE) stopped = `${MOST_SILENCE} probes in a row got no response: ${row.note}`;
    } catch (error) {
      stopped = messageOf(error);
    }
    evidence.push({ question: probe.question, requests: [...service.evidence] });
    if (stopped !== null) break;
  }
  begin("Deleting the profiles of this run");
  const left = await lab.tidy().catch((error: unknown) => [messageOf(error)]);
  return { rows, settings, evidence, stopped, left, isTidy: left.length === 0 };
};

/** A difference between the service and the expectation. */
export interface Drift {
  readonly decision: string;
  readonly setting: string;
  readonly expected: SettingValue;
  readonly observed: SettingValue | string;
}

/** @param expected nested settings. @returns where the rows differ; unobserved ones are skipped. */
export const driftOf = (rows: readonly MeasuredRow[], expected: unknown): Drift[] =>
  rows.flatMap(({ decision, setting, verdict, observed, note, byDefault }) => {
    if (setting === null || verdict === "notObservable") return [];
    const given = valueAt(expected, setting);
    const wanted = given === undefined ? byDefault : given;
    if (observed !== null && sameValue(observed, wanted)) return [];
    const shown = isSettingValue(wanted) ? wanted : String(wanted);
    return [{ decision, setting, expected: shown, observed: observed ?? note ?? "" }];
  });
