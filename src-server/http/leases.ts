/** Leased apps: deleted after `ttlSeconds` without a request that names them. A restart renews all leases. */

import { BOUNDS } from "#contract/bounds.ts";
import { Recent } from "#contract/recent.ts";
import { epochMs, isoInstant } from "#contract/scalars.ts";
import type { AppInput, AppItem } from "#contract/service/apps.ts";
import type { Problem } from "#contract/service/problems.ts";
import type { AppRecord } from "#contract/service/records.ts";
import { appItem, deleteApp } from "#domain/apps.ts";
import type { Store } from "#domain/store.ts";
import type { AppWorld } from "#domain/world.ts";
import type { PendingCall } from "./handler.ts";

const LOOK_MS = 500;
/** When all apps of the join token are taken, one that has been idle for so long ends for a new one. */
const IDLE_MS = 900_000;

type LeasedStore = Pick<Store, "world" | "transact" | "watch" | "shares">;

interface Lease {
  ttlMs: number;
  /** When it ends, in monotonic milliseconds. */
  endsMs: number;
  /** Unanswered requests that name the app, which keep it from ending. */
  holds: number;
}

export class Leases {
  readonly #store: LeasedStore;
  readonly #monotonic: () => number;
  readonly #realNow: () => number;
  readonly #byApp = new Map<string, Lease>();
  /** Apps that ended for others, by their id, oldest first. */
  readonly #ended = new Recent<string, AppRecord>(BOUNDS.leases.most);
  /** The address that created each app of the join token since the start, by the app's id. */
  readonly #creators = new Map<string, string>();
  #timer: NodeJS.Timeout | undefined;

  /** @param monotonic monotonic milliseconds. @param realNow milliseconds since 1970, for display. */
  constructor(store: LeasedStore, monotonic: () => number, realNow: () => number) {
    this.#store = store;
    this.#monotonic = monotonic;
    this.#realNow = realNow;
    for (const { app } of store.world.apps) this.#follow(app);
    store.watch((changes) => {
      for (const { change } of changes) {
        if ("put" in change && change.put === "app") this.#follow(change.record);
        else if ("remove" in change && change.remove === "app") {
          this.#byApp.delete(change.appId);
          this.#creators.delete(change.appId);
        }
      }
    });
  }

  #follow({ appId, ttlSeconds }: AppRecord): void {
    const known = this.#byApp.get(appId);
    if (ttlSeconds === undefined) this.#byApp.delete(appId);
    else if (known?.ttlMs !== ttlSeconds * 1_000) {
      // The same lease if there is one: unanswered requests release the one that they hold.
      const lease = known ?? { ttlMs: 0, endsMs: 0, holds: 0 };
      this.#byApp.set(appId, lease);
      lease.ttlMs = ttlSeconds * 1_000;
      this.renew(appId);
      this.#timer ??= setInterval(() => this.#end(), LOOK_MS).unref();
    }
  }

  renew(appId: string): void {
    const lease = this.#byApp.get(appId);
    if (lease !== undefined) lease.endsMs = this.#monotonic() + lease.ttlMs;
  }

  /** Keeps an app during a request that names it. @returns what to call after the response; undefined if not leased. */
  hold(appId: string): (() => void) | undefined {
    const lease = this.#byApp.get(appId);
    if (lease === undefined) return undefined;
    this.renew(appId);
    lease.holds++;
    return () => {
      lease.holds--;
      this.renew(appId);
    };
  }

  /** Keeps an app during a request of the control API that is about it; not for a browser that only reads it. */
  scoped(appId: string, { operation, req, res }: Pick<PendingCall, "operation" | "req" | "res">): void {
    if (operation.method === "GET" && req.headers["sec-fetch-site"] !== undefined) return;
    const release = this.hold(appId);
    if (release !== undefined) res.once("close", release);
  }

  /** @param record also an earlier state of the app. @returns the app's item, with its lease if it has one. */
  item(app: AppWorld, record: AppRecord = app.app): AppItem {
    return { ...appItem(app, record), ...this.#of(record) };
  }

  #of({ appId, ttlSeconds, joined }: AppRecord): Pick<AppItem, "lease"> | undefined {
    const lease = this.#byApp.get(appId);
    if (ttlSeconds === undefined || lease === undefined) return undefined;
    // When it ends without further requests, in real time.
    const expiresAt = isoInstant(epochMs(Math.round(this.#realNow() + lease.endsMs - this.#monotonic())));
    const creator = this.#creators.get(appId);
    return { lease: { ttlSeconds, expiresAt, ...(joined && { joined: true as const }), ...(creator && { creator }) } };
  }

  /** Notes who created an app with the join token. @param address of the client. */
  createdBy(appId: string, address: string): void {
    this.#creators.set(appId, address);
  }

  /** @returns how many apps of the join token each address has created, the most first; null: before the start. */
  holders(): { readonly address: string | null; readonly apps: number }[] {
    const apps = new Map<string | null, number>();
    for (const { app } of this.#store.world.apps) {
      const address = this.#creators.get(app.appId) ?? null;
      if (app.joined !== undefined) apps.set(address, (apps.get(address) ?? 0) + 1);
    }
    return [...apps].map(([address, count]) => ({ address, apps: count })).sort((a, b) => b.apps - a.apps);
  }

  /** @param joins whether the join token creates it. @returns why such an app may not be created. */
  noRoomFor({ ttlSeconds }: AppInput, joins: boolean): Problem | undefined {
    const { shares, world } = this.#store;
    if (joins) return shares.hasRoom || this.#endIdle() ? undefined : { code: "too_many_shared_apps" };
    if (ttlSeconds === undefined || this.#byApp.size < BOUNDS.leases.most) return undefined;
    const own = world.apps.filter(({ app }) => app.ttlSeconds !== undefined && app.joined === undefined).length;
    return own < BOUNDS.leases.most ? undefined : { code: "too_many_leases" };
  }

  endedApp(appId: string): AppRecord | undefined {
    return this.#ended.get(appId);
  }

  /** Ends the app of the join token that has been idle longest, if that is long. @returns whether there was one. */
  #endIdle(): boolean {
    const now = this.#monotonic();
    let idle: { readonly app: AppWorld; readonly ms: number } | undefined;
    for (const [appId, { endsMs, ttlMs, holds }] of this.#byApp) {
      const app = this.#store.world.app(appId);
      const ms = now - (endsMs - ttlMs);
      if (app?.app.joined !== undefined && holds === 0 && ms >= IDLE_MS && ms > (idle?.ms ?? 0)) idle = { app, ms };
    }
    if (idle === undefined) return false;
    const { app } = idle;
    if (!this.#store.transact((world) => deleteApp(world, app)).ok) return false;
    this.#ended.set(app.app.appId, app.app);
    return true;
  }

  #end(): void {
    const now = this.#monotonic();
    for (const [appId, { endsMs, holds }] of this.#byApp) {
      const app = holds > 0 || endsMs > now ? undefined : this.#store.world.app(appId);
      // If the disk fails, it is retried.
      if (app !== undefined) this.#store.transact((world) => deleteApp(world, app));
    }
    if (this.#byApp.size > 0) return;
    this.stop();
    this.#timer = undefined;
  }

  stop(): void {
    clearInterval(this.#timer);
  }
}
