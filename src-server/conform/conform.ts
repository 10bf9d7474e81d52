/**
 * Asks a service what it does at each decision, and says how that stands beside Stagedoor (CONTRACT 12). It makes profiles of
 * its own, and leaves none of them.
 */
import { valueAt } from "#contract/effective-settings.ts";
import { type Keep, Lab, type Leftovers } from "./lab.ts";
import { listProbes } from "./list-probes.ts";
import { type Observation, type Row, rowOf, type SettingValue, sameValue, Unobservable } from "./observation.ts";
import type { Bench, Probe } from "./probe.ts";
import { PROFILE_PROBES } from "./profile-probes.ts";
import type { Evidence, Service } from "./service.ts";
import { sessionProbes } from "./session-probes.ts";

/** What no probe looks at, and why. */
export const NEVER_OBSERVED: readonly Pick<Row, "decision" | "question" | "note">[] = [
  {
    decision: "D5",
    question: "How large may metadata be?",
    note: "needs bodies that a service may take for an attack",
  },
  { decision: "D24", question: "How long does a code live?", note: "needs a wait of 10 minutes" },
  {
    decision: "D29",
    question: "What is in a token?",
    note: "look at a token of your own: its claims depend on the app",
  },
  { decision: "D31", question: "Which rate limits are there?", note: "needs more requests than a service should get" },
];

/** @returns all probes of a run, in their order. */
export const allProbes = (): readonly Probe[] => [...PROFILE_PROBES, ...listProbes(), ...sessionProbes()];

/** What a run came to. */
export interface Conformity {
  readonly rows: readonly Row[];
  /** The settings that follow the service, by path; those that need no change are absent. */
  readonly settings: Readonly<Record<string, SettingValue>>;
  /** The requests of each probe, by its question. */
  readonly evidence: readonly { readonly question: string; readonly requests: readonly Evidence[] }[];
  /** Whether every profile of the run is gone. */
  readonly isTidy: boolean;
}

/** What a run is given. */
export interface ConformParts extends Omit<Bench, "lab"> {
  readonly service: Service;
  /** Marks the profiles of this run; nothing else is called so. */
  readonly run: string;
  readonly keep: Keep;
  /** From 0 to 1. */
  readonly random: () => number;
  /** What an earlier run has left; null: nothing. */
  readonly leftovers: Leftovers | null;
  /** Told of each row as it is found. */
  readonly tell: (row: Row) => void;
  /** Whether the run is to end early; what it made is tidied up. */
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

/** @throws Error if the service does not take the secret, or does not answer at all. */
const checkAccess = async (service: Service): Promise<void> => {
  const { status } = await service.admin("GET", "/v1/profiles");
  if (status !== 200) throw new Error(`The list of profiles has status ${status}. Check the URL and the secret.`);
};

/** Measures a service. @throws Error if it cannot be reached, or an earlier run cannot be tidied up. */
export const conform = async (parts: ConformParts): Promise<Conformity> => {
  const { service, run, keep, random, leftovers, tell, isEnded } = parts;
  const lab = new Lab(service, run, keep, random);
  await checkAccess(service);
  if (leftovers !== null) await lab.adopt(leftovers);
  const rows: Row[] = [];
  const settings: Record<string, SettingValue> = {};
  const evidence: { question: string; requests: Evidence[] }[] = [];
  let isTidy = false;
  try {
    for (const probe of allProbes()) {
      if (isEnded()) break;
      service.evidence.length = 0;
      const observation = await observe(probe, { ...parts, lab });
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

/** Where a service is another than was expected. */
export interface Drift {
  readonly decision: string;
  readonly setting: string;
  readonly expected: SettingValue;
  readonly observed: SettingValue | string;
}

/** @param expected settings, nested. @returns where the rows are others; what was not observed is passed over. */
export const driftOf = (rows: readonly Row[], expected: unknown): Drift[] =>
  rows.flatMap(({ decision, setting, verdict, observed, note, byDefault }) => {
    if (setting === null || verdict === "notObservable") return [];
    const given = valueAt(expected, setting);
    const wanted = given === undefined ? byDefault : given;
    if (observed !== null && sameValue(observed, wanted)) return [];
    const shown =
      typeof wanted === "number" || typeof wanted === "boolean" || Array.isArray(wanted) ? wanted : String(wanted);
    return [{ decision, setting, expected: shown, observed: observed ?? note ?? "" }];
  });
