/** Finds the newest passcode that a query asks for, and knows when there cannot be one any more. */

import { foldUsername, readUuid } from "#contract/scalars.ts";
import type { LatestQuery } from "#contract/service/passcodes.ts";
import type { Change } from "#domain/decision.ts";
import { passcodeStatus } from "#domain/passcodes.ts";
import type { Store } from "#domain/store.ts";
import { type Env, shownApps, type World } from "#domain/world.ts";
import { type Found, findRecord, userOfPasscode } from "./select.ts";

/** @returns the seq given by `after`, directly or as the id of a passcode; undefined if it is neither. */
export const seqOf = (world: World, after: string | undefined): number | undefined => {
  if (after === undefined) return 0;
  if (/^\d{1,15}$/.test(after)) return Number(after);
  return findRecord(world, "passcodes", readUuid(after))?.record.seq;
};

/** @returns the status of a passcode by the clock of its app. */
export const passcodeStanding = (found: Found<"passcodes">, env: Env) =>
  passcodeStatus(found.record, userOfPasscode(found), env.now(found.app.app.appId));

/** @returns whether this is the recipient; without one, always. */
export const isTo = (to: string | undefined): ((recipient: string) => boolean) => {
  const folded = to === undefined ? undefined : foldUsername(to);
  return (recipient) => folded === undefined || foldUsername(recipient) === folded;
};

/** @returns the newest passcode that matches the query now; scans no further than necessary. @param isRead of `unread`. */
export const latest = (
  world: World,
  query: LatestQuery,
  afterSeq: number,
  env: Env,
  isRead: (found: Found<"passcodes">) => boolean,
): Found<"passcodes"> | undefined => {
  const isRecipient = isTo(query.to);
  let newest: Found<"passcodes"> | undefined;
  const apps = query.appId === undefined ? shownApps(world) : [world.app(query.appId)];
  for (const app of apps) {
    if (app === undefined) break;
    const floor = newest?.record.seq ?? afterSeq;
    const record = app.passcodes.findLast(
      (one) =>
        one.seq <= floor ||
        (isRecipient(one.to) &&
          (query.requestId === undefined || one.requestId === query.requestId) &&
          (query.unread === "0" || !isRead({ app, record: one })) &&
          (query.status === "any" ||
            (one.delivery === "sent" && passcodeStanding({ app, record: one }, env) === query.status))),
    );
    if (record !== undefined && record.seq > floor) newest = { app, record };
  }
  return newest;
};

/** @returns whether waiting is in vain: the app is gone, or the request has ended and its code is none or spent. */
export const isFinal = (world: World, { appId, requestId, status }: LatestQuery, env: Env): boolean => {
  if (appId !== undefined && world.app(appId) === undefined) return true;
  if (requestId === undefined) return false;
  const apps = appId === undefined ? world.apps : [world.app(appId)];
  for (const app of apps) {
    const record = app?.passcodes.findLast((one) => one.requestId === requestId);
    if (app === undefined || record === undefined) continue;
    if (record.delivery === "failed") return status !== "any";
    return record.delivery === "sent" && status === "active" && passcodeStanding({ app, record }, env) !== "active";
  }
  return true;
};

/** @returns whether a change can affect the result: a passcode is stored, a clock changes, the app goes. */
export const concerning = ({ to, appId }: LatestQuery): ((change: Change) => boolean) => {
  const isRecipient = isTo(to);
  return (change) => {
    if ("remove" in change) return change.remove === "app" && change.appId === appId;
    if (change.put === "clock") return true;
    if (change.put !== "passcodes" || (appId !== undefined && change.appId !== appId)) return false;
    return isRecipient(change.record.to);
  };
};

/** Memory of the id of a passcode in bytes. */
const ID = 120;

/** The passcodes that `unread` readers got, each by one of them; as long as the passcodes are there. */
export const createReadPasscodes = (store: Pick<Store, "world" | "watch" | "shares">) => {
  /** Ids by app. */
  const ids = new Map<string, Set<string>>();
  store.watch((changes) => {
    for (const { change } of changes) {
      if (!("remove" in change) || ids.size === 0) continue;
      if (change.remove === "app") ids.delete(change.appId);
      else if (change.remove === "passcodes") for (const id of change.ids) ids.get(change.appId)?.delete(id);
    }
  });
  store.shares.counts("passcodes", (appId) => (ids.get(appId)?.size ?? 0) * ID);
  return {
    has: ({ app, record }: Found<"passcodes">): boolean => ids.get(app.app.appId)?.has(record.id) === true,
    add: ({ app: { app }, record }: Found<"passcodes">): void => {
      ids.set(app.appId, (ids.get(app.appId) ?? new Set()).add(record.id));
    },
  };
};
