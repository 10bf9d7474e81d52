/**
 * What was replaced over some time, wherever it is kept: in memory (undo.ts) or in a file of the store.
 */
import type { AppRecord, ClockRecord, Collection, RecordsOfApp } from "#contract/records.ts";

/** Records by id as they were; undefined: not there. */
export type Entries<C extends Collection> = Iterable<readonly [id: string, before: RecordsOfApp[C] | undefined]>;

/** What one app was, apart from its records. @see AppUndo */
export interface AppPast {
  readonly born: boolean;
  readonly gone: { readonly app: AppRecord; readonly clock: ClockRecord | null } | undefined;
  readonly app: AppRecord | undefined;
  readonly clock: ClockRecord | null | undefined;
}

/** @see Undo */
export interface Past {
  readonly apps: ReadonlyMap<string, AppPast>;
  /** Of all apps, before it was set. */
  readonly clock: ClockRecord | undefined;
  /**
   * @returns of one app what its records were, a part at a time; of one that is gone all that it had. An id may come
   * twice: the first counts. Reading may fail as the file system does.
   */
  chunks<C extends Collection>(appId: string, collection: C): Iterable<Entries<C>> | AsyncIterable<Entries<C>>;
}

/** @returns what was noted of one app, oldest first; nothing after it was removed says more of what it had. */
export const pastsOfApp = (pasts: readonly Past[], appId: string): readonly { past: Past; app: AppPast }[] => {
  const found: { past: Past; app: AppPast }[] = [];
  for (const past of pasts) {
    const app = past.apps.get(appId);
    if (app === undefined) continue;
    found.push({ past, app });
    if (app.born || app.gone !== undefined) break;
  }
  return found;
};
