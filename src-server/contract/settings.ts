/**
 * The settings of an app: what may be set, what holds where nothing is, and how a change meets what is there (CONTRACT 4).
 */
import { z } from "zod";
import { HOST_NAME, type JsonObject, type JsonValue, textUpTo } from "./scalars.ts";

const optional = <T extends z.ZodType>(schema: T, description: string) => schema.exactOptional().meta({ description });
const wireName = z.string().regex(/^[A-Za-z_][A-Za-z0-9_-]{0,63}$/, "must be a field name");
const wirePath = z
  .string()
  .regex(
    /^[A-Za-z_][A-Za-z0-9_-]{0,63}(\.[A-Za-z_][A-Za-z0-9_-]{0,63})?$/,
    "must be a field name, or two joined by a dot",
  );
const successStatus = z.literal([200, 201]);
const perMinute = z.int().min(1).max(1_000_000).nullable();

/** Settings of an app. All may be absent; see `DEFAULT_SETTINGS` for what then holds. */
export const settings = z.strictObject({
  updateResponsePhone: optional(
    z.enum(["null", "value"]),
    "What an update that carried a phone shows as `phone` (D11).",
  ),
  validation: optional(
    z.enum(["strict", "lenient"]),
    "lenient: values that D5 to D8 would refuse are stored, with a warning in the request log (D5, D6, D7, D8).",
  ),
  signUp: optional(z.enum(["open", "closed"]), "closed: a new username is refused with 403 (D32)."),
  passcode: z
    .strictObject({
      length: optional(z.int().min(4).max(10), "Digits of a passcode (D24)."),
      ttlSeconds: optional(z.int().min(1).max(86_400), "How long a passcode is valid, in seconds (D24)."),
      maxAttempts: optional(z.int().min(1).max(100), "Wrong tries after which a passcode is dead (D24)."),
      fixed: optional(
        z
          .string()
          .regex(/^[0-9]{4,10}$/, "must be 4 to 10 digits")
          .nullable(),
        "One passcode for everybody; null: a random one (D24).",
      ),
    })
    .exactOptional()
    .meta({ description: "Passcodes of this app." }),
  session: z
    .strictObject({
      ttlSeconds: optional(z.int().min(1).max(31_536_000), "How long a session lasts, in seconds (D28)."),
    })
    .exactOptional()
    .meta({ description: "Sessions of this app." }),
  token: z
    .strictObject({
      issuer: optional(
        z
          .string()
          .regex(/^[\x21-\x7e]{1,255}$/, "must be plain ASCII without spaces")
          .nullable(),
        "The claim `iss`; null: the auth URL (D29).",
      ),
      audience: optional(
        z
          .string()
          .regex(/^[\x21-\x7e]{1,255}$/, "must be plain ASCII without spaces")
          .nullable(),
        "The claim `aud`; null: the admin URL (D29).",
      ),
    })
    .exactOptional()
    .meta({ description: "Tokens of sessions." }),
  wire: z
    .strictObject({
      envelope: optional(wireName.nullable(), "A key that the request body sits under; null: none (D21)."),
      appIdField: optional(wireName, "The field that carries the app's id (D21)."),
      userField: optional(
        wireName.nullable(),
        "The field that carries the user; null: its fields sit beside the app's id (D21).",
      ),
      passcodeField: optional(wirePath, "The field that carries the passcode; may be a path such as user.otp (D21)."),
      signUpStatus: optional(successStatus, "The status of a sign-up (D21)."),
      authenticateStatus: optional(successStatus, "The status of a successful authentication (D21)."),
    })
    .exactOptional()
    .meta({ description: "The shape of session requests and answers, for clients that were written for another one." }),
  sessionExtensions: optional(z.boolean(), "GET and DELETE of /v1/users/session with the session's token (D30)."),
  limits: z
    .strictObject({
      otpPerMinute: optional(perMinute, "Passcodes sent to one username a minute; null: no limit (D31)."),
      requestsPerMinute: optional(perMinute, "Session requests of the app a minute; null: no limit (D31)."),
    })
    .exactOptional()
    .meta({ description: "Rate limits; a request beyond one is refused with 429 and Retry-After." }),
  message: z
    .strictObject({
      sms: optional(
        textUpTo(1000),
        "The text message; {code}, {app}, {minutes}, {androidHash} and {domain} are filled in. Lines for autofill are checked for form (D24).",
      ),
      email: optional(textUpTo(10_000), "The email; {code}, {app} and {minutes} are filled in (D24)."),
      androidHash: optional(
        z
          .string()
          .regex(/^[A-Za-z0-9+/]{11}$/, "must be the 11 characters (letters, digits, + and /) of the app's hash")
          .nullable(),
        "What {androidHash} stands for: the hash by which the SMS Retriever of Android knows your mobile app (D24).",
      ),
      domain: optional(
        z
          .string()
          .max(253)
          .regex(HOST_NAME, "must be a host name such as example.com, without scheme, port or path")
          .nullable(),
        "What {domain} stands for: the host that a domain-bound code (Apple, WebOTP) belongs to (D24).",
      ),
    })
    .exactOptional()
    .meta({ description: "What is sent with a passcode." }),
  delivery: z
    .strictObject({
      android: optional(z.boolean(), "Sends text messages also to every running Android emulator, by `adb` (D24)."),
      ios: optional(
        z.boolean(),
        "Puts the code of a text message on the pasteboard of every booted iOS simulator, by `xcrun simctl` (D24).",
      ),
      iosBundleId: optional(
        z
          .string()
          .regex(/^[A-Za-z0-9][A-Za-z0-9.-]{0,154}$/, "must be a bundle identifier such as com.example.app")
          .nullable(),
        "With `delivery.ios`: the simulator also shows the message as a notification of this app; null: none (D24).",
      ),
    })
    .exactOptional()
    .meta({ description: "Delivery to devices on this machine. While it is off, no program is started." }),
  deterministic: z
    .strictObject({
      seed: optional(
        z.union([z.string().min(1).max(64), z.int(), z.null()]),
        "From the same seed and the same requests follow the same ids, codes and times; null: off. See deterministic.md (D24).",
      ),
    })
    .exactOptional()
    .meta({ description: "An app that repeats itself." }),
});
/** Settings as they are stored and shown: only what was set. */
export type Settings = z.infer<typeof settings>;

/** What holds where a setting is absent (the table of CONTRACT 4). */
export const DEFAULT_SETTINGS = {
  updateResponsePhone: "null",
  validation: "strict",
  signUp: "open",
  passcode: { length: 6, ttlSeconds: 600, maxAttempts: 5, fixed: null },
  session: { ttlSeconds: 86_400 },
  token: { issuer: null, audience: null },
  wire: {
    envelope: null,
    appIdField: "appId",
    userField: "user",
    passcodeField: "passcode",
    signUpStatus: 200,
    authenticateStatus: 200,
  },
  sessionExtensions: false,
  limits: { otpPerMinute: null, requestsPerMinute: null },
  message: {
    sms: "Your {app} code is {code}. It is valid for {minutes} minutes.",
    email: "Your {app} code is {code}. It is valid for {minutes} minutes.",
    androidHash: null,
    domain: null,
  },
  delivery: { android: false, ios: false, iosBundleId: null },
  deterministic: { seed: null },
} as const satisfies Required<Settings>;

type Group = { readonly [key: string]: unknown };
type Wide<T> = T extends string ? string : T extends number ? number : T extends boolean ? boolean : T;
type Filled<T, D> = {
  readonly [K in keyof D]: K extends keyof T
    ? NonNullable<T[K]> extends Group
      ? { readonly [J in keyof NonNullable<T[K]>]-?: Exclude<NonNullable<T[K]>[J], undefined> }
      : Exclude<T[K], undefined>
    : Wide<D[K]>;
};
/** Settings with every default filled in. */
export type EffectiveSettings = Filled<Settings, typeof DEFAULT_SETTINGS>;

const filled = new WeakMap<Settings, EffectiveSettings>();

/** @param own what an app has set. @returns all settings, the absent ones by default. Remembered for as long as `own` lives. */
export const effectiveSettings = (own: Settings): EffectiveSettings => {
  const known = filled.get(own);
  if (known !== undefined) return known;
  const d = DEFAULT_SETTINGS;
  const all: EffectiveSettings = {
    updateResponsePhone: own.updateResponsePhone ?? d.updateResponsePhone,
    validation: own.validation ?? d.validation,
    signUp: own.signUp ?? d.signUp,
    passcode: { ...d.passcode, ...own.passcode },
    session: { ...d.session, ...own.session },
    token: { ...d.token, ...own.token },
    wire: { ...d.wire, ...own.wire },
    sessionExtensions: own.sessionExtensions ?? d.sessionExtensions,
    limits: { ...d.limits, ...own.limits },
    message: { ...d.message, ...own.message },
    delivery: { ...d.delivery, ...own.delivery },
    deterministic: { ...d.deterministic, ...own.deterministic },
  };
  filled.set(own, all);
  return all;
};

const isGroup = (value: JsonValue | undefined): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Null says something of its own only where it is allowed and is not the default; elsewhere it is the default. */
const isNullASetting = (group: string, inner: string): boolean => group === "wire" && inner === "userField";

/**
 * Settings as people write them, made ready to be checked: a dotted name (`"passcode.length": 4`) becomes a nested one,
 * and `null` takes a setting back to its default, unless `null` is one of its values.
 * @param base what the app has set already. @param change what a request sets; not changed.
 */
export const mergeSettings = (base: JsonObject, change: JsonObject): JsonObject => {
  const merged: JsonObject = { ...base };
  const set = (key: string, value: JsonValue): void => {
    if (key === "__proto__") Object.defineProperty(merged, key, { value, enumerable: true, configurable: true });
    else if (value === null) delete merged[key];
    else if (isGroup(value)) {
      const before = Object.hasOwn(merged, key) ? merged[key] : undefined;
      const group: JsonObject = isGroup(before) ? { ...before } : {};
      for (const [inner, innerValue] of Object.entries(value)) {
        if (innerValue === null && !isNullASetting(key, inner)) delete group[inner];
        else
          Object.defineProperty(group, inner, {
            value: innerValue,
            enumerable: true,
            configurable: true,
            writable: true,
          });
      }
      merged[key] = group;
    } else merged[key] = value;
  };
  for (const [key, value] of Object.entries(change)) {
    const dot = key.indexOf(".");
    if (dot < 1) set(key, value);
    else set(key.slice(0, dot), { [key.slice(dot + 1)]: value });
  }
  return merged;
};

/** The names that settings may have at a path, to name the nearest one to a stranger. */
export const knownSettings = (path: readonly PropertyKey[]): readonly string[] => {
  const groups: Readonly<Record<string, object | unknown>> = DEFAULT_SETTINGS;
  const [group] = path;
  const at = typeof group === "string" ? groups[group] : groups;
  return typeof at === "object" && at !== null ? Object.keys(at) : [];
};
