/** Settings with their defaults, without the schemas, because the first view of the console needs only these. */
import { languageOf, MESSAGES } from "../words/languages.ts";
import type { Settings } from "./settings.ts";

/** The defaults (docs/settings.md). */
// biome-ignore format: a table
export const DEFAULT_SETTINGS = {
  updateResponsePhone: "null",
  validation: "strict",
  signUp: "open",
  passcode: { length: 6, ttlSeconds: 600, maxAttempts: 5, fixed: null, previous: "replaced", resend: "new", afterChange: "works", attemptsPer: "code" },
  session: { ttlSeconds: 86_400, expiration: "seconds" },
  token: { issuer: null, audience: null, algorithm: "ES256", claims: {} },
  wire: {
    envelope: null, appIdField: "appId", userField: "user", passcodeField: "passcode",
    signUpStatus: 200, authenticateStatus: 200,
  },
  sessionExtensions: false,
  limits: { otpPerMinute: null, requestsPerMinute: null },
  message: { sms: MESSAGES.en, email: MESSAGES.en, androidHash: null, androidPackage: null, domain: null },
  delivery: { android: false, ios: false, iosBundleId: null },
  brand: { name: null, color: null, logo: null, texts: {} },
  locale: "en",
  profile: { required: [], unique: "username" },
  profiles: { invalidStatus: 422, takenStatus: 422 },
  update: { null: "clear", touch: "always" },
  metadata: { merge: "shallow", null: "keep" },
  unknownFields: "ignore",
  list: {
    pageParameter: "page", limitParameter: "limit", defaultLimit: 25, maxLimit: 100,
    overLimit: "refuse", badParameter: "refuse", firstPage: 1, envelope: "none", order: "oldest",
  },
  delete: { again: 404 },
  authenticate: { refusedStatus: 401 },
  unknownAppStatus: 401,
  errors: { shape: "default", fields: "flat" },
  deterministic: { seed: null },
} as const satisfies Required<Settings>;

type Filled<T> = T extends object ? { readonly [K in keyof T]-?: Exclude<T[K], undefined> } : T;
/** Settings with every default filled in. */
export type EffectiveSettings = { readonly [K in keyof Settings]-?: Filled<Exclude<Settings[K], undefined>> };

/** @returns the last line of the default text message, which a phone fills in by itself; empty if none is set up. */
const autofillLine = ({ message = {}, delivery = {} }: Settings): string => {
  const { androidHash = null, androidPackage = null, domain = null } = message;
  const hasHash = androidHash !== null || (androidPackage !== null && delivery.android === true);
  const parts = [...(domain === null ? [] : ["@{domain} #{code}"]), ...(hasHash ? ["{androidHash}"] : [])];
  return parts.length === 0 ? "" : `\n${parts.join(" ")}`;
};

/** @param own what the app has set. @returns the defaults: those of the messages are in the app's language. */
export const defaultsFor = (own: Settings): typeof DEFAULT_SETTINGS => {
  const email = MESSAGES[languageOf(own.locale)];
  const sms = `${email}${autofillLine(own)}`;
  return { ...DEFAULT_SETTINGS, message: { ...DEFAULT_SETTINGS.message, sms, email } };
};

const filled = new WeakMap<Settings, EffectiveSettings>();

/** @param own what the app has set. @returns all settings, with defaults. Cached for as long as `own` lives. */
export const effectiveSettings = (own: Settings): EffectiveSettings => {
  const known = filled.get(own);
  if (known !== undefined) return known;
  const given: Readonly<Record<string, unknown>> = own;
  const all = Object.entries(defaultsFor(own)).map(([name, value]) => {
    const set = given[name];
    const isGroup = typeof value === "object" && typeof set === "object" && !Array.isArray(set);
    return [name, isGroup ? { ...value, ...set } : (set ?? value)];
  });
  const effective: EffectiveSettings = Object.fromEntries(all);
  filled.set(own, effective);
  return effective;
};

/** @param values nested settings. @returns the value at a path such as `list.order`; undefined if there is none. */
export const valueAt = (values: unknown, path: string): unknown =>
  path
    .split(".")
    .reduce<unknown>(
      (value, key) => (typeof value === "object" && value !== null ? Reflect.get(value, key) : undefined),
      values,
    );
