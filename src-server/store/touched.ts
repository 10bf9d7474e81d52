/** What a long transaction touches, to find out whether others have contradicted it while it was decided. */
import { effectiveSettings } from "#contract/service/effective-settings.ts";
import { idOf } from "#contract/service/records.ts";
import type { Change, Decided } from "#domain/decision.ts";
import type { Difference } from "#domain/history/differences.ts";
import type { World } from "#domain/world.ts";
import { usernameKey } from "./index/app-index.ts";

/** It is cheaper to decide again than to look through more changes than this. */
const MOST_MEANWHILE = 1_000;

/** @see file */
export class Touched {
  readonly #world: World;
  readonly #restores: Decided<unknown>["restores"];
  /** Apps, records, users and usernames of apps, and secrets. */
  readonly #keys = new Set<string>();

  /** @param restores of the decision. */
  constructor(world: World, restores: Decided<unknown>["restores"]) {
    this.#world = world;
    this.#restores = restores;
  }

  /** Adds what the transaction changes. */
  add(one: Difference): void {
    const { appId } = one;
    if (appId === null) return;
    this.#keys.add(appId);
    if (one.noun === "clocks") return;
    if (one.noun === "apps") {
      if (one.after !== undefined) this.#keys.add(`secret ${one.after.secret}`);
      // With another strategy, other usernames clash.
      if (one.before?.strategy !== one.after?.strategy) this.#keys.add(`${appId} as a whole`);
      return;
    }
    const app = this.#world.app(appId)?.app;
    for (const record of [one.before, one.after]) {
      if (record === undefined) continue;
      this.#keys.add(`${appId} ${one.noun} ${idOf(record)}`);
      // A login does not mind that its user gets another name.
      if (one.noun !== "profiles" || one.after === undefined) this.#keys.add(`${appId} of ${record.userId}`);
      const name = app !== undefined && "phone" in record ? usernameKey(app, record) : undefined;
      if (name !== undefined) this.#keys.add(`${appId} name ${name}`);
    }
  }

  /** @returns whether the transaction no longer holds after these changes; rather too often than too seldom. */
  isContradictedBy(changes: readonly Change[]): boolean {
    return changes.length > MOST_MEANWHILE || changes.some((change) => this.#contradicts(change));
  }

  #contradicts(change: Change): boolean {
    const appId = "put" in change && change.put === "app" ? change.record.appId : change.appId;
    // The global clock, and what becomes wholly as it was.
    if (appId === null || this.#restores === null || this.#restores === appId) return true;
    if ("put" in change && change.put === "app")
      return this.#keys.has(appId) || this.#keys.has(`secret ${change.record.secret}`);
    if (!this.#keys.has(appId)) return false;
    const app = this.#world.app(appId)?.app;
    if (app === undefined || this.#keys.has(`${appId} as a whole`)) return true;
    const has = (kind: string, id: string | undefined): boolean => this.#keys.has(`${appId} ${kind} ${id}`);
    if ("remove" in change) {
      const { remove } = change;
      return remove === "app" || change.ids.some((id) => has(remove, id) || (remove === "profiles" && has("of", id)));
    }
    if (change.put === "clock" || has(change.put, idOf(change.record))) return true;
    if (change.put !== "profiles") return has("of", change.record.userId);
    // They could share more than the username.
    if (effectiveSettings(app.settings).profile.unique === "both") return true;
    return has("name", usernameKey(app, change.record));
  }
}
