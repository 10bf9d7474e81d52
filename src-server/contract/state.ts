/** Whole worlds on the wire: fixtures, export and import (CONTRACT 6, Fixtures). */
import { z } from "zod";
import { appId, appSecret, ofApp, strategy } from "./apps.ts";
import { profileExtras, profileFieldsLenient } from "./profiles.ts";
import { clockRecord, passcodeRecord, sessionRecord } from "./records.ts";
import { isoInstantText, textUpTo, uuidText } from "./scalars.ts";
import { settings } from "./settings.ts";
import { namesIn } from "./validation.ts";

/** A profile in a fixture: every field may be absent. Formats are checked afterwards, by the rules of its app. */
export const fixtureProfile = z.strictObject({
  userId: uuidText.exactOptional(),
  ...profileFieldsLenient.shape,
  ...profileExtras.shape,
  createdAt: isoInstantText.exactOptional(),
  updatedAt: isoInstantText.exactOptional(),
});
/** @see fixtureProfile */
export type FixtureProfile = z.output<typeof fixtureProfile>;

/** A connection in a fixture; its profile is named by `userId`, or by its username as `user`. */
const fixtureConnection = z.strictObject({
  id: uuidText.exactOptional(),
  userId: uuidText.exactOptional(),
  user: z.string().exactOptional().meta({ description: "The username of the profile, instead of userId." }),
  name: textUpTo(255),
  managed: z
    .boolean()
    .exactOptional()
    .meta({ description: "Managed by the service: the deletion of its profile disables it. Absent: true." }),
  status: z.enum(["connected", "disabled"]).exactOptional(),
  createdAt: isoInstantText.exactOptional(),
  disabledAt: isoInstantText.nullable().exactOptional(),
});
/** @see fixtureConnection */
export type FixtureConnection = z.output<typeof fixtureConnection>;

/** An app in a fixture. */
const fixtureApp = z.strictObject({
  appId,
  name: textUpTo(255).exactOptional().meta({ description: "What people call the app; {app} in messages." }),
  secret: appSecret.exactOptional(),
  strategy: strategy.exactOptional(),
  settings: settings.exactOptional(),
  createdAt: isoInstantText.exactOptional(),
  profiles: z.array(fixtureProfile).exactOptional(),
  connections: z.array(fixtureConnection).exactOptional(),
  passcodes: z.array(passcodeRecord).exactOptional().meta({ description: "Only in a state with volatile parts." }),
  sessions: z.array(sessionRecord).exactOptional().meta({ description: "Only in a state with volatile parts." }),
  clock: clockRecord.nullable().exactOptional().meta({ description: "Only in a state with volatile parts." }),
  steps: z
    .int()
    .min(1)
    .exactOptional()
    .meta({ description: "Transactions of a deterministic app so far. Only in a state with volatile parts." }),
});
/** @see fixtureApp */
export type FixtureApp = z.output<typeof fixtureApp>;

/** A world: what a fixture file holds and what the state of the control API is. */
export const worldState = z.strictObject({
  $schema: z.string().exactOptional(),
  version: z.literal(1).default(1),
  apps: z.array(fixtureApp),
  clock: clockRecord.exactOptional().meta({ description: "Only in a state with volatile parts." }),
});
/** @see worldState */
export type WorldState = z.output<typeof worldState>;

/** The names that a world may have at a path, to name the nearest one to a stranger. */
export const knownInState = namesIn(worldState);

/** PUT state. */
export const stateInput = z.strictObject({
  mode: z.enum(["merge", "replace"]).meta({
    description: "merge: adds to what is there and updates it; replace: the world becomes what is sent.",
  }),
  state: z.unknown().meta({ description: "A world, as GET state shows it and as a fixture file holds it." }),
});
/** GET state. */
export const stateQuery = ofApp.extend({ volatile: z.enum(["0", "1"]).default("0") });
/** PUT state: of one app alone; `dryRun` checks and counts, and changes nothing. */
export const stateWriteQuery = ofApp.extend({ dryRun: z.enum(["0", "1"]).default("0") });
