/** What is counted of each app, and of those that are gone. */

import type { Store } from "#domain/store.ts";

/** Each app begins with what `begins` makes, once it is first asked for. */
export class ByApp<T> {
  readonly #begins: () => T;
  readonly #byApp = new Map<string, T>();
  /** Of hidden apps, which are not counted together with others. */
  readonly #hidden = new Map<string, T>();
  readonly #store: Pick<Store, "world">;
  /** Of the apps that are gone. */
  readonly #total: T;

  /** @param add adds what an app has to what the apps before it had, once it is deleted. A reset changes nothing. */
  constructor(store: Pick<Store, "world" | "watch">, begins: () => T, add: (total: T, gone: T) => void) {
    this.#store = store;
    this.#begins = begins;
    this.#total = begins();
    store.watch((changes) => {
      for (const { change } of changes) {
        // An app that a reset makes anew in the same transaction goes on.
        if (!("remove" in change) || change.remove !== "app" || store.world.app(change.appId) !== undefined) continue;
        const gone = this.#byApp.get(change.appId);
        this.#byApp.delete(change.appId);
        this.#hidden.delete(change.appId);
        if (gone !== undefined) add(this.#total, gone);
      }
    }, true);
  }

  /** What the apps that are gone have left. */
  get total(): T {
    return this.#total;
  }

  /** @returns that of an app, as it began if need be; that of all apps that are gone, if it is. */
  of(appId: string): T {
    const known = this.at(appId);
    if (known !== undefined) return known;
    const app = this.#store.world.app(appId)?.app;
    if (app === undefined) return this.#total;
    const made = this.#begins();
    (app.hidden ? this.#hidden : this.#byApp).set(appId, made);
    return made;
  }

  /** @returns that of an app; undefined if it has none yet. */
  at(appId: string): T | undefined {
    return this.#byApp.get(appId) ?? this.#hidden.get(appId);
  }

  /** @returns those of all apps that have one, and are not hidden. */
  all(): readonly T[] {
    return [...this.#byApp.values()];
  }
}
