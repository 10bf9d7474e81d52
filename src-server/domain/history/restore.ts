/** Going back to a moment: the changes that make the world what it was. */
import { problem } from "#contract/problems.ts";
import { COLLECTIONS, type Collection, idOf, type Lists, type RecordsOfApp } from "#contract/records.ts";
import { Changes, type Decision } from "../decision.ts";
import type { AppWorld, World } from "../world.ts";
import { sameRecord, unequal } from "./differences.ts";
import type { AppMoment, Moment } from "./moment.ts";

/** Records keep their numbers, and with them their places. */
const restoreList = <C extends Collection>(
  changes: Changes,
  noun: C,
  appId: string,
  was: Lists,
  now: Lists | undefined,
): void => {
  const came: string[] = [];
  const back: RecordsOfApp[C][] = [];
  for (const pair of unequal(was[noun], now?.[noun] ?? [])) {
    const [record, is] = pair ?? [];
    if (record === undefined) came.push(...(is === undefined ? [] : [idOf(is)]));
    else if (is === undefined || !sameRecord(record, is)) back.push(record);
  }
  changes.remove(noun, appId, came);
  back.sort((a, b) => a.seq - b.seq);
  for (const record of back) changes.put(noun, appId, record);
};

const restoreApp = (changes: Changes, world: World, was: AppMoment, now: AppWorld | undefined): void => {
  const { appId } = was.app;
  // A number that another app has got (the snapshot came from another data directory) would tie their places.
  const isTaken = world.apps.some(({ app }) => app.seq === was.app.seq && app.appId !== appId);
  if (now === undefined) changes.putApp(isTaken ? { ...was.app, seq: changes.seq } : was.app);
  for (const noun of COLLECTIONS) restoreList(changes, noun, appId, was, now);
  if (!sameRecord(was.clock, now?.clock ?? null)) changes.putClock(appId, was.clock);
  // Last: another strategy reads the usernames of the profiles as they then are.
  if (now !== undefined && !sameRecord(was.app, now.app)) changes.putApp(was.app);
};

/**
 * @param only this app, which the moment holds; null: all apps and their clock.
 * @returns the rule that goes back; its value is how many changes that takes.
 */
export const restoreTo =
  (moment: Moment, only: string | null) =>
  (world: World): Decision<number> => {
    const apps = new Map(moment.apps.map((app) => [app.app.appId, app]));
    const changes = new Changes(world);
    for (const { app } of only === null ? [] : apps.values()) {
      const holder = world.appBySecret(app.secret);
      if (holder !== undefined && holder.app.appId !== only) return problem("secret_taken");
    }
    // First what makes room: apps that came since may hold a secret that is given back. One that was deleted and made
    // again has another number, and another place.
    const kept = new Set<string>();
    for (const { app } of world.apps) {
      if (only !== null && app.appId !== only) continue;
      if (apps.get(app.appId)?.app.seq === app.seq) kept.add(app.appId);
      else changes.removeApp(app.appId);
    }
    for (const [appId, was] of apps) restoreApp(changes, world, was, kept.has(appId) ? world.app(appId) : undefined);
    if (only === null && !sameRecord(moment.clock, world.clock)) changes.putClock(null, moment.clock);
    return { ...changes.decided(changes.list.length), keepsSteps: true };
  };
