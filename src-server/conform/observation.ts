/** What a probe finds, and how it stands beside what Stagedoor does (CONTRACT 12). */
import { DEFAULT_SETTINGS, valueAt } from "#contract/effective-settings.ts";

/** The value of a setting. */
export type SettingValue = string | number | boolean | readonly string[];

/** What a service was seen to do. */
export type Observation =
  /** As a value of the setting has it; without a setting: `true`, as Stagedoor does. */
  | { readonly is: SettingValue }
  /** As no setting has it. */
  | { readonly other: string }
  /** It could not be seen, and why. `least`: what a setting needs all the same for the service to be followed. */
  | { readonly unknown: string; readonly least?: SettingValue };

/** How a service stands beside Stagedoor by default. */
type Verdict = "default" | "differs" | "noSetting" | "notObservable";

/** One row of the report. */
export interface Row {
  /** The decision, such as `D12`. */
  readonly decision: string;
  /** The setting that follows the service, such as `list.order`; null: there is none. */
  readonly setting: string | null;
  /** What was asked, in a few words. */
  readonly question: string;
  readonly verdict: Verdict;
  /** What was seen; null: nothing. */
  readonly observed: SettingValue | null;
  /** What Stagedoor does unless the setting says otherwise. */
  readonly byDefault: SettingValue;
  /** Why it could not be seen, or what the service does that no setting has. */
  readonly note: string | null;
}

/** Thrown by a probe that cannot see what it looks for. The message says why. */
export class Unobservable extends Error {}

/** @returns whether two values of a setting are the same; lists in any order. */
export const sameValue = (a: unknown, b: unknown): boolean => {
  const plain = (value: unknown): string => JSON.stringify(Array.isArray(value) ? value.toSorted() : value);
  return plain(a) === plain(b);
};

const isSettingValue = (value: unknown): value is SettingValue =>
  ["string", "number", "boolean"].includes(typeof value) || Array.isArray(value);

/** @returns what holds by default; `true` stands for what Stagedoor does at a decision that no setting changes. */
const defaultOf = (setting: string | null): SettingValue => {
  const value = setting === null ? true : valueAt(DEFAULT_SETTINGS, setting);
  return isSettingValue(value) ? value : true;
};

/** @returns the row of what was seen. */
export const rowOf = (about: Pick<Row, "decision" | "setting" | "question">, observation: Observation): Row => {
  const { decision, setting, question } = about;
  const row = { decision, setting, question, byDefault: defaultOf(setting) };
  if ("unknown" in observation) return { ...row, verdict: "notObservable", observed: null, note: observation.unknown };
  if ("other" in observation) return { ...row, verdict: "noSetting", observed: null, note: observation.other };
  const verdict = sameValue(observation.is, row.byDefault) ? "default" : "differs";
  return { ...row, verdict, observed: observation.is, note: null };
};
