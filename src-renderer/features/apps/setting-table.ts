/**
 * Every setting of an app as a row of a form: kind, choices, words and default, all from the contract.
 */
import { z } from "zod";
import type { SettingsByPath } from "#client/index.ts";
import { DEFAULT_SETTINGS, type EffectiveSettings, effectiveSettings } from "#contract/effective-settings.ts";
import { editorSchema } from "#contract/json-schema.ts";
import { type Settings, settings } from "#contract/settings.ts";
import type { Wire } from "../../ui/wire-shape.ts";

/** One setting. */
export interface Setting {
  /** As the control API and the documentation call it: `passcode.length`. */
  readonly path: string;
  /** As people call it. */
  readonly label: string;
  readonly description: string;
  /** The decisions behind it, such as `D24`. */
  readonly source: string;
  readonly kind: "choice" | "number" | "switch" | "text" | "long";
  readonly choices: readonly string[];
  /** Empty stands for `null`. */
  readonly nullable: boolean;
  /** The default as a form shows it. */
  readonly defaultText: string;
}

/** Settings that belong together. */
export interface SettingGroup {
  readonly name: string;
  readonly title: string;
  readonly settings: readonly Setting[];
}

const LABELS: Readonly<Record<string, string>> = {
  updateResponsePhone: "Phone in update responses",
  validation: "Validation",
  signUp: "Sign-ups",
  sessionExtensions: "Read and end sessions with the token",
  "passcode.length": "Code length",
  "passcode.ttlSeconds": "Code lifetime in seconds",
  "passcode.maxAttempts": "Wrong attempts until locked",
  "passcode.fixed": "Fixed code for everyone",
  "session.ttlSeconds": "Session lifetime in seconds",
  "token.issuer": "Issuer",
  "token.audience": "Audience",
  "wire.envelope": "Envelope key",
  "wire.appIdField": "App id field",
  "wire.userField": "User field",
  "wire.passcodeField": "Passcode field",
  "wire.signUpStatus": "Sign-up status",
  "wire.authenticateStatus": "Sign-in status",
  "limits.otpPerMinute": "Codes per user and minute",
  "limits.requestsPerMinute": "Requests per minute",
  "message.sms": "Text message",
  "message.email": "Email",
  "message.androidHash": "Android app hash",
  "message.domain": "Domain for autofill",
  "delivery.android": "Send to Android emulators",
  "delivery.ios": "Send to iOS simulators",
  "delivery.iosBundleId": "iOS bundle identifier",
  "brand.name": "Name in the demo app",
  "brand.color": "Color",
  "brand.logo": "Logo",
  "deterministic.seed": "Seed",
};
const TITLES: Readonly<Record<string, string>> = {
  passcode: "Passcodes",
  session: "Sessions",
  token: "Tokens",
  wire: "Request format",
  limits: "Rate limits",
  message: "Messages",
  delivery: "Device delivery",
  brand: "Demo app",
  deterministic: "Deterministic mode",
};

const leaf = z.object({
  description: z.string().default(""),
  type: z.string().optional(),
  enum: z.array(z.union([z.string(), z.number()])).optional(),
  maxLength: z.number().optional(),
  anyOf: z.array(z.object({ type: z.string().optional() })).optional(),
  properties: z.record(z.string(), z.unknown()).optional(),
});
type Leaf = z.output<typeof leaf>;

/** From here on a text has a field of several lines. */
const LONG = 1_000;

const kindOf = ({ type, maxLength = 0, enum: choices, anyOf }: Leaf): Setting["kind"] => {
  const plain = type ?? anyOf?.find((one) => one.type !== "null")?.type;
  if (choices !== undefined) return "choice";
  if (plain === "boolean") return "switch";
  if (plain === "integer" || plain === "number") return "number";
  return maxLength >= LONG ? "long" : "text";
};

/** @returns the value at a path of settings; undefined where there is none. */
const at = (values: Settings | EffectiveSettings | typeof DEFAULT_SETTINGS, path: string): unknown => {
  let value: unknown = values;
  for (const key of path.split("."))
    value = typeof value === "object" && value !== null ? Reflect.get(value, key) : undefined;
  return value;
};

const textOf = (value: unknown): string => (value === null || value === undefined ? "" : String(value));

/** Decisions at the end of a description: `(D5, D6).` */
const SOURCE = / \((D\d+(?:, D\d+)*)\)\.?$/;

const settingOf = (path: string, found: Leaf): Setting => ({
  path,
  label: LABELS[path] ?? path,
  description: found.description.replaceAll("`", "").replace(SOURCE, "."),
  source: SOURCE.exec(found.description)?.[1] ?? "",
  kind: kindOf(found),
  choices: found.enum?.map(String) ?? [],
  nullable: found.anyOf?.some((one) => one.type === "null") ?? false,
  defaultText: textOf(at(DEFAULT_SETTINGS, path)),
});

const top = Object.entries(leaf.parse(editorSchema(settings)).properties ?? {}).map(
  ([name, schema]) => [name, leaf.parse(schema)] as const,
);

/** All settings; those of no group come first. */
export const SETTING_GROUPS: readonly SettingGroup[] = [
  {
    name: "general",
    title: "General",
    settings: top.flatMap(([name, found]) => (found.properties === undefined ? [settingOf(name, found)] : [])),
  },
  ...top.flatMap(([name, { properties }]) =>
    properties === undefined
      ? []
      : [
          {
            name,
            title: TITLES[name] ?? name,
            settings: Object.entries(properties).map(([inner, schema]) =>
              settingOf(`${name}.${inner}`, leaf.parse(schema)),
            ),
          },
        ],
  ),
];

/** What was typed, by path; what was not touched is absent. */
export type Draft = Readonly<Record<string, string>>;

/** @returns what holds for an app, as a form shows it. */
export const shownText = (own: Settings, draft: Draft, path: string): string =>
  draft[path] ?? textOf(at(effectiveSettings(own), path));

/** @returns the paths whose text is another than what holds. */
export const changedPaths = (own: Settings, draft: Draft): string[] =>
  SETTING_GROUPS.flatMap((group) => group.settings)
    .map(({ path }) => path)
    .filter((path) => draft[path] !== undefined && draft[path] !== shownText(own, {}, path));

const typedValue = ({ kind, nullable, choices }: Setting, text: string): SettingsByPath[string] => {
  if (text === "" && nullable) return null;
  if (kind === "switch") return text === "true";
  const isNumber = kind === "number" || (kind === "choice" && choices.every((choice) => /^\d+$/.test(choice)));
  // What is no number goes to the server as it is: it says what is wrong.
  return isNumber && /^-?\d+$/.test(text) ? Number(text) : text;
};

/** Null is a value of its own here, and not the way back to the default. */
const NULL_IS_A_VALUE = "wire.userField";

/** @returns what a PATCH carries: the changed settings, `null` for what is back at its default. */
export const settingsChange = (own: Settings, draft: Draft): SettingsByPath => {
  const changed = new Set(changedPaths(own, draft));
  const entries = SETTING_GROUPS.flatMap((group) => group.settings)
    .filter(({ path }) => changed.has(path))
    .map((setting): [string, SettingsByPath[string]] => {
      const text = draft[setting.path] ?? "";
      const isBack = text === setting.defaultText && setting.path !== NULL_IS_A_VALUE;
      return [setting.path, isBack ? null : typedValue(setting, text)];
    });
  return Object.fromEntries(entries);
};

/** @returns the mapping that would hold with what was typed. */
export const draftWire = (own: Settings, draft: Draft): Wire => {
  const text = (name: string): string => shownText(own, draft, `wire.${name}`);
  const status = (name: string): 200 | 201 => (text(name) === "201" ? 201 : 200);
  return {
    envelope: text("envelope") === "" ? null : text("envelope"),
    appIdField: text("appIdField"),
    userField: text("userField") === "" ? null : text("userField"),
    passcodeField: text("passcodeField"),
    signUpStatus: status("signUpStatus"),
    authenticateStatus: status("authenticateStatus"),
  };
};
