/** Turns every app setting into a form field: type, choices, description and default, all from the contract. */
import { z } from "zod";
import type { SettingsByPath } from "#client/index.ts";
import { editorSchema } from "#contract/documents/json-schema.ts";
import { defaultsFor, effectiveSettings, valueAt } from "#contract/service/effective-settings.ts";
import { type Settings, settings } from "#contract/service/settings.ts";

const schema = z.object({
  title: z.string().optional(),
  description: z.string().default(""),
  type: z.string().optional(),
  enum: z.array(z.union([z.string(), z.number()])).optional(),
  /** Of a text whose other values are rare. */
  examples: z.array(z.string()).optional(),
  maxLength: z.number().optional(),
  anyOf: z.array(z.object({ type: z.string().optional() })).optional(),
  get properties() {
    return z.record(z.string(), schema).optional();
  },
});
type Schema = z.output<typeof schema>;
type Kind = "choice" | "number" | "switch" | "text" | "texts" | "long" | "json" | "list" | "picture";

/** Text settings with special fields. */
const KINDS: Readonly<Record<string, Kind>> = { "brand.logo": "picture" };
const LONG = 1_000;

const kindOf = ({ type, maxLength = 0, enum: choices, examples, anyOf }: Schema): Kind => {
  if (type === undefined && anyOf?.some((one) => one.type === "array")) return "texts";
  const plain = type ?? anyOf?.find((one) => one.type !== "null")?.type;
  if ((choices ?? examples) !== undefined) return "choice";
  if (plain === "object") return "json";
  if (plain === "array") return "list";
  if (plain === "boolean") return "switch";
  if (plain === "integer" || plain === "number") return "number";
  return maxLength >= LONG ? "long" : "text";
};

const settingText = (value: unknown): string => {
  if (Array.isArray(value)) return value.join(", ");
  if (typeof value === "object" && value !== null) return JSON.stringify(value, null, 2);
  return value === null || value === undefined ? "" : String(value);
};

/** Decisions at the end of a description: `(D5, D6).` */
const SOURCE = / \((D\d+(?:, D\d+)*)\)\.?$/;

const settingOf = (path: string, found: Schema) => ({
  /** As in the control API and the docs: `passcode.length`. */
  path,
  label: found.title ?? path,
  description: found.description.replaceAll("`", "").replace(SOURCE, "."),
  source: SOURCE.exec(found.description)?.[1] ?? "",
  kind: KINDS[path] ?? kindOf(found),
  choices: (found.enum ?? found.examples ?? []).map(String),
  /** An empty field means `null`. */
  nullable: found.anyOf?.some((one) => one.type === "null") ?? false,
});
/** One setting. */
export type Setting = Readonly<ReturnType<typeof settingOf>>;

const top = schema.parse(editorSchema(settings)).properties ?? {};

const settingsOf = (found: Readonly<Record<string, Schema>>, prefix = ""): readonly Setting[] =>
  Object.entries(found).flatMap(([name, one]) => (one.properties ? [] : [settingOf(prefix + name, one)]));

/** All settings in groups; ungrouped ones come first. */
export const SETTING_GROUPS: readonly { name: string; title: string; settings: readonly Setting[] }[] = [
  { name: "general", title: "General", settings: settingsOf(top) },
  ...Object.entries(top).flatMap(([name, { title = name, properties }]) =>
    properties ? [{ name, title, settings: settingsOf(properties, `${name}.`) }] : [],
  ),
];

/** The input by path; unchanged settings are absent. */
export type SettingDraft = Readonly<Record<string, string>>;

/** @returns the effective value of an app's setting, as form text. */
export const shownText = (own: Settings, draft: SettingDraft, path: string): string =>
  draft[path] ?? settingText(valueAt(effectiveSettings(own), path));

/** @returns the default of an app's setting, as form text: some depend on the app's language. */
export const defaultText = (own: Settings, path: string): string => settingText(valueAt(defaultsFor(own), path));

const changed = (own: Settings, draft: SettingDraft): Setting[] =>
  SETTING_GROUPS.flatMap((group) => group.settings).filter(
    ({ path }) => draft[path] !== undefined && draft[path] !== shownText(own, {}, path),
  );

/** @returns the paths whose input differs from the effective value. */
export const changedPaths = (own: Settings, draft: SettingDraft): string[] =>
  changed(own, draft).map(({ path }) => path);

/** @returns the object in a text; an invalid text goes to the server as it is, which reports the error. */
const objectIn = (text: string): SettingsByPath[string] => {
  try {
    return z.record(z.string(), z.json()).parse(JSON.parse(text));
  } catch {
    return text;
  }
};

const typedValue = ({ kind, nullable, choices }: Setting, text: string): SettingsByPath[string] => {
  if (text === "" && nullable) return null;
  if (kind === "json") return text.trim() === "" ? null : objectIn(text);
  if (kind === "list") return text.split(/[\s,]+/).filter((one) => one !== "");
  if (kind === "texts") {
    const texts = text.split(/,?\s+/).filter((one) => one !== "");
    return texts.length > 1 ? texts : (texts[0] ?? null);
  }
  if (kind === "switch") return text === "true";
  const isNumber = kind === "number" || (kind === "choice" && choices.every((choice) => /^\d+$/.test(choice)));
  // An invalid number goes to the server as it is, which reports the error.
  return isNumber && /^-?\d+$/.test(text) ? Number(text) : text;
};

/** Here null is a value, not a reset to the default. */
const NULL_IS_A_VALUE = "wire.userField";

/** @returns the body of a PATCH: the changed settings, `null` for a reset to the default. */
export const settingsChange = (own: Settings, draft: SettingDraft): SettingsByPath =>
  Object.fromEntries(
    changed(own, draft).map((setting) => {
      const text = draft[setting.path] ?? "";
      const isBack = text === defaultText(own, setting.path) && setting.path !== NULL_IS_A_VALUE;
      return [setting.path, isBack ? null : typedValue(setting, text)];
    }),
  );
