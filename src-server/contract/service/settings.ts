/** App settings: their schema, their defaults, and how a change is merged. */
import { z } from "zod";
import {
  HOST_NAME,
  isJsonObject,
  type JsonDraft,
  type JsonObject,
  type JsonValue,
  ruled,
  setKey,
  textUpTo,
} from "../scalars.ts";
import { unknownName } from "../validation.ts";
import { LANGUAGES } from "../words/languages.ts";
import { DEMO_TEXTS } from "./demo-texts.ts";
import { fidelitySettings, group, setting } from "./fidelity-settings.ts";
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
  updateResponsePhone: setting("Phone in update responses", z.enum(["null", "value"]),
    "The value of `phone` in the response to an update that set the phone (D11)."),
  validation: setting("Validation", z.enum(["strict", "lenient"]),
    "lenient: invalid names, phones, emails and metadata are stored, with a warning in the request log (D5, D6, D7, D8)."),
  signUp: setting("Sign-ups", z.enum(["open", "closed"]), "closed: new usernames are rejected with 403 (D32)."),
  passcode: group("Passcodes", "Passcodes of this app.", {
    length: setting("Code length", z.int().min(4).max(10), "Number of digits (D24)."),
    ttlSeconds: setting("Code lifetime in seconds", z.int().min(1).max(86_400),
      "Lifetime of a passcode in seconds (D24)."),
    maxAttempts: setting("Wrong attempts until locked", z.int().min(1).max(100),
      "Wrong attempts until a passcode is locked (D24)."),
    fixed: setting("Fixed code for everyone", text(/^[0-9]{4,10}$/, "must be 4 to 10 digits"),
      "The same passcode for every user, as long as `passcode.length`; null: random passcodes (D24)."),
    previous: setting("Older codes", z.enum(["replaced", "valid"]),
      "valid: an older passcode still works after a newer one was sent, until it is used or expires (D24)."),
    resend: setting("Another request for a code", z.enum(["new", "same"]),
      "same: while a code is active, another POST sends that code again, with its attempts and its end (D24)."),
    afterChange: setting("Codes sent before a change of address", z.enum(["works", "refused"]),
      "refused: a passcode no longer works once the user’s phone or email, to which it was sent, has changed (D24)."),
    attemptsPer: setting("Wrong attempts count per", z.enum(["code", "user"]),
      "user: wrong attempts count on over new codes, until a code is right or `ttlSeconds` have passed since the last one (D24)."),
  }),
  session: group("Sessions", "Sessions of this app.", {
    ttlSeconds: setting("Session lifetime in seconds", z.int().min(1).max(31_536_000),
      "Lifetime of a session in seconds (D28)."),
    expiration: setting("Unit of expiration", z.enum(["seconds", "milliseconds", "ttl"]),
      "The value of `expiration`: UNIX seconds, UNIX milliseconds, or the seconds that are left (D28)."),
  }),
  token: group("Tokens", "Session tokens of this app.", {
    issuer: setting("Issuer", claim, "The claim `iss`, without a final slash; null: the auth URL (D29)."),
    audience: setting("Audience", z.union([claim.unwrap(), z.array(claim.unwrap()).min(1).max(10), z.null()]),
      "The claim `aud`, or a list of them; null: the admin URL (D29)."),
    algorithm: setting("Signature algorithm", tokenAlgorithm,
      "The signing algorithm. HS256 uses the app secret, which must have at least 32 bytes. With `--signing-key`, the default is the algorithm of that key (D29)."),
    claims: setting("Additional claims", tokenClaims,
      "Claims that are added to every token of the app. Strings can contain {userId}, {name}, {phone}, {email}, {metadata.<path>}, and the times {issuedAt}, {expiresAt} and {signedInAt}. See tokens.md (D29)."),
  }),
  wire: group("Request format", "The shape of session requests and responses, for clients that use other names.", {
    envelope: setting("Envelope key", wireName.nullable(),
      "The key that wraps the request body; null: no envelope (D21)."),
    appIdField: setting("App id field", wireName, "The field with the app id (D21)."),
    userField: setting("User field", wireName.nullable(),
      "The field with the user; null: the user's fields are next to the app id (D21)."),
    passcodeField: setting("Passcode field", wirePath,
      "The field with the passcode, or a path such as user.otp (D21)."),
    signUpStatus: setting("Sign-up status", successStatus, "The status of a sign-up (D21)."),
    authenticateStatus: setting("Sign-in status", successStatus, "The status of a successful authentication (D21)."),
  }),
  sessionExtensions: setting("Read and end sessions with the token", z.boolean(),
    "Allows GET and DELETE of /v1/users/session with the session token (D30)."),
  limits: group("Rate limits", "Rate limits. Requests beyond a limit are rejected with 429 and Retry-After.", {
    otpPerMinute: setting("Codes per user and minute", perMinute,
      "Passcodes per username and minute; null: no limit (D31)."),
    requestsPerMinute: setting("Requests per minute", perMinute,
      "Session requests of the app per minute; null: no limit (D31)."),
  }),
  message: group("Messages", "The message with a passcode.", {
    sms: setting("Text message", textUpTo(1000),
      "The text message; by default in the language of `locale`, with a last line for autofill if `domain` or `androidHash` is set. {code}, {app}, {minutes}, {androidHash} and {domain} are replaced. Autofill lines are validated (D24)."),
    email: setting("Email", textUpTo(10_000),
      "The email; by default in the language of `locale`. {code}, {app} and {minutes} are replaced (D24)."),
    androidHash: setting("Android app hash",
      text(/^[A-Za-z0-9+/]{11}$/, "must be the 11 characters (letters, digits, + and /) of the app's hash"),
      "The value of {androidHash}: the hash that Android's SMS Retriever uses to find your app. `stagedoor autofill` prints it (D24)."),
    androidPackage: setting("Android package",
      text(/^[A-Za-z]\w*(\.[A-Za-z]\w*)+$/, "must be the package of the app, such as com.example.app", 223),
      "With `delivery.android`: the app for whose installed build {androidHash} is filled in on each emulator (D24)."),
    domain: setting("Domain for autofill",
      text(HOST_NAME, "must be a host name such as example.com, without scheme, port or path", 253),
      "The value of {domain}: the host of a domain-bound code (Apple, WebOTP) (D24)."),
  }),
  delivery: group("Device delivery",
    "Delivery to emulators and simulators on this machine. While it is off, Stagedoor starts no program.", {
    android: setting("Send to Android emulators", z.boolean(),
      "Also sends text messages to every running Android emulator with `adb` (D24)."),
    ios: setting("Send to iOS simulators", z.boolean(),
      "Copies the code of a text message to the pasteboard of every booted iOS simulator with `xcrun simctl` (D24)."),
    iosBundleId: setting("iOS bundle identifier",
      text(/^[A-Za-z0-9][A-Za-z0-9.-]{0,154}$/, "must be a bundle identifier such as com.example.app"),
      "With `delivery.ios`: the app that shows the message as a notification; null: no notification (D24)."),
  }),
  brand: group("Demo app", "How the demo app looks at `/emulator/demo/`.", {
    name: setting("Name in the demo app", textUpTo(64).nullable(),
      "The name that the demo app shows; null: the name of the app (D22)."),
    color: setting("Colour", text(/^#[0-9a-fA-F]{6}$/, "must be a color such as #1b6e3c"),
      "The color of the demo app, such as #1b6e3c; null: Stagedoor's (D22)."),
    logo: setting("Logo",
      text(LOGO, "must be a data: URL of a PNG, JPEG or WebP image in base64", 65_536),
      "The logo of the demo app: a data: URL of at most 64 KiB, PNG, JPEG or WebP; null: none (D22)."),
    texts: setting("Texts in the demo app", z.record(textName, textUpTo(200)),
      "Texts of the demo app in your own words, by name; at most 200 characters each (D22)."),
  }),
  locale: setting("Language",
    z.string().max(35).regex(/^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8}){0,4}$/, "must be a language tag such as de or pt-BR")
      .meta({ examples: [...LANGUAGES] }),
    "The language of the default messages; English if there is none in it (D24)."),
  ...fidelitySettings(),
  deterministic: group("Deterministic mode", "Deterministic mode.", {
    seed: setting("Seed", z.union([z.string().min(1).max(64), z.int(), z.null()]),
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
