/**
 * Measures what a service does at each decision, and compares it with Stagedoor (CONTRACT 12). It creates its own
 * profiles, and deletes all of them.
 */
import { valueAt } from "#contract/effective-settings.ts";
import { type Keep, Lab, type Leftovers } from "./lab.ts";
import { LIST_PROBES } from "./list-probes.ts";
import {
  isSettingValue,
  type Observation,
  type Row,
  rowOf,
  type SettingValue,
  sameValue,
  Unobservable,
} from "./observation.ts";
import type { Bench, Probe } from "./probe.ts";
import { PROFILE_PROBES } from "./profile-probes.ts";
import type { Evidence, Service } from "./service.ts";
import { SESSION_PROBES } from "./session-probes.ts";

/** Decisions that no probe checks, and why. */
export const NEVER_OBSERVED: readonly Pick<Row, "decision" | "question" | "note">[] = [
  { decision: "D5", question: "How large can metadata be?", note: "needs requests that could look like an attack" },
  { decision: "D24", question: "How long is a code valid?", note: "needs a wait of 10 minutes" },
  { decision: "D29", question: "What does a token contain?", note: "depends on the app: inspect a token of your own" },
  { decision: "D31", question: "Which rate limits apply?", note: "needs more requests than a service should receive" },
];

/** All probes of a run, in order. */
export const PROBES: readonly Probe[] = [...PROFILE_PROBES, ...LIST_PROBES, ...SESSION_PROBES];

/**
 * The result of a run. `settings`: those that make Stagedoor behave like the service, by path, without defaults;
 * `evidence`: the requests of each probe; `isTidy`: whether every profile of the run was deleted.
 */
export interface Conformity {
  readonly rows: readonly Row[];
  readonly settings: Readonly<Record<string, SettingValue>>;
  readonly evidence: readonly { readonly question: string; readonly requests: readonly Evidence[] }[];
  readonly isTidy: boolean;
}

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
  /** Called with each row as it is found. */
  readonly tell: (row: Row) => void;
  /** Whether to end early; the run still deletes what it created. */
  readonly isEnded: () => boolean;
}

const observe = async (probe: Probe, bench: Bench): Promise<Observation> => {
  try {
    return await probe.run(bench);
  } catch (error) {
    if (error instanceof Unobservable) return { unknown: error.message };
    throw error;
  }
};

/** @throws Error if the service does not accept the secret, or does not respond. */
const checkAccess = async (service: Service): Promise<void> => {
  const { status } = await service.admin("GET", "/v1/profiles");
  if (status !== 200) throw new Error(`The list of profiles has status ${status}. Check the URL and the secret.`);
};

/** Measures a service. @throws Error if it is unreachable, or the leftovers of an earlier run cannot be deleted. */
export const conform = async (parts: ConformParts): Promise<Conformity> => {
  const { service, run, keep, random, leftovers, tell, isEnded } = parts;
  const lab = new Lab(service, run, keep, random);
  const bench: Bench = { ...parts, lab, found: {} };
  await checkAccess(service);
  if (leftovers !== null) await lab.adopt(leftovers);
  const rows: Row[] = [];
  const settings: Record<string, SettingValue> = {};
  const evidence: { question: string; requests: Evidence[] }[] = [];
  let isTidy = false;
  try {
    for (const probe of PROBES) {
      if (isEnded()) break;
      service.evidence.length = 0;
      const observation = await observe(probe, bench);
      const row = rowOf(probe, observation);
      rows.push(row);
      evidence.push({ question: probe.question, requests: [...service.evidence] });
      const value = "least" in observation ? observation.least : row.verdict === "differs" ? row.observed : null;
      if (probe.setting !== null && value !== null && value !== undefined) settings[probe.setting] = value;
      tell(row);
    }
  } finally {
    isTidy = await lab.tidy().catch(() => false);
  }
  return { rows, settings, evidence, isTidy };
};

/** A difference between the service and the expectation. */
export interface Drift {
  readonly decision: string;
  readonly setting: string;
  readonly expected: SettingValue;
  readonly observed: SettingValue | string;
}

/** @param expected nested settings. @returns where the rows differ; unobserved ones are skipped. */
export const driftOf = (rows: readonly Row[], expected: unknown): Drift[] =>
  rows.flatMap(({ decision, setting, verdict, observed, note, byDefault }) => {
    if (setting === null || verdict === "notObservable") return [];
    const given = valueAt(expected, setting);
    const wanted = given === undefined ? byDefault : given;
    if (observed !== null && sameValue(observed, wanted)) return [];
    const shown = isSettingValue(wanted) ? wanted : String(wanted);
    return [{ decision, setting, expected: shown, observed: observed ?? note ?? "" }];
  });
