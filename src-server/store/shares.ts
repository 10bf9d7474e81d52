/** What the store itself keeps of each app, and what a transaction would add to it. */
import type { Problem } from "#contract/service/problems.ts";
import { COLLECTIONS, type Collection } from "#contract/service/records.ts";
import type { Change } from "#domain/decision.ts";
import { memoryOfApp, memoryOfRecord } from "#domain/history/memory.ts";
import type { Shares } from "#domain/shares.ts";
import type { Cause } from "#domain/store.ts";
import type { KeptHistory } from "./history.ts";
import type { WorldIndex } from "./index/indexes.ts";

/** Counts the records and the history of each app. */
export const countRecords = (shares: Shares, world: WorldIndex, history: KeptHistory): void => {
  for (const noun of COLLECTIONS) shares.counts(noun, (appId) => world.app(appId)?.bytesOf(noun) ?? 0);
  shares.counts("settings", (appId) => {
    const app = world.app(appId)?.app;
    return app === undefined ? 0 : memoryOfApp(app, undefined);
  });
  shares.counts("timeline", (appId) => history.bytesOf(appId));
};

/** @returns why an app may not keep what the changes store. What no one asked for, and what the owner does, is free. */
export const overShare = (
  shares: Shares,
  changes: readonly Change[],
  cause: Cause | undefined,
): Problem | undefined => {
  if (cause === undefined || cause.byOwner === true) return undefined;
  const more = new Map<string, number>();
  for (const change of changes) {
    if (!("put" in change) || change.put === "clock") continue;
    const appId = change.put === "app" ? change.record.appId : change.appId;
    if (!shares.isLimited(appId)) continue;
    const bytes =
      change.put === "app"
        ? memoryOfApp(change.record, undefined)
        : memoryOfRecord<Collection>(change.put, change.record);
    more.set(appId, (more.get(appId) ?? 0) + bytes);
  }
  for (const [appId, bytes] of more) {
    const refused = shares.refusal(appId, bytes);
    if (refused !== undefined) return refused;
  }
  return undefined;
};
