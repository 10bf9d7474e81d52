/**
 * The world at a moment: lists of its own over the same records, which are replaced and never changed. A copy costs one
 * reference for each record.
 */
import {
  type AppRecord,
  type ClockRecord,
  type Collection,
  countsOf,
  type Lists,
  type RecordsOfApp,
} from "#contract/records.ts";

/** An app at a moment. */
export type AppMoment = { readonly app: AppRecord; readonly clock: ClockRecord | null } & Lists;

/** The world, or one app of it. */
export interface Moment {
  /** The clock of all apps that have none of their own. */
  readonly clock: ClockRecord;
  readonly apps: readonly AppMoment[];
}

/** @returns the app with lists of its own. */
export const copyOfApp = (
  app: AppMoment,
): { [C in Collection]: RecordsOfApp[C][] } & { app: AppRecord; clock: ClockRecord | null } => ({
  app: app.app,
  clock: app.clock,
  profiles: app.profiles.slice(),
  passcodes: app.passcodes.slice(),
  sessions: app.sessions.slice(),
  connections: app.connections.slice(),
});

/** @param appId null: all apps. @returns the moment as it is now. */
export const momentOf = ({ clock, apps }: Moment, appId: string | null): Moment => ({
  clock,
  apps: apps.filter(({ app }) => appId === null || app.appId === appId).map(copyOfApp),
});

/** @returns how many references a moment holds. */
export const referencesOf = (moment: Moment): number => {
  const { apps: _, ...counts } = countsOf(moment);
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
};
