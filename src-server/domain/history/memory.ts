/** What only the timeline still holds of past records, estimated in bytes: every text of them counts. */
import { type AppRecord, COLLECTIONS, type Lists, type RecordsOfApp } from "#contract/service/records.ts";
import type { Change } from "../decision.ts";
import type { World } from "../world.ts";
import type { Difference } from "./differences.ts";
import { differencesIn } from "./history.ts";

/** Memory of a record without its texts, and of a change, in bytes. */
const RECORD = 800;
const CHANGE = 80;
/** Memory of an entry of a list or an object, and of a character, at most. */
const ENTRY = 32;
const CHARACTER = 2;

/** @param value plain JSON. @returns its estimated memory in bytes. */
export const memoryOf = (value: unknown): number => {
  if (typeof value === "string") return ENTRY + CHARACTER * value.length;
  if (typeof value !== "object" || value === null) return 0;
  if (Array.isArray(value)) return value.reduce((sum: number, one: unknown) => sum + ENTRY + memoryOf(one), ENTRY);
  let sum = ENTRY;
  for (const [key, one] of Object.entries(value)) sum += ENTRY + CHARACTER * key.length + memoryOf(one);
  return sum;
};

const memoryOfText = (text: string | null | undefined): number => (text ? CHARACTER * text.length : 0);

/** The texts of a record whose length a client decides; ids and times are part of `RECORD`. */
const TEXTS: { readonly [C in keyof RecordsOfApp]: (record: RecordsOfApp[C]) => number } = {
  profiles: ({ name, phone, email, metadata, testPasscode, scenario }) =>
    memoryOfText(name) +
    memoryOfText(phone) +
    memoryOfText(email) +
    memoryOfText(testPasscode) +
    memoryOf(metadata) +
    memoryOf(scenario),
  passcodes: ({ to, code, message, tried }) =>
    memoryOfText(to) + memoryOfText(code) + memoryOfText(message) + memoryOf(tried),
  sessions: ({ device, issuer, audience, requestId }) =>
    memoryOfText(device) + memoryOfText(issuer) + memoryOf(audience) + memoryOfText(requestId),
  connections: ({ name }) => memoryOfText(name),
};

/** @returns the estimated memory of a record in bytes. */
export const memoryOfRecord = <C extends keyof RecordsOfApp>(noun: C, record: RecordsOfApp[C]): number =>
  RECORD + TEXTS[noun](record);

/**
 * @param after what came instead: it shares with `before` what did not change.
 * @returns the estimated memory of the app's own record in bytes.
 */
export const memoryOfApp = (before: AppRecord, after: AppRecord | undefined): number =>
  RECORD +
  memoryOfText(before.name) +
  memoryOfText(before.appId) +
  memoryOfText(before.secret) +
  (before.settings === after?.settings ? 0 : memoryOf(before.settings)) +
  (before.weather === after?.weather ? 0 : memoryOf(before.weather));

/** @returns the estimated memory of the records of an app in bytes. */
export const memoryOfLists = (lists: Lists): number => {
  let sum = 0;
  const add = <C extends keyof RecordsOfApp>(noun: C): void => {
    const records: Lists[C] = lists[noun];
    for (const record of records) sum += memoryOfRecord(noun, record);
  };
  for (const noun of COLLECTIONS) add(noun);
  return sum;
};

/** @returns the estimated memory in bytes of what only the timeline still holds. */
export const memoryOfDifference = (one: Difference): number => {
  if (one.before === undefined || one.noun === "clocks") return CHANGE;
  if (one.noun !== "apps") return CHANGE + memoryOfRecord(one.noun, one.before);
  return CHANGE + memoryOfApp(one.before, one.after) + (one.data === undefined ? 0 : memoryOfLists(one.data));
};

/** What a transaction adds to the timeline of one app. */
export interface Load {
  /** Estimated memory in bytes. */
  bytes: number;
  /** Whether it creates the app: nothing before is the same app's. */
  isBirth: boolean;
  /** Whether it removes the app, at last, and whether that was leased, or of the join token. */
  removed: "joined" | "leased" | "other" | undefined;
}

const kindOf = (app: AppRecord | undefined): Load["removed"] =>
  app?.joined !== undefined ? "joined" : app?.ttlSeconds !== undefined ? "leased" : "other";

/** @returns the loads of a transaction by app; null: the global clock. */
export const loadsOf = (differences: readonly Difference[]): ReadonlyMap<string | null, Load> => {
  const byApp = new Map<string | null, Load>();
  for (const one of differences) {
    const load = byApp.get(one.appId) ?? { bytes: 0, isBirth: false, removed: undefined };
    byApp.set(one.appId, load);
    load.bytes += memoryOfDifference(one);
    if (one.noun !== "apps") continue;
    load.isBirth ||= one.before === undefined;
    load.removed = one.after === undefined ? kindOf(one.before) : undefined;
  }
  return byApp;
};

/** @param world before the changes. @returns the loads that they will have. */
export const loadsIn = (world: World, changes: readonly Change[]): ReturnType<typeof loadsOf> => {
  const differences: Difference[] = [];
  const find = (appId: string) => {
    const app = world.app(appId);
    return app && { entry: app, find: app.find.bind(app) };
  };
  const note = differencesIn({ clock: world.clock, app: find }, differences);
  for (const change of changes) note(change);
  return loadsOf(differences);
};
