/**
 * Copies of the world: lists of the same records, which are replaced and never mutated, so a copy costs one reference
 * per record. A restore computes the changes that recreate one.
 */
import { problem } from "#contract/service/problems.ts";
import {
  type AppRecord,
  type ClockRecord,
  COLLECTIONS,
  type Collection,
  countsOf,
  idOf,
  type Lists,
  type RecordsOfApp,
} from "#contract/service/records.ts";
import { inSteps, type Steps } from "#contract/steps.ts";
import { withoutGone } from "../apps.ts";
import { Changes, type Decision } from "../decision.ts";
import type { AppData, World, WorldData } from "../world.ts";
import { sameRecord, unequal } from "./differences.ts";

type AppCopy = { app: AppRecord; clock: ClockRecord | null } & { [C in Collection]: RecordsOfApp[C][] };

/** @returns the app with copied lists. */
export const copyOfData = ({ app, clock, profiles, passcodes, sessions, connections }: AppData): AppCopy => ({
  app,
  clock,
  profiles: profiles.slice(),
  passcodes: passcodes.slice(),
  sessions: sessions.slice(),
  connections: connections.slice(),
});

/** @param appId null: all apps. @returns a copy of the data of now. */
export const dataOf = ({ clock, apps }: WorldData, appId: string | null): WorldData => ({
  clock,
  apps: apps.filter(({ app }) => appId === null || app.appId === appId).map(copyOfData),
});

/** @returns the number of references in the data. */
export const referencesOf = (data: WorldData): number => {
  const { apps: _, ...counts } = countsOf(data);
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
};

/** Records keep their `seq`, and so their position. */
function* restoreList<C extends Collection>(
  changes: Changes,
  noun: C,
  appId: string,
  was: Lists,
  now: Lists | undefined,
): Steps<void> {
  const came: string[] = [];
  const back: RecordsOfApp[C][] = [];
  yield* inSteps(unequal(was[noun], now?.[noun] ?? []), ([record, is]) => {
    if (record === undefined) came.push(...(is === undefined ? [] : [idOf(is)]));
    else if (is === undefined || !sameRecord(record, is)) back.push(record);
  });
  changes.remove(noun, appId, came);
  back.sort((a, b) => a.seq - b.seq);
  for (const record of back) changes.put(noun, appId, record);
}

/** @returns whether two states of an id are of one app, not of one that was created again with the join token. */
export const isSameApp = (was: AppData | undefined, now: AppData | undefined): boolean =>
  was?.app.joined === now?.app.joined;

function* restoreApp(changes: Changes, world: World, was: AppData, now: AppData | undefined): Steps<void> {
  const { appId } = was.app;
  // An app that was deleted in the meantime comes back without its token.
  const { joined: _, ...free } = was.app;
  const app = withoutGone(isSameApp(was, world.app(appId)) ? was.app : free);
  // A `seq` that another app now has (the snapshot comes from another data directory) would make their order ambiguous.
  const isTaken = world.apps.some(({ app }) => app.seq === was.app.seq && app.appId !== appId);
  if (now === undefined) changes.putApp(isTaken ? { ...app, seq: changes.seq } : app);
  for (const noun of COLLECTIONS) yield* restoreList(changes, noun, appId, was, now);
  if (!sameRecord(was.clock, now?.clock ?? null)) changes.putClock(appId, was.clock);
  // Last, because a changed strategy reads the usernames of the restored profiles.
  if (now !== undefined && !sameRecord(app, now.app)) changes.putApp(app);
}

/** @returns why an app cannot be as it was. */
const refusalOf = (world: World, apps: ReadonlyMap<string, AppData>, appId: string) => {
  const own = world.app(appId);
  if (own?.app.joined !== undefined && !isSameApp(apps.get(appId), own)) return problem("unknown_record");
  const holders = [...apps.values()].map(({ app }) => world.appBySecret(app.secret));
  return holders.some((holder) => holder !== undefined && holder.app.appId !== appId)
    ? problem("secret_taken")
    : undefined;
};

/** @param only an app in the data; null: all and the global clock. @returns the rule that restores it. */
export const restoreTo = (data: WorldData, only: string | null) =>
  function* (world: World): Steps<Decision<number>> {
    const apps = new Map(data.apps.map((app) => [app.app.appId, app]));
    const changes = new Changes(world);
    const refused = only === null ? undefined : refusalOf(world, apps, only);
    if (refused !== undefined) return refused;
    // First make room: newer apps may hold a secret that is restored. An app that was deleted and created again has
    // another `seq`, and so another position.
    const kept = new Set<string>();
    for (const { app } of world.apps) {
      if (only !== null && app.appId !== only) continue;
      if (apps.get(app.appId)?.app.seq === app.seq) kept.add(app.appId);
      else changes.removeApp(app.appId);
    }
    for (const [appId, was] of apps)
      yield* restoreApp(changes, world, was, kept.has(appId) ? world.app(appId) : undefined);
    if (only === null && !sameRecord(data.clock, world.clock)) changes.putClock(null, data.clock);
    return changes.restored(changes.list.length, only);
  };
