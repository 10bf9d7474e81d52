/**
 * Apps that are there for a while only (CONTRACT 13): each is deleted with all its data once nobody has named it for its
 * `ttlSeconds`. How long they live is part of the app; how long ago they were named is known in memory alone, so that a
 * restart gives each its whole time again.
 */

import type { AppItem } from "#contract/apps.ts";
import type { AppRecord } from "#contract/records.ts";
import { type EpochMs, epochMs, type IsoInstant, isoInstant } from "#contract/scalars.ts";
import { appItem, deleteApp } from "#domain/apps.ts";
import type { Store } from "#domain/store.ts";
import type { AppWorld } from "#domain/world.ts";

const LOOK_MS = 500;

/** One app that is leased. */
interface Lease {
  readonly ttlMs: number;
  /** When it ends, by a clock that never goes back; milliseconds. */
  endsMs: number;
  /** Requests that name the app and are not answered yet: it does not end before they are. */
  holds: number;
}

/** @see the file */
export class Leases {
  readonly #store: Pick<Store, "world" | "transact" | "watch">;
  readonly #monotonic: () => number;
  readonly #realNow: () => number;
  readonly #byApp = new Map<string, Lease>();
  #timer: NodeJS.Timeout | undefined;

  /** @param monotonic milliseconds of a clock that never goes back. @param realNow milliseconds since 1970, to tell people. */
  constructor(store: Pick<Store, "world" | "transact" | "watch">, monotonic: () => number, realNow: () => number) {
    this.#store = store;
    this.#monotonic = monotonic;
    this.#realNow = realNow;
    for (const { app } of store.world.apps) this.#follow(app);
    store.watch((changes) => {
      for (const { change } of changes) {
        if ("put" in change && change.put === "app") this.#follow(change.record);
        else if ("remove" in change && change.remove === "app") this.#byApp.delete(change.appId);
      }
    });
  }

  #follow({ appId, ttlSeconds }: { readonly appId: string; readonly ttlSeconds?: number }): void {
    const known = this.#byApp.get(appId);
    if (ttlSeconds === undefined) this.#byApp.delete(appId);
    else if (known?.ttlMs !== ttlSeconds * 1_000) {
      const ttlMs = ttlSeconds * 1_000;
      this.#byApp.set(appId, { ttlMs, endsMs: this.#monotonic() + ttlMs, holds: known?.holds ?? 0 });
      this.#timer ??= setInterval(() => this.#end(), LOOK_MS).unref();
    }
  }

  /** Somebody has named the app: its time begins anew. */
  renew(appId: string): void {
    const lease = this.#byApp.get(appId);
    if (lease !== undefined) lease.endsMs = this.#monotonic() + lease.ttlMs;
  }

  /** A request names the app. @returns what is to be called once it is answered; undefined if the app is not leased. */
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

  /** @returns when the app will be gone if nobody names it, real time; undefined: it stays. */
  #endOf(appId: string): IsoInstant | undefined {
    const lease = this.#byApp.get(appId);
    if (lease === undefined) return undefined;
    const end: EpochMs = epochMs(Math.round(this.#realNow() + lease.endsMs - this.#monotonic()));
    return isoInstant(end);
  }

  /** @param record of the app at an earlier moment; absent: now. @returns the app in the control API, with its lease. */
  itemOf(app: AppWorld, record: AppRecord = app.app): AppItem {
    const [{ ttlSeconds, joined }, expiresAt] = [record, this.#endOf(record.appId)];
    if (ttlSeconds === undefined || expiresAt === undefined) return appItem(app, record);
    return { ...appItem(app, record), lease: { ttlSeconds, expiresAt, ...(joined === undefined ? {} : { joined }) } };
  }

  #end(): void {
    const now = this.#monotonic();
    for (const [appId, { endsMs, holds }] of this.#byApp) {
      const app = holds > 0 || endsMs > now ? undefined : this.#store.world.app(appId);
      // A disk that refuses it is asked again.
      if (app !== undefined) this.#store.transact((world) => deleteApp(world, app));
    }
    if (this.#byApp.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  /** Ends no app any more. */
  stop(): void {
    clearInterval(this.#timer);
  }
}
