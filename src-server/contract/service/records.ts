/**
 * The stored records: plain JSON, replaced and never mutated. They have no `appId`, because they are nested under their
 * app. `seq` is the number of the change that created the record, and defines the order.
 */
import { z } from "zod";
import type { IsoInstant } from "../scalars.ts";
import { type AllCounts, strategy } from "./apps.ts";
import { storedAttributes } from "./profiles.ts";
import { scenario } from "./scenarios.ts";
import { storedSettings } from "./settings.ts";
import { CHANNEL_NAMES } from "./strategies.ts";
import { storedWeather } from "./weather.ts";

const instant = z.iso.datetime({ precision: 3 }).pipe(z.custom<IsoInstant>());
const seq = z.int().min(1);

/** An app, without its profiles, passcodes, sessions and connections. */
export const appRecord = z.object({
  appId: z.string().min(1),
  seq,
  name: z.string(),
  secret: z.string().min(1),
  strategy,
  settings: storedSettings,
  createdAt: instant,
  // Transactions since `deterministic.seed` was set or the app was created or emptied; only with a seed.
  steps: z.int().min(1).exactOptional(),
  // Only for an app with a lease.
  ttlSeconds: z.int().min(1).exactOptional(),
  // Only for an app that was created with the join token: the number of that change, to which its token is bound.
  joined: seq.exactOptional(),
  weather: storedWeather.exactOptional(),
  // Only for an app that no list of all apps has.
  hidden: z.literal(true).exactOptional(),
});
export type AppRecord = Readonly<z.infer<typeof appRecord>>;

/** A profile (service.md 2.1); for `testPasscode` see D24. */
export const profileRecord = z.object({
  userId: z.guid(),
  seq,
  ...storedAttributes(),
  createdAt: instant,
  updatedAt: instant,
  testPasscode: z.string().exactOptional(),
  scenario: scenario.exactOptional(),
});
export type ProfileRecord = Readonly<z.infer<typeof profileRecord>>;

/** The stored state of a passcode. An `active` one may have expired, by `expiresAt` and the clock. */
const passcodeState = z.enum(["active", "used", "replaced", "exhausted"]);

/** A passcode and the message that it is sent in. */
export const sentCode = {
  channel: z.enum(CHANNEL_NAMES),
  to: z.string(),
  code: z.string(),
  message: z.string(),
} as const;

/** How the message of a passcode gets from `sent` to the user, if a fault delays or doubles it. */
const transit = z.object({
  // Real times: the app's clock can stand still.
  sentAt: instant,
  arrivesAt: instant,
  copies: z.int().min(1).max(2),
  arrivals: z.int().min(0).max(2),
  // The number of the change in which it arrived last.
  seq: seq.exactOptional(),
});
export type Transit = Readonly<z.infer<typeof transit>>;

/** A passcode issued to a profile (D24). */
export const passcodeRecord = z.object({
  id: z.guid(),
  seq,
  userId: z.guid(),
  ...sentCode,
  state: passcodeState,
  delivery: z.enum(["sent", "failed", "pending"]),
  transit: transit.exactOptional(),
  attempts: z.int().min(0),
  // Wrong attempts on the codes before it, and until when they and its own count (`passcode.attemptsPer`).
  earlier: z.object({ attempts: z.int().min(0), until: instant }).exactOptional(),
  // It is the code before it, sent again (`passcode.resend`).
  resent: z.literal(true).exactOptional(),
  tried: z.array(z.string()),
  requestId: z.string().nullable(),
  createdAt: instant,
  expiresAt: instant,
});
export type PasscodeRecord = Readonly<z.infer<typeof passcodeRecord>>;

/** A session (service.md 2.2, D28, D29). Tokens are not stored, but signed again from this. `expiresAt` is a whole second. */
export const sessionRecord = z.object({
  id: z.guid(),
  seq,
  userId: z.guid(),
  createdAt: instant,
  expiresAt: instant,
  revokedAt: instant.nullable(),
  device: z.string().nullable(),
  requestId: z.string().nullable(),
  issuer: z.string(),
  audience: z.union([z.string(), z.array(z.string())]),
});
export type SessionRecord = Readonly<z.infer<typeof sessionRecord>>;

/** A connection between a profile and another service (service.md 1, D14). */
export const connectionRecord = z.object({
  id: z.guid(),
  seq,
  userId: z.guid(),
  name: z.string(),
  managed: z.boolean(),
  status: z.enum(["connected", "disabled"]),
  createdAt: instant,
  disabledAt: instant.nullable(),
});
export type ConnectionRecord = Readonly<z.infer<typeof connectionRecord>>;

/** A clock: an offset from real time, or a frozen instant. */
export const clockRecord = z.object({ offsetMs: z.int(), frozenAtMs: z.int().nullable() });
export type ClockRecord = Readonly<z.infer<typeof clockRecord>>;

/** The record types nested under an app, by the name of their list. */
export interface RecordsOfApp {
  profiles: ProfileRecord;
  passcodes: PasscodeRecord;
  sessions: SessionRecord;
  connections: ConnectionRecord;
}
export type Collection = keyof RecordsOfApp;

/** The records of an app by collection, each list ascending by `seq`. */
export type Lists = { readonly [C in Collection]: readonly RecordsOfApp[C][] };

/** The name of one record of each collection. */
export const NOUNS = {
  profiles: "profile",
  passcodes: "passcode",
  sessions: "session",
  connections: "connection",
} as const satisfies Record<Collection, string>;

/** All collections, in file order. */
export const COLLECTIONS = Object.keys(NOUNS) as readonly Collection[];

/** @returns the id of a record; for a profile its `userId`. */
export const idOf = (record: RecordsOfApp[Collection]): string => ("id" in record ? record.id : record.userId);

/** @returns the record counts of the apps. */
export const countsOf = ({
  apps,
}: {
  readonly apps: readonly Partial<{ readonly [C in Collection]: readonly unknown[] }>[];
}): AllCounts => {
  const counts = { apps: apps.length, profiles: 0, passcodes: 0, sessions: 0, connections: 0 };
  for (const app of apps) for (const noun of COLLECTIONS) counts[noun] += app[noun]?.length ?? 0;
  return counts;
};
