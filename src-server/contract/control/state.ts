/** Whole worlds on the wire: fixtures, exports and imports. */
import { z } from "zod";
import {
  flag,
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  optional,
  textUpTo,
  uuidText,
} from "../scalars.ts";
import { appId, appInput, appItem, appSecret, ofApp, strategy } from "../service/apps.ts";
import { faultInput } from "../service/faults.ts";
import { profileExtras, profileFields, profileFieldsLenient, profileItem } from "../service/profiles.ts";
import { passcodeRecord, sessionRecord } from "../service/records.ts";
import { settings } from "../service/settings.ts";
import { ownWeather } from "../service/weather.ts";
import { type FieldErrors, fieldErrors, namesIn } from "../validation.ts";
import { fixtureClock } from "./clock.ts";
import { nearSource } from "./fixture-source.ts";
import { fixtureTime } from "./fixture-time.ts";
import { generateInput } from "./generate.ts";

/** A profile in a fixture; every field is optional. Formats are validated later, by the rules of its app. */
export const fixtureProfile = z.strictObject({
  userId: uuidText.exactOptional(),
  ...profileFieldsLenient.shape,
  ...profileExtras.shape,
  createdAt: fixtureTime.exactOptional(),
  updatedAt: fixtureTime.exactOptional(),
  signedIn: optional(z.boolean(), "true: the user has a session."),
  sessions: optional(z.int().min(0).max(100), "So many sessions."),
  passcode: optional(
    z.string().regex(/^[0-9]{4,10}$/, "must be 4 to 10 digits"),
    "A code that was sent and is active; it works once, unlike `testPasscode`.",
  ),
});
export type FixtureProfile = z.output<typeof fixtureProfile>;

/** Stricter: a profile that the rules of every app accept, so that they need not look at its formats again. */
const strictFixtureProfile = z.strictObject({ ...fixtureProfile.shape, ...profileFields.shape });

const [lenientPlain, strictPlain] = [
  fixtureProfile.omit({ scenario: true }),
  strictFixtureProfile.omit({ scenario: true }),
] as const;
/**
 * @returns the schema of a profile. Of one without a scenario no one tries what its scenario is, which takes longer than
 * all else.
 */
export const profileSchema = (profile: JsonValue, isStrict: boolean) => {
  const isPlain = isJsonObject(profile) && !Object.hasOwn(profile, "scenario");
  if (isStrict) return isPlain ? strictPlain : strictFixtureProfile;
  return isPlain ? lenientPlain : fixtureProfile;
};

/** A connection in a fixture. Its profile is given by `userId`, or by username in `user`. */
export const fixtureConnection = z.strictObject({
  id: uuidText.exactOptional(),
  userId: uuidText.exactOptional(),
  user: optional(z.string(), "The username of the profile, instead of userId."),
  name: textUpTo(255),
  managed: optional(z.boolean(), "Managed by the service: deleting its profile disables it. Default: true."),
  status: z.enum(["connected", "disabled"]).exactOptional(),
  createdAt: fixtureTime.exactOptional(),
  disabledAt: fixtureTime.nullable().exactOptional(),
});
export type FixtureConnection = z.output<typeof fixtureConnection>;

const VOLATILE = "Only in an export with `volatile=1`.";
const CLOCK = "Given as PUT `clock` takes it; an export with `volatile=1` has it in milliseconds.";

/** An app in a fixture. */
const fixtureApp = z.strictObject({
  appId,
  name: optional(textUpTo(255), "The display name of the app; {app} in messages."),
  secret: appSecret.exactOptional(),
  strategy: strategy.exactOptional(),
  settings: settings.exactOptional(),
  weather: ownWeather.exactOptional(),
  createdAt: fixtureTime.exactOptional(),
  generate: optional(
    generateInput,
    "Generates users in addition to `profiles`. A profile in the file replaces a generated one with the same username.",
  ),
  profiles: z.array(fixtureProfile).exactOptional(),
  connections: z.array(fixtureConnection).exactOptional(),
  passcodes: optional(z.array(passcodeRecord), VOLATILE),
  sessions: optional(z.array(sessionRecord), VOLATILE),
  clock: optional(
    fixtureClock.nullable(),
    `The clock of the app, such as \`{"frozenAt": "2026-12-24T18:00:00Z"}\`. ${CLOCK}`,
  ),
  steps: optional(z.int().min(1), `Transactions of a deterministic app so far. ${VOLATILE}`),
});
export type FixtureApp = z.output<typeof fixtureApp>;

/** A world: the content of a fixture file and the `state` of the control API. */
export const worldState = z.strictObject({
  $schema: z.string().exactOptional(),
  version: z.literal(1).default(1),
  apps: z.array(fixtureApp),
  weather: optional(ownWeather, "Weather for all apps of the file; an app's own of the same name goes first."),
  faults: optional(
    z.array(faultInput).max(100),
    "Faults, as POST `faults` takes them. A start, a reset and an import set those that are not set yet; no export has them.",
  ),
  clock: optional(fixtureClock, `The clock of all apps without their own. ${CLOCK}`),
});
export type WorldState = z.output<typeof worldState>;

/**
 * @param world a world as written. @returns its apps, each with the weather of the whole, where it is valid; an app's
 * own goes first. Undefined: it has no list of apps.
 */
export const appsWithShared = ({ apps, weather }: JsonObject): readonly JsonValue[] | undefined => {
  if (!isJsonArray(apps)) return undefined;
  const shared = isJsonObject(weather) && ownWeather.safeParse(weather).success ? weather : undefined;
  if (shared === undefined) return apps;
  return apps.map((app) => {
    if (!isJsonObject(app)) return app;
    const own = app["weather"] ?? {};
    const both = isJsonObject(own) ? { ...shared, ...own } : own;
    return { ...app, weather: both };
  });
};

/** An app in a fixture file, which can have its users in their own file. */
const fileApp = z.strictObject({
  ...fixtureApp.shape,
  users: optional(
    nearSource,
    "Its users, as another tool exported them: a path relative to this file, such as `./users.csv`, or an object with that path as `file`. `profiles` add to them.",
  ),
});

/** A fixture file: a world, which can extend another file. */
export const fixtureFile = z.strictObject({
  ...worldState.shape,
  apps: z.array(fileApp),
  extends: optional(
    nearSource,
    "A file with fixtures or users to build on: a path relative to this file, such as `./base.json`, or an object with that path as `file`.",
  ),
});

/** The known keys at each path of a world, for suggesting the nearest name. */
export const knownInState = namesIn(worldState);
/** The same for a file. */
export const knownInFile = namesIn(fixtureFile);

/** The error for what names another file, where there is none. */
const ONLY_IN_FILES =
  "names a file, which only `start`, `exec` and `seed` read: run `stagedoor seed` with this one, or import the named file by itself";

/** @returns the shape errors of a world by path; an error of the whole value is under `base`. */
export const stateErrors = (error: z.core.$ZodError): FieldErrors => {
  const errors = fieldErrors(error, { known: knownInState });
  for (const path of Object.keys(errors))
    if (path === "extends" || /^apps\[\d+\]\.users$/.test(path)) errors[path] = [ONLY_IN_FILES];
  return errors;
};

/** For whoever sends users as other tools have them. */
export const OTHER_FORMS = "`stagedoor seed` imports users in any other form";

/** Body of PUT state. */
export const stateInput = z.strictObject({
  mode: z
    .enum(["merge", "replace"])
    .describe("merge: adds to the current data and updates it; replace: deletes the current data first."),
  state: z
    .unknown()
    .describe("A world, as GET state shows it and as a fixture file holds it.")
    .meta({ "x-shape": "World" }),
});
/** Query of GET state. */
export const stateQuery = z.object({
  ...ofApp.shape,
  volatile: flag(),
  minimal: flag().describe("`1`: without nulls, defaults, times, and ids that nothing refers to."),
});
/** Query of PUT state. `appId` limits it to one app; `dryRun` validates and counts without changing anything. */
export const stateWriteQuery = z.object({
  ...ofApp.shape,
  dryRun: flag(),
  fit: flag().describe(
    "`1`: the profiles are rows of people. Of metadata that exceeds its limits with what the user has, what is new and does not fit is left out.",
  ),
  users: flag().describe("`1`: also counts the users that are new, those that change, and those that stay the same."),
});

/** Query of DELETE state. `dryRun` only says what a reset would remove. */
export const resetQuery = z.object({ ...ofApp.shape, dryRun: flag() });

/** What a reset would remove. */
export const resetTrial = z.object({
  removed: z
    .array(
      z.object({ appId: z.string(), app: z.boolean().describe("Whether the app itself goes."), profiles: z.int() }),
    )
    .describe("What the fixtures do not have."),
});

/** Body of POST apps. */
export const newApp = z.strictObject({
  ...appInput.shape,
  profiles: optional(z.array(fixtureProfile), "Users, as in a fixture file; all in one transaction with the app."),
  copyOf: optional(
    z.string(),
    "The id of an app whose strategy, settings, users with their fixed codes, connections and weather are copied; other fields override them. Not with a join token.",
  ),
});
/** Response of POST apps: the app, where it is, and its users. */
export const createdApp = z.object({
  ...appItem.shape,
  adminUrl: z.string(),
  authUrl: z.string(),
  consoleUrl: z.string(),
  profiles: z
    .array(profileItem.pick({ userId: true, name: true, phone: true, email: true }))
    .describe("The users of the app, in the order given."),
});
