/** App settings: their schema, their defaults, and how a change is merged. */
import { z } from "zod";
import {
  HOST_NAME,
  isJsonObject,
  type JsonDraft,
  type JsonObject,
  type JsonValue,
  optional,
  ruled,
  setKey,
  textUpTo,
} from "../scalars.ts";
import { unknownName } from "../validation.ts";
import { LANGUAGES } from "../words/languages.ts";
import { DEMO_TEXTS } from "./demo-texts.ts";
import {
  attemptsPer,
  expirationUnit,
  fidelitySettings,
  group,
  passcodeAfterChange,
  passcodeResend,
  previousPasscode,
} from "./fidelity-settings.ts";
import { tokenAlgorithm, tokenClaims } from "./token-claims.ts";

/** Nullable text that matches a pattern. */
const text = (form: RegExp, rule: string, max?: number) =>
  (max === undefined ? z.string() : z.string().max(max)).regex(form, rule).nullable();
const claim = text(/^[\x21-\x7e]{1,255}$/, "must be printable ASCII without spaces");
const wireName = z.string().regex(/^[A-Za-z_][A-Za-z0-9_-]{0,63}$/, "must be a field name");
const wirePath = z
  .string()
  .regex(
    /^[A-Za-z_][A-Za-z0-9_-]{0,63}(\.[A-Za-z_][A-Za-z0-9_-]{0,63})?$/,
    "must be a field name, or two joined by a dot",
  );
const successStatus = z.literal([200, 201]);
const perMinute = z.int().min(1).max(1_000_000).nullable();

/** An image data URL, recognised by the image's signature, whatever type the URL declares. */
const LOGO =
  /^data:image\/(?:png;base64,iVBORw0KGgo|jpeg;base64,\/9j\/|webp;base64,UklGR[g-v][A-Za-z0-9+/]{5}XRUJQ)[A-Za-z0-9+/]*={0,2}$/;

/** The name of a text of the demo app. */
const textName = ruled(z.string(), (name) =>
  Object.hasOwn(DEMO_TEXTS, name) ? undefined : unknownName(name, Object.keys(DEMO_TEXTS)),
).meta({ enum: Object.keys(DEMO_TEXTS) });

/** Settings of an app. All are optional; see `DEFAULT_SETTINGS` for the defaults. */
// biome-ignore format: a table
export const settings = z.strictObject({
  updateResponsePhone: optional(z.enum(["null", "value"]),
    "The value of `phone` in the response to an update that set the phone (D11)."),
  validation: optional(z.enum(["strict", "lenient"]),
    "lenient: invalid names, phones, emails and metadata are stored, with a warning in the request log (D5, D6, D7, D8)."),
  signUp: optional(z.enum(["open", "closed"]), "closed: new usernames are rejected with 403 (D32)."),
  passcode: group("Passcodes of this app.", {
    length: optional(z.int().min(4).max(10), "Number of digits (D24)."),
    ttlSeconds: optional(z.int().min(1).max(86_400), "Lifetime of a passcode in seconds (D24)."),
    maxAttempts: optional(z.int().min(1).max(100), "Wrong attempts until a passcode is locked (D24)."),
    fixed: optional(text(/^[0-9]{4,10}$/, "must be 4 to 10 digits"),
      "The same passcode for every user, as long as `passcode.length`; null: random passcodes (D24)."),
    previous: previousPasscode,
    resend: passcodeResend,
    afterChange: passcodeAfterChange,
    attemptsPer,
  }),
  session: group("Sessions of this app.", {
    ttlSeconds: optional(z.int().min(1).max(31_536_000), "Lifetime of a session in seconds (D28)."),
    expiration: expirationUnit,
  }),
  token: group("Session tokens of this app.", {
    issuer: optional(claim, "The claim `iss`, without a final slash; null: the auth URL (D29)."),
    audience: optional(z.union([claim.unwrap(), z.array(claim.unwrap()).min(1).max(10), z.null()]),
      "The claim `aud`, or a list of them; null: the admin URL (D29)."),
    algorithm: optional(tokenAlgorithm,
      "The signing algorithm. HS256 uses the app secret, which must have at least 32 bytes. With `--signing-key`, the default is the algorithm of that key (D29)."),
    claims: optional(tokenClaims,
      "Claims that are added to every token of the app. Strings can contain {userId}, {name}, {phone}, {email}, {metadata.<path>}, and the times {issuedAt}, {expiresAt} and {signedInAt}. See tokens.md (D29)."),
  }),
  wire: group("The shape of session requests and responses, for clients that use other names.", {
    envelope: optional(wireName.nullable(), "The key that wraps the request body; null: no envelope (D21)."),
    appIdField: optional(wireName, "The field with the app id (D21)."),
    userField: optional(wireName.nullable(),
      "The field with the user; null: the user's fields are next to the app id (D21)."),
    passcodeField: optional(wirePath, "The field with the passcode, or a path such as user.otp (D21)."),
    signUpStatus: optional(successStatus, "The status of a sign-up (D21)."),
    authenticateStatus: optional(successStatus, "The status of a successful authentication (D21)."),
  }),
  sessionExtensions: optional(z.boolean(), "Allows GET and DELETE of /v1/users/session with the session token (D30)."),
  limits: group("Rate limits. Requests beyond a limit are rejected with 429 and Retry-After.", {
    otpPerMinute: optional(perMinute, "Passcodes per username and minute; null: no limit (D31)."),
    requestsPerMinute: optional(perMinute, "Session requests of the app per minute; null: no limit (D31)."),
  }),
  message: group("The message with a passcode.", {
    sms: optional(textUpTo(1000),
      "The text message; by default in the language of `locale`, with a last line for autofill if `domain` or `androidHash` is set. {code}, {app}, {minutes}, {androidHash} and {domain} are replaced. Autofill lines are validated (D24)."),
    email: optional(textUpTo(10_000), "The email; by default in the language of `locale`. {code}, {app} and {minutes} are replaced (D24)."),
    androidHash: optional(
      text(/^[A-Za-z0-9+/]{11}$/, "must be the 11 characters (letters, digits, + and /) of the app's hash"),
      "The value of {androidHash}: the hash that Android's SMS Retriever uses to find your app. `stagedoor autofill` prints it (D24)."),
    androidPackage: optional(
      text(/^[A-Za-z]\w*(\.[A-Za-z]\w*)+$/, "must be the package of the app, such as com.example.app", 223),
      "With `delivery.android`: the app for whose installed build {androidHash} is filled in on each emulator (D24)."),
    domain: optional(
      text(HOST_NAME, "must be a host name such as example.com, without scheme, port or path", 253),
      "The value of {domain}: the host of a domain-bound code (Apple, WebOTP) (D24)."),
  }),
  delivery: group("Delivery to emulators and simulators on this machine. While it is off, Stagedoor starts no program.", {
    android: optional(z.boolean(), "Also sends text messages to every running Android emulator with `adb` (D24)."),
    ios: optional(z.boolean(),
      "Copies the code of a text message to the pasteboard of every booted iOS simulator with `xcrun simctl` (D24)."),
    iosBundleId: optional(
      text(/^[A-Za-z0-9][A-Za-z0-9.-]{0,154}$/, "must be a bundle identifier such as com.example.app"),
      "With `delivery.ios`: the app that shows the message as a notification; null: no notification (D24)."),
  }),
  brand: group("How the demo app looks at `/emulator/demo/`.", {
    name: optional(textUpTo(64).nullable(), "The name that the demo app shows; null: the name of the app (D22)."),
    color: optional(text(/^#[0-9a-fA-F]{6}$/, "must be a color such as #1b6e3c"),
      "The color of the demo app, such as #1b6e3c; null: Stagedoor's (D22)."),
    logo: optional(
      text(LOGO, "must be a data: URL of a PNG, JPEG or WebP image in base64", 65_536),
      "The logo of the demo app: a data: URL of at most 64 KiB, PNG, JPEG or WebP; null: none (D22)."),
    texts: optional(z.record(textName, textUpTo(200)),
      "Texts of the demo app in your own words, by name; at most 200 characters each (D22)."),
  }),
  locale: optional(
    z.string().max(35).regex(/^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8}){0,4}$/, "must be a language tag such as de or pt-BR")
      .meta({ examples: [...LANGUAGES] }),
    "The language of the default messages; English if there is none in it (D24)."),
  ...fidelitySettings(),
  deterministic: group("Deterministic mode.", {
    seed: optional(z.union([z.string().min(1).max(64), z.int(), z.null()]),
      "The same seed and the same requests produce the same ids, codes and times; null: off. See deterministic.md (D24)."),
  }),
});
/** Settings as stored: versions before had `show`, which a start drops. */
export const storedSettings = z.strictObject({ ...settings.shape, show: z.unknown().exactOptional() });
/** Settings as stored and shown: only those that were set. */
export type Settings = z.infer<typeof settings>;

/** `null` resets a setting to its default, except where it is a value different from the default. */
const isNullASetting = (group: string, inner: string): boolean => group === "wire" && inner === "userField";

/** @returns a group of settings with these changes. */
const mergeGroup = (name: string, before: JsonValue | undefined, wanted: JsonObject): JsonObject => {
  const group: JsonDraft = isJsonObject(before) ? { ...before } : {};
  for (const [inner, value] of Object.entries(wanted))
    if (value === null && !isNullASetting(name, inner)) delete group[inner];
    else setKey(group, inner, value);
  return group;
};

/**
 * Prepares settings as people write them for validation: a dotted name (`"passcode.length": 4`) becomes nested, and
 * `null` resets a setting to its default, unless `null` is one of its values.
 * @param base the current settings. @param change the requested ones; not mutated.
 */
export const mergeSettings = (base: JsonObject, change: JsonObject): JsonObject => {
  const merged: JsonDraft = { ...base };
  for (const [name, value] of Object.entries(change)) {
    const dot = name.indexOf(".");
    const key = dot < 1 ? name : name.slice(0, dot);
    const wanted = dot < 1 ? value : { [name.slice(dot + 1)]: value };
    if (wanted === null && key !== "__proto__") delete merged[key];
    else if (!isJsonObject(wanted)) setKey(merged, key, wanted);
    else setKey(merged, key, mergeGroup(key, Object.hasOwn(merged, key) ? merged[key] : undefined, wanted));
  }
  return merged;
};
