/**
 * What the tests of the store share: directories, and stores opened with little said.
 */
import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach } from "vitest";
import { StoreFailure } from "#store/failure.ts";
import { openStore, type Store, type StoreOptions } from "#store/store.ts";
import { beginning, never } from "./records.ts";

const made: string[] = [];
const opened: Store[] = [];

afterEach(async () => {
  await Promise.all(opened.splice(0).map((store) => store.close()));
  for (const dir of made.splice(0)) rmSync(dir, { recursive: true, force: true });
});

/** A new directory that goes after the test. */
export const newDir = (): string => {
  const dir = realpathSync(mkdtempSync(path.join(tmpdir(), "stagedoor-store-")));
  made.push(dir);
  return dir;
};

/** Opens a store; it is closed after the test. */
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
  opened.push(store);
  return store;
};

/** Takes the lock away, as if the process had been killed: the files stay as they are. */
export const abandon = (dir: string, to = newDir()): string => {
  for (const name of readdirSync(dir)) if (name !== "lock.json") copy(path.join(dir, name), path.join(to, name));
  return to;
};

const copy = (from: string, to: string): void => writeFileSync(to, readFileSync(from));

/** What a refused opening throws. */
export const refusal = async (dir: string, more: Partial<StoreOptions> = {}): Promise<StoreFailure> => {
  try {
    await open(dir, more);
  } catch (error) {
    if (error instanceof StoreFailure) return error;
    throw error;
  }
  throw new Error("The store opened, though it should have refused to.");
};

/** The names in a directory, sorted, without the lock. */
export const names = (dir: string): string[] =>
  readdirSync(dir)
    .filter((name) => name !== "lock.json")
    .sort();

/** All files of a directory by name, with their bytes in hex. */
export const filesOf = (dir: string): Record<string, string> =>
  Object.fromEntries(names(dir).map((name) => [name, readFileSync(path.join(dir, name)).toString("hex")]));
