/**
 * Lists of the control API over one app or all: newest first, filtered, counted.
 */

import { type Problem, problem } from "#contract/problems.ts";
import type { Collection, RecordsOfApp } from "#contract/records.ts";
import type { AppWorld, World } from "#domain/world.ts";

/** @returns the app of the query, or all when it names none; an app that is not there has nothing. */
export const appsOf = (world: World, appId: string | undefined): readonly AppWorld[] => {
  if (appId === undefined) return world.apps;
  const app = world.app(appId);
  return app === undefined ? [] : [app];
};

/** A record with its app. */
export interface Found<C extends Collection> {
  readonly app: AppWorld;
  readonly record: RecordsOfApp[C];
}

/** @returns the record with this id, in whichever app (or in this one). */
export const findRecord = <C extends Collection>(
  world: World,
  collection: C,
  id: string | undefined,
  appId?: string,
): Found<C> | undefined => {
  if (id === undefined) return undefined;
  for (const app of appsOf(world, appId)) {
    const record = app.find(collection, id.toLowerCase());
    if (record !== undefined) return { app, record };
  }
  return undefined;
};

/** @returns the app of a body, or 422: it must be there. */
export const appOfBody = (world: World, appId: unknown): { readonly app: AppWorld } | { readonly problem: Problem } => {
  const app = typeof appId === "string" ? world.app(appId) : undefined;
  if (app !== undefined) return { app };
  const text = appId === undefined || appId === null ? "can't be blank" : "names no app";
  return problem("invalid_fields", { fields: { appId: [text] } });
};

type Listed = "passcodes" | "sessions" | "connections";
const LISTS: { readonly [C in Listed]: (app: AppWorld) => readonly RecordsOfApp[C][] } = {
  passcodes: (app) => app.passcodes,
  sessions: (app) => app.sessions,
  connections: (app) => app.connections,
};

/**
 * @param fits undefined: all do, and nothing is gone through.
 * @returns the newest records that fit, newest first, at most `limit`, and how many fit in all.
 */
export const newestFirst = <C extends Listed>(
  apps: readonly AppWorld[],
  collection: C,
  limit: number,
  fits?: (found: Found<C>) => boolean,
): { readonly found: Found<C>[]; readonly total: number } => {
  const found: Found<C>[] = [];
  let total = 0;
  for (const app of apps) {
    const records = LISTS[collection](app);
    if (fits === undefined) total += records.length;
    let taken = 0;
    for (let i = records.length - 1; i >= 0; i--) {
      if (fits === undefined && taken === limit) break;
      const record = records[i];
      if (record === undefined || (fits !== undefined && !fits({ app, record }))) continue;
      if (fits !== undefined) total++;
      if (taken < limit) {
        found.push({ app, record });
        taken++;
      }
    }
  }
  found.sort((a, b) => b.record.seq - a.record.seq);
  return { found: found.slice(0, limit), total };
};

/** @returns the newest record that fits, of those that are newer than `afterSeq`; no further is gone than needed. */
export const newestOf = <C extends Listed>(
  apps: readonly AppWorld[],
  collection: C,
  afterSeq: number,
  fits: (found: Found<C>) => boolean,
): Found<C> | undefined => {
  let newest: Found<C> | undefined;
  for (const app of apps) {
    const records = LISTS[collection](app);
    for (let i = records.length - 1; i >= 0; i--) {
      const record = records[i];
      if (record === undefined || record.seq <= (newest?.record.seq ?? afterSeq)) break;
      if (!fits({ app, record })) continue;
      newest = { app, record };
      break;
    }
  }
  return newest;
};
