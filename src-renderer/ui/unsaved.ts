/**
 * What was typed into forms and not saved. It outlives a look at another row or screen, and leaving the page asks while there is any.
 */

/** Drafts of one kind of form, by what they are of. */
export interface Drafts<T> {
  readonly get: (key: string) => T | undefined;
  readonly keep: (key: string, draft: T) => void;
  readonly drop: (key: string) => void;
}

const kinds: ReadonlyMap<string, unknown>[] = [];

const ask = (event: BeforeUnloadEvent): void => event.preventDefault();

const watch = (): void => {
  if (kinds.some((kept) => kept.size > 0)) window.addEventListener("beforeunload", ask);
  else window.removeEventListener("beforeunload", ask);
};

/** @returns a place for the drafts of a kind of form; it is made once, with the module. */
export const keepDrafts = <T>(): Drafts<T> => {
  const kept = new Map<string, T>();
  kinds.push(kept);
  return {
    get: (key) => kept.get(key),
    keep: (key, draft) => {
      kept.set(key, draft);
      watch();
    },
    drop: (key) => {
      kept.delete(key);
      watch();
    },
  };
};
