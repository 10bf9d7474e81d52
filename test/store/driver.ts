/**
 * A process that holds a store, for tests that kill it, lock it out or fill its disk:
 * `hold DIR` · `load DIR` · `fill DIR` · `seed DIR` · `rewind DIR`.
 */
import { writeSync } from "node:fs";
import { Changes } from "#domain/decision.ts";
import { rewindTo } from "#domain/history/rewind.ts";
import type { Store } from "#domain/store.ts";
import { StoreFailure } from "#store/failure.ts";
import { openStore } from "#store/store.ts";
import { addNumbered, plainBeginning, SEEDED, seedNumbered } from "./driver-world.ts";

const [, , command = "", dir = ""] = process.argv;

/** Synchronous, so that it is out before a kill. */
const say = (line: object | number): void => void writeSync(1, `${JSON.stringify(line)}\n`);

const opened = async (): Promise<Store> => {
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
const emptied = (store: Store) =>
  store.transactBulk((world) => {
    const changes = new Changes(world);
    changes.remove("profiles", "app", world.apps[0]?.profiles.map(({ userId }) => userId) ?? []);
    return changes.decided(null);
  });

const hold = async (): Promise<void> => {
  const store = await opened();
  store.setConsoleUrl(`http://127.0.0.1:${process.pid % 60_000}`);
  say({ holds: process.pid });
  process.stdin.on("data", () => void store.close().then(() => process.exit(0)));
};

/** Writes as fast as it can while the document file is being written; prints each number once acknowledged. */
const load = async (): Promise<void> => {
  const store = await opened();
  let n = store.world.apps[0]?.profiles.length ?? 0;
  const write = (): void => {
    for (let i = 0; i < 5; i += 1) {
      n += 1;
      if (store.transact(addNumbered(n)).ok) say(n);
    }
    setImmediate(write);
  };
  write();
  for (;;) await store.writeDocument();
};

/** Imports many profiles, over and over, each time with another name; prints its number once acknowledged. */
const seed = async (): Promise<void> => {
  const store = await opened();
  for (let round = Number(store.world.app("app")?.app.name ?? 0) + 1; ; round += 1) {
    say({ begins: round });
    const outcome = await store.transactInSteps(seedNumbered(round));
    if (outcome.ok) say(round);
  }
};

/** Removes many profiles and rewinds that; prints how many there will be before each step, and once acknowledged. */
const rewind = async (): Promise<void> => {
  const store = await opened();
  const count = (): number => store.world.app("app")?.profiles.length ?? -1;
  if (count() === 0) await store.transactInSteps(seedNumbered(1));
  for (;;) {
    const order = { appId: "app", userId: undefined, turnsClock: false, to: store.world.seq };
    say({ next: 0 });
    if (emptied(store).ok) say(count());
    say({ next: SEEDED, rewinds: true });
    if ((await store.transactInSteps(rewindTo(store.timeline, order, 0))).ok) say(count());
  }
};

/** Writes until the disk is full, removes everything, and continues. */
const fill = async (): Promise<void> => {
  const store = await opened();
  let n = 0;
  let problem: unknown;
  while (problem === undefined && n < 100_000) {
    const outcome = store.transact(addNumbered(n + 1));
    if (outcome.ok) n += 1;
    else problem = outcome.problem.code;
  }
  const inMemory = store.world.apps[0]?.profiles.length;
  const full = { problem, many: n > 100, sameInMemory: inMemory === n };
  const { ok } = emptied(store);
  const goesOn = store.transact(addNumbered(1));
  say({ ...full, emptied: ok, goesOn: goesOn.ok });
  process.kill(process.pid, "SIGKILL");
};

const commands: Readonly<Record<string, () => Promise<void>>> = { hold, load, fill, seed, rewind };
await commands[command]?.();
