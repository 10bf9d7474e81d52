/**
 * The world at one moment: copied lists of the same records, which are replaced and never mutated. A copy costs one
 * reference per record.
 */
import {
  type AppRecord,
  type ClockRecord,
  type Collection,
  countsOf,
  type RecordsOfApp,
} from "#contract/service/records.ts";
import type { AppMoment } from "../world.ts";

/** The world, or one app of it, at one moment. */
export interface WorldMoment {
  readonly clock: ClockRecord;
  readonly apps: readonly AppMoment[];
}

type AppCopy = { app: AppRecord; clock: ClockRecord | null } & { [C in Collection]: RecordsOfApp[C][] };

/** @returns the app with copied lists. */
export const copyOfApp = ({ app, clock, profiles, passcodes, sessions, connections }: AppMoment): AppCopy => ({
  app,
  clock,
  profiles: profiles.slice(),
  passcodes: passcodes.slice(),
  sessions: sessions.slice(),
  connections: connections.slice(),
});

/** @param appId null: all apps. @returns the current moment. */
export const momentOf = ({ clock, apps }: WorldMoment, appId: string | null): WorldMoment => ({
  clock,
  apps: apps.filter(({ app }) => appId === null || app.appId === appId).map(copyOfApp),
});

/** @returns the number of references in a moment. */
export const referencesOf = (moment: WorldMoment): number => {
  const { apps: _, ...counts } = countsOf(moment);
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
};
