/** Which login an answered request belongs to: the one place that knows when a login begins. */
import { givesSession, LOGIN_QUIET_MS } from "#contract/control/login-end.ts";
import { foldUsername } from "#contract/scalars.ts";
import type { Store } from "#domain/store.ts";
import type { Exchange } from "./exchange.ts";

/** Open logins of 800 bytes; then the app with the most loses its oldest. Anybody begins one: no share counts them. */
const MOST = 10_000;

interface OpenLogin {
  /** The id of its first request; null: so far, the console has sent a code. */
  id: string | null;
  /** The service's clock at the last request or code. */
  lastMs: number;
}

/** By username, oldest first. */
type OfApp = Map<string, OpenLogin>;

export class Logins {
  readonly #open = new Map<string | null, OfApp>();
  #count = 0;

  constructor(store: Pick<Store, "watch">) {
    store.watch((changes) => {
      for (const { change } of changes) if ("remove" in change && change.remove === "app") this.clear(change.appId);
    });
  }

  /** Gives a request that has been answered the id of its login. */
  join(row: Exchange): void {
    const { login, appId, atMs } = row;
    if (login === null) return;
    const open = this.#at(appId, login.to, atMs);
    open.id ??= row.id;
    login.id = open.id;
    if (givesSession(row)) this.#end(appId, foldUsername(login.to));
  }

  /** Notes a code that the console has sent. @param nowMs the service's clock. */
  codeSent(appId: string, to: string, nowMs: number): void {
    this.#at(appId, to, nowMs);
  }

  /** Ends the logins of an app, or of all: its users begin again. */
  clear(appId?: string): void {
    for (const [of, logins] of this.#open) {
      if (appId !== undefined && of !== appId) continue;
      this.#count -= logins.size;
      this.#open.delete(of);
    }
  }

  /** @returns the login that goes on then, or a new one. */
  #at(appId: string | null, to: string, nowMs: number): OpenLogin {
    const key = foldUsername(to);
    const open = this.#open.get(appId)?.get(key);
    if (open === undefined || nowMs - open.lastMs > LOGIN_QUIET_MS) {
      this.#end(appId, key);
      return this.#begin(appId, key, { id: null, lastMs: nowMs });
    }
    open.lastMs = nowMs;
    return open;
  }

  #begin(appId: string | null, key: string, login: OpenLogin): OpenLogin {
    const logins = this.#open.get(appId) ?? new Map<string, OpenLogin>();
    this.#open.set(appId, logins.set(key, login));
    this.#count += 1;
    if (this.#count > MOST) this.#forgetOne();
    return login;
  }

  #forgetOne(): void {
    let most: readonly [string | null, OfApp] | undefined;
    for (const one of this.#open) if (most === undefined || one[1].size > most[1].size) most = one;
    const [oldest] = most?.[1].keys() ?? [];
    if (most !== undefined && oldest !== undefined) this.#end(most[0], oldest);
  }

  #end(appId: string | null, key: string): void {
    const logins = this.#open.get(appId);
    if (logins?.delete(key) !== true) return;
    this.#count -= 1;
    if (logins.size === 0) this.#open.delete(appId);
  }
}
