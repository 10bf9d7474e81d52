/** Which login an answered request belongs to: the one place that knows when a login begins (CONTRACT 24). */
import { givesSession, LOGIN_QUIET_MS } from "#contract/logins.ts";
import { foldUsername } from "#contract/scalars.ts";
import type { Store } from "#domain/store.ts";
import type { Exchange } from "./exchange.ts";

/** How many logins are remembered that have not ended with a session; then the oldest are forgotten. */
const MOST = 10_000;

/** A login that has not ended with a session. */
interface OpenLogin {
  /** The id of its first request; null: so far, the console has sent a code. */
  id: string | null;
  /** The service's clock at the last request or code. */
  lastMs: number;
}

const appPart = (appId: string | null): string => `${appId ?? ""}\n`;
const loginKey = (appId: string | null, to: string): string => appPart(appId) + foldUsername(to);

/** @see the file */
export class Logins {
  /** By app and username, oldest first. */
  readonly #open = new Map<string, OpenLogin>();

  constructor(store: Pick<Store, "watch">) {
    store.watch((changes) => {
      for (const { change } of changes) if ("remove" in change && change.remove === "app") this.clear(change.appId);
    }, true);
  }

  /** Gives a request that has been answered the id of its login. */
  join(row: Exchange): void {
    const { login, appId, atMs } = row;
    if (login === null) return;
    const key = loginKey(appId, login.to);
    const open = this.#at(key, atMs);
    open.id ??= row.id;
    login.id = open.id;
    if (givesSession(row)) this.#open.delete(key);
  }

  /** Notes a code that the console has sent. @param nowMs the service's clock. */
  codeSent(appId: string, to: string, nowMs: number): void {
    this.#at(loginKey(appId, to), nowMs);
  }

  /** Goes on with the login of a request from an earlier start. Call it for all of them, in their order. */
  resume(row: Exchange): void {
    const { login, appId, atMs } = row;
    if (login === null) return;
    const key = loginKey(appId, login.to);
    this.#open.delete(key);
    if (!givesSession(row)) this.#begin(key, { id: login.id, lastMs: atMs });
  }

  /** Ends the logins of an app, or of all: its users begin anew. */
  clear(appId?: string): void {
    for (const key of this.#open.keys())
      if (appId === undefined || key.startsWith(appPart(appId))) this.#open.delete(key);
  }

  /** @returns the login that goes on then, or a new one. */
  #at(key: string, nowMs: number): OpenLogin {
    const open = this.#open.get(key);
    if (open === undefined || nowMs - open.lastMs > LOGIN_QUIET_MS) {
      this.#open.delete(key);
      return this.#begin(key, { id: null, lastMs: nowMs });
    }
    open.lastMs = nowMs;
    return open;
  }

  #begin(key: string, login: OpenLogin): OpenLogin {
    this.#open.set(key, login);
    const [oldest] = this.#open.keys();
    if (this.#open.size > MOST && oldest !== undefined) this.#open.delete(oldest);
    return login;
  }
}
