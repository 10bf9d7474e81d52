/** Helpers for the tests of the store: directories, and stores opened with few arguments. */
import { cpSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Store } from "#domain/store.ts";
import { StoreFailure } from "#store/failure.ts";
import { openStore, type StoreOptions } from "#store/store.ts";
import { afterTest } from "#test/support/cleanup.ts";
import { beginning, never } from "./records.ts";

/** A new directory, removed after the test. */
export const newDir = (): string => {
  const dir = realpathSync(mkdtempSync(path.join(tmpdir(), "stagedoor-store-")));
  afterTest(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
};

/** Opens a store and closes it after the test. */
export const open = async (dir: string, more: Partial<StoreOptions> = {}): Promise<Store> => {
  const store = await openStore({
    dir,
    durability: "process",
    initial: beginning,
    onNotice: () => undefined,
    later: never,
    now: () => 1_763_650_000_000,
    ...more,
  });
  afterTest(() => store.close());
  return store;
};

/** Removes the lock, as if the process had been killed; the files stay. */
export const abandon = (dir: string, to = newDir()): string => {
  cpSync(dir, to, { recursive: true, filter: (from) => path.basename(from) !== "lock.json" });
  return to;
};

/** The error of a refused opening. */
export const refusal = async (dir: string, more: Partial<StoreOptions> = {}): Promise<StoreFailure> => {
  try {
    await open(dir, more);
  } catch (error) {
    if (error instanceof StoreFailure) return error;
    throw error;
  }
  throw new Error("The store opened, though it should have refused to.");
};

/** The sorted names in a directory, without the lock. */
export const names = (dir: string): string[] =>
  readdirSync(dir)
    .filter((name) => name !== "lock.json")
    .sort();

/** All files of a directory by name, their bytes in hex. */
export const filesOf = (dir: string): Record<string, string> =>
  Object.fromEntries(names(dir).map((name) => [name, readFileSync(path.join(dir, name)).toString("hex")]));

/** Runs something at each turn of the event loop until the work is done. @returns the number of turns. */
export const between = async (
  work: Promise<unknown>,
  each: (turn: number) => void = () => undefined,
): Promise<number> => {
  let turns = 0;
  let isDone = false;
  const tick = (): void => {
    if (isDone) return;
    each(turns++);
    setImmediate(tick);
  };
  tick();
  await work.finally(() => {
    isDone = true;
  });
  return turns;
};
