/** A process that rewinds a store, for tests that kill it: `rewind DIR`. */
import { rewindTo } from "#features/history/rewind/rewind.ts";
import { emptied, opened, run, say } from "#test/store/driver-store.ts";
import { SEEDED, seedNumbered } from "#test/store/driver-world.ts";

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
    if ((await store.transactInSteps(rewindTo(store.history, order, 0))).ok) say(count());
  }
};

await run({ rewind });
