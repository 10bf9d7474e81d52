/**
 * A process that holds a store, for tests that kill it, lock it out or fill its disk:
 * `hold DIR` · `load DIR` · `fill DIR` · `seed DIR`.
 */
import { emptied, opened, run, say } from "./driver-store.ts";
import { addNumbered, seedNumbered } from "./driver-world.ts";

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
  await store.writeDocument();
  const { ok } = emptied(store);
  const goesOn = store.transact(addNumbered(1));
  say({ ...full, emptied: ok, goesOn: goesOn.ok });
  process.kill(process.pid, "SIGKILL");
};

const commands: Readonly<Record<string, () => Promise<void>>> = { hold, load, fill, seed };
await run(commands);
