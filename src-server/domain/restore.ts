/**
 * Going back to a moment by what is noted since (undo.ts), and what has changed since.
 */
import type { Collection, RecordsOfApp } from "#contract/records.ts";
import { Changes } from "./changes.ts";
import type { Change } from "./decision.ts";
import { sameRecord } from "./same-record.ts";
import { type AppUndo, type GoneApp, originals, type Undo } from "./undo.ts";
import type { AppWorld, World } from "./world.ts";

const COLLECTIONS = ["profiles", "passcodes", "sessions", "connections"] as const satisfies readonly Collection[];

/** Puts back what was there, in the order of making. Records keep their numbers, and with them their places. */
const restoreRecords = <C extends Collection>(changes: Changes, app: AppWorld, undo: AppUndo, collection: C): void => {
  const { appId } = app.app;
  const born: string[] = [];
  const back: RecordsOfApp[C][] = [];
  for (const [id, before] of undo.records[collection]) {
    const now = app.find(collection, id);
    if (before !== undefined && (now === undefined || !sameRecord(before, now))) back.push(before);
    else if (before === undefined && now !== undefined) born.push(id);
  }
  changes.remove(collection, appId, born);
  back.sort((a, b) => a.seq - b.seq);
  for (const record of back) changes.put(collection, appId, record);
};

const restoreGone = (changes: Changes, undo: AppUndo, gone: GoneApp): void => {
  const app = undo.app ?? gone.app;
  changes.putApp(app);
  for (const collection of COLLECTIONS)
    for (const record of originals(undo, gone, collection)) changes.put(collection, app.appId, record);
  const clock = undo.clock === undefined ? gone.clock : undo.clock;
  if (clock !== null) changes.putClock(app.appId, clock);
};

const restoreApp = (changes: Changes, app: AppWorld, undo: AppUndo): void => {
  for (const collection of COLLECTIONS) restoreRecords(changes, app, undo, collection);
  if (undo.clock !== undefined && undo.clock !== app.clock) changes.putClock(app.app.appId, undo.clock);
  // Last: another strategy reads the usernames of the profiles as they then are.
  if (undo.app !== undefined && undo.app !== app.app) changes.putApp(undo.app);
};

/** @returns the changes that bring back what was. */
export const restoreChanges = (world: World, undo: Undo): readonly Change[] => {
  const changes = new Changes(world);
  // First what makes room: apps that came since may hold a secret that is to be given back.
  for (const [appId, app] of undo.apps)
    if ((app.born || app.gone !== undefined) && world.app(appId) !== undefined) changes.removeApp(appId);
  for (const [appId, undone] of undo.apps) {
    const app = world.app(appId);
    if (undone.gone !== undefined) restoreGone(changes, undone, undone.gone);
    else if (!undone.born && app !== undefined) restoreApp(changes, app, undone);
  }
  if (undo.clock !== undefined && undo.clock !== world.clock) changes.putClock(null, undo.clock);
  return changes.list;
};

/** @returns whether an app that a restore leaves alone has a secret that would come back. */
export const secretTaken = (world: World, undo: Undo): boolean => {
  for (const [appId, { app, gone }] of undo.apps) {
    const secret = (app ?? gone?.app)?.secret;
    const holder = secret === undefined ? undefined : world.appBySecret(secret);
    if (holder === undefined || holder.app.appId === appId) continue;
    const held = undo.apps.get(holder.app.appId);
    // Its holder gives it up in the same step, or keeps it.
    if (held === undefined || (!held.born && held.gone === undefined && held.app === undefined)) return true;
  }
  return false;
};
