/** The findings of a probe, compared with Stagedoor. */
import { DEFAULT_SETTINGS, valueAt } from "#contract/service/effective-settings.ts";

/** The value of a setting. */
export type SettingValue = string | number | boolean | readonly string[];

/** The observed behaviour of a service. */
export type Observation =
  /** A value of the setting; without a setting: `true`, the same as Stagedoor. */
  | { readonly is: SettingValue }
  /** Behaviour that no setting can reproduce. */
  | { readonly other: string }
  /** Not observable, and why. `least`: the setting's value that following the service requires nevertheless. */
  | { readonly unknown: string; readonly least?: SettingValue };

/** What a probe is about. */
export interface Subject {
  /** The decision, such as `D12`. */
  readonly decision: string;
  /** The setting that reproduces it, such as `list.order`; null if there is none. */
  readonly setting: string | null;
  /** A few words, for the report and `--dry-run`. */
  readonly question: string;
}

/** One row of the report: how a service compares with Stagedoor's default. */
export interface MeasuredRow extends Subject {
  readonly verdict: "default" | "differs" | "noSetting" | "notObservable";
  /** The observed value; null: none. */
  readonly observed: SettingValue | null;
  readonly byDefault: SettingValue;
  /** Why it is not observable, or what the service does instead of any setting's value. */
  readonly note: string | null;
}

/** Thrown by a probe that cannot observe its subject. The message says why. */
export class Unobservable extends Error {}

/** Thrown if a request has no usable answer. The service may have processed it. */
export class Unanswered extends Unobservable {}

/** Thrown to end the run: nothing more is asked. The message says why. */
export class RunStopped extends Error {}

/** @returns whether two setting values are equal; lists in any order. */
export const sameValue = (a: unknown, b: unknown): boolean => {
  const plain = (value: unknown): string => JSON.stringify(Array.isArray(value) ? value.toSorted() : value);
  return plain(a) === plain(b);
};

/** @returns whether a value can be that of a setting. */
export const isSettingValue = (value: unknown): value is SettingValue =>
  ["string", "number", "boolean"].includes(typeof value) || Array.isArray(value);

/** @returns the default; `true` at a decision without a setting. */
const defaultOf = (setting: string | null): SettingValue => {
  const value = setting === null ? true : valueAt(DEFAULT_SETTINGS, setting);
  return isSettingValue(value) ? value : true;
};

/** @returns the row of an observation. */
export const rowOf = ({ decision, setting, question }: Subject, observation: Observation): MeasuredRow => {
  const row = { decision, setting, question, byDefault: defaultOf(setting) };
  if ("unknown" in observation) return { ...row, verdict: "notObservable", observed: null, note: observation.unknown };
  if ("other" in observation) return { ...row, verdict: "noSetting", observed: null, note: observation.other };
  const verdict = sameValue(observation.is, row.byDefault) ? "default" : "differs";
  return { ...row, verdict, observed: observation.is, note: null };
};
