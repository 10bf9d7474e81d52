/**
 * The last look at changes before they are written. Whatever it finds is a defect of the rule that made them: written
 * down, such changes would keep the next start from reading the file.
 */
import type { Change, PutRecord } from "#domain/decision.ts";
import { type AppIndex, usernameKey } from "./app-index.ts";
import type { WorldIndex } from "./indexes.ts";

/** The id of the record that a change puts. */
const idOf = (change: PutRecord): string => (change.put === "profiles" ? change.record.userId : change.record.id);

const touches = (change: Change, appId: string, userId: string): boolean => {
  if ("remove" in change) {
    if (change.appId !== appId) return false;
    return change.remove === "app" || (change.remove === "profiles" && change.ids.includes(userId));
  }
  return change.put === "profiles" && change.appId === appId && change.record.userId === userId;
};

const checkUsername = (app: AppIndex, change: PutRecord, all: readonly Change[]): void => {
  if (change.put !== "profiles") return;
  const key = usernameKey(app.app, change.record);
  const owner = key === undefined ? undefined : app.profileByUsername(key);
  if (owner === undefined || owner.userId === change.record.userId) return;
  // Usernames may move about within one transaction; this one's owner is left as it is.
  if (!all.some((other) => touches(other, change.appId, owner.userId))) {
    throw new Error("A rule gave a username that another profile has.");
  }
};

/**
 * @param changes numbered from `index.seq + 1` on.
 * @throws Error for a change of an app that is not there, a record that does not carry its number, or a username that is
 * another's.
 */
export const preflight = (index: WorldIndex, changes: readonly Change[]): void => {
  /** Apps that this very transaction makes or removes. */
  const apps = new Map<string, boolean>();
  let number = index.seq;
  const isNew = (seq: number): boolean => seq > index.seq && seq <= number;
  for (const change of changes) {
    number += 1;
    if ("remove" in change) {
      if (change.remove === "app") apps.set(change.appId, false);
      continue;
    }
    if (change.put === "app") {
      const { appId, seq } = change.record;
      const known = apps.has(appId) ? undefined : index.app(appId);
      if (known?.app.seq !== seq && !isNew(seq)) throw new Error("A rule gave an app a number that is not its own.");
      apps.set(appId, true);
      continue;
    }
    if (change.appId === null) continue;
    const app = index.app(change.appId);
    if (!(apps.get(change.appId) ?? app !== undefined)) throw new Error("A rule changed an app that is not there.");
    if (change.put === "clock") continue;
    const before = app?.find(change.put, idOf(change));
    if (before?.seq !== change.record.seq && !isNew(change.record.seq)) {
      throw new Error("A rule gave a record a number that is not its own.");
    }
    if (app !== undefined && apps.size === 0) checkUsername(app, change, changes);
  }
};
