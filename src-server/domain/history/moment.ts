/**
 * The world at one moment: copied lists of the same records, which are replaced and never mutated. A copy costs one
 * reference per record.
 */
import {
  type AppRecord,
  type ClockRecord,
  type Collection,
  countsOf,
  type Lists,
  type RecordsOfApp,
} from "#contract/records.ts";

/** An app at one moment. */
export type AppMoment = { readonly app: AppRecord; readonly clock: ClockRecord | null } & Lists;

/** The world, or one app of it, at one moment. */
export interface Moment {
  /** The global clock. */
  readonly clock: ClockRecord;
  readonly apps: readonly AppMoment[];
}

/** @returns the app with copied lists. */
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

/** @param appId null: all apps. @returns the current moment. */
export const momentOf = ({ clock, apps }: Moment, appId: string | null): Moment => ({
  clock,
  apps: apps.filter(({ app }) => appId === null || app.appId === appId).map(copyOfApp),
});

/** @returns the number of references in a moment. */
export const referencesOf = (moment: Moment): number => {
  const { apps: _, ...counts } = countsOf(moment);
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
};
