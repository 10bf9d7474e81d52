/** Requests that wait until a look-up in the store succeeds: by app, so that many of them hardly slow those of others. */
import type { IncomingMessage } from "node:http";
import type { Change } from "#domain/decision.ts";
import type { Listeners } from "#domain/listeners.ts";
import type { Committed, Store } from "#domain/store.ts";

/** Memory of a waiting request with its connection, in bytes. */
const WAIT = 24 * 1_024;

/** Above so many of all apps together, one that has more than its part of them must not add more: connections are few. */
const MANY = 750;

/** What a request waits for. */
export interface WaitOrder<T> {
  /** Called at once, and after each relevant transaction. */
  readonly look: () => T | undefined;
  /** The only app whose changes can matter; undefined: any. */
  readonly appId: string | undefined;
  readonly concerns: (change: Change) => boolean;
}

type Waiter = (changes: readonly Committed[]) => void;

export class Waits {
  readonly #listeners: Pick<Listeners, "call">;
  readonly #mostOfApp: number;
  /** By app; undefined: of any. */
  readonly #waiting = new Map<string | undefined, Set<Waiter>>();
  /** How many wait with the token that is bound to an app. */
  readonly #counts = new Map<string, number>();
  #count = 0;

  /** @param mostOfApp how many may wait with the token that is bound to an app. */
  constructor(store: Pick<Store, "subscribe" | "shares">, listeners: Pick<Listeners, "call">, mostOfApp: number) {
    this.#listeners = listeners;
    this.#mostOfApp = mostOfApp;
    store.subscribe((changes) => this.#tell(changes));
    store.shares.counts("waits", (appId) => (this.#counts.get(appId) ?? 0) * WAIT);
  }

  /** @param waitMs 0: do not wait. @returns what was found; undefined after a timeout; `"full"` if too many wait. */
  for<T>(
    { look, appId, concerns }: WaitOrder<T>,
    waitMs: number,
    req: IncomingMessage,
    boundTo: string | undefined,
  ): Promise<T | "full" | undefined> {
    const found = look();
    if (found !== undefined || waitMs === 0) return Promise.resolve(found);
    if (boundTo !== undefined && this.#isFull(boundTo)) return Promise.resolve("full");
    this.#add(boundTo, 1);
    return new Promise((resolve) => {
      const end = (result: T | undefined): void => {
        clearTimeout(timer);
        this.#leave(appId, waiter);
        this.#add(boundTo, -1);
        req.socket.off("close", gone);
        resolve(result);
      };
      const gone = (): void => end(undefined);
      const timer = setTimeout(gone, waitMs);
      const waiter: Waiter = (changes) => {
        if (!changes.some(({ change }) => concerns(change))) return;
        const now = look();
        if (now !== undefined) end(now);
      };
      const others = this.#waiting.get(appId) ?? new Set();
      this.#waiting.set(appId, others.add(waiter));
      req.socket.once("close", gone);
    });
  }

  #isFull(appId: string): boolean {
    const own = this.#counts.get(appId) ?? 0;
    if (own >= this.#mostOfApp) return true;
    if (this.#count < MANY) return false;
    return own >= MANY / this.#counts.size;
  }

  #tell(changes: readonly Committed[]): void {
    if (this.#waiting.size === 0) return;
    const apps = new Set<string | undefined>([undefined]);
    let isOfAll = false;
    for (const { change } of changes) {
      const appId = "put" in change && change.put === "app" ? change.record.appId : change.appId;
      if (appId === null) isOfAll = true;
      else apps.add(appId);
    }
    for (const appId of isOfAll ? this.#waiting.keys() : apps)
      for (const waiter of this.#waiting.get(appId) ?? []) this.#listeners.call("A wait", () => waiter(changes));
  }

  #leave(appId: string | undefined, waiter: Waiter): void {
    const others = this.#waiting.get(appId);
    others?.delete(waiter);
    if (others?.size === 0) this.#waiting.delete(appId);
  }

  #add(appId: string | undefined, more: number): void {
    if (appId === undefined) return;
    this.#count += more;
    const count = (this.#counts.get(appId) ?? 0) + more;
    if (count > 0) this.#counts.set(appId, count);
    else this.#counts.delete(appId);
  }
}
