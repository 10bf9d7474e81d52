/** The small state that the driver works on, and its rule. */
import { epochMs, isoInstant } from "#contract/scalars.ts";
import { inSteps, type Steps } from "#contract/steps.ts";
import { Changes, type Decision } from "#domain/decision.ts";
import type { World } from "#domain/world.ts";
import type { Beginning } from "#store/store.ts";

const AT = isoInstant(epochMs(1_763_650_000_000));

/** One app and nothing else. */
export const plainBeginning: Beginning = {
  key: { kid: "driver" },
  fixtures: [],
  *fill(world) {
    const changes = new Changes(world);
    yield undefined;
    const rest = { name: "0", secret: "secret", strategy: "phone", settings: {}, createdAt: AT } as const;
    changes.putApp({ appId: "app", seq: changes.seq, ...rest });
    return changes.decided(null);
  },
};

/** A rule that adds profile number `n`. */
export const addNumbered =
  (n: number) =>
  (world: World): Decision<null> => {
    const changes = new Changes(world);
    const text = { name: `Number ${n}`, phone: null, email: null, metadata: { text: "x".repeat(n % 300) } };
    const userId = `00000000-0000-4000-8000-${n.toString(16).padStart(12, "0")}`;
    changes.put("profiles", "app", { userId, seq: changes.seq, ...text, createdAt: AT, updatedAt: AT });
    return changes.decided(null);
  };

/** How many profiles `seedNumbered` adds. */
export const SEEDED = 5_000;

/** A long rule: names the app and each of its profiles after the round. */
export const seedNumbered = (round: number) =>
  function* (world: World): Steps<Decision<null>> {
    const changes = new Changes(world);
    const found = world.app("app");
    if (found === undefined) throw new Error("no app");
    changes.putApp({ ...found.app, name: String(round) });
    const numbers = Array.from({ length: SEEDED }, (_, i) => i + 1);
    yield* inSteps(numbers, (n) => {
      const userId = `00000000-0000-4000-8000-${n.toString(16).padStart(12, "0")}`;
      const seq = found.find("profiles", userId)?.seq ?? changes.seq;
      const text = { name: String(round), phone: null, email: null, metadata: { text: "x".repeat(n % 300) } };
      changes.put("profiles", "app", { userId, seq, ...text, createdAt: AT, updatedAt: AT });
    });
    return changes.decided(null);
  };
