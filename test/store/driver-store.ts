/** What the commands of a driver share: its store, and what it says. */
import { writeSync } from "node:fs";
import { Changes } from "#domain/decision.ts";
import type { Store } from "#domain/store.ts";
import { StoreFailure } from "#store/failure.ts";
import { openStore } from "#store/store.ts";
import { plainBeginning } from "./driver-world.ts";

const [, , command = "", dir = ""] = process.argv;

/** Prints a line; synchronous, so that it is out before a kill. */
export const say = (line: object | number): void => void writeSync(1, `${JSON.stringify(line)}\n`);

/** Opens the store in the given folder. */
export const opened = async (): Promise<Store> => {
  try {
    return await openStore({
      dir,
      durability: "process",
      initial: () => Promise.resolve(plainBeginning),
      onNotice: (text) => void writeSync(2, `${text}\n`),
    });
  } catch (error) {
    if (!(error instanceof StoreFailure)) throw error;
    say({ refused: error.message });
    process.exit(error.exitStatus);
  }
};

/** Removes all profiles. */
export const emptied = (store: Store) =>
  store.transact((world) => {
    const changes = new Changes(world);
    changes.remove("profiles", "app", world.apps[0]?.profiles.map(({ userId }) => userId) ?? []);
    return changes.decided(null);
  });

/** Runs the command that the process was started with. */
export const run = (commands: Readonly<Record<string, () => Promise<void>>>): Promise<void> | undefined =>
  commands[command]?.();
