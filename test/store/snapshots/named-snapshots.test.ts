/** Named snapshots compared with plain copies of the state: whatever happens in between, a restore equals the copy. */
import { setImmediate as nextTurn } from "node:timers/promises";
import fc from "fast-check";
import { expect, test } from "vitest";
import { Changes } from "#domain/decision.ts";
import type { Store } from "#domain/store.ts";
import type { World } from "#domain/world.ts";
import { hastyFiles } from "#test/store/faulty-files.ts";
import { checkLookUps } from "#test/store/look-ups.ts";
import { AT, contents, profile, uuid } from "#test/store/records.ts";
import { collect, isTaken, type Step, step } from "#test/store/steps.ts";
import { abandon, newDir, open } from "#test/store/support.ts";
import { runs } from "#test/support/runs.ts";

type Doing =
  | { readonly do: "change"; readonly step: Step }
  | { readonly do: "save" | "forget" | "restore"; readonly name: string; readonly app: string | null }
  /** Many profiles at once: added, or every second one removed. */
  | { readonly do: "crowd" | "thin"; readonly app: string }
  /** Yields, so that pending writes progress or finish. */
  | { readonly do: "wait"; readonly turns: number }
  | { readonly do: "restart" };

const name = fc.constantFrom("x", "y");
const of = fc.constantFrom(null, null, "a");
const doing: fc.Arbitrary<Doing> = fc.oneof(
  { weight: 12, arbitrary: fc.record({ do: fc.constant("change" as const), step }) },
  {
    weight: 6,
    arbitrary: fc.record({ do: fc.constantFrom("save", "forget", "restore", "restore" as const), name, app: of }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constant("wait" as const), turns: fc.nat(20) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom("crowd", "thin" as const), app: fc.constant("a") }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("restart" as const) }) },
);

const CROWD = Array.from({ length: 40 }, (_, i) => 500 + i);
const crowd = (appId: string, thin: boolean) => (world: World) => {
  const changes = new Changes(world);
  const known = world.app(appId);
  if (known === undefined) return changes.decided(null);
  if (thin) changes.remove("profiles", appId, CROWD.filter((n) => n % 2 === 0).map(uuid));
  else
    for (const n of CROWD) {
      const before = known.find("profiles", uuid(n));
      const own = { phone: `+1${n}`, email: `user${n}@example.com` };
      if (isTaken(known, n, own)) continue;
      changes.put(
        "profiles",
        appId,
        before === undefined ? profile(changes.seq, n, own) : { ...before, name: "again" },
      );
    }
  return changes.decided(null);
};

/** The state without its number, or one app of it. */
const copy = (world: World, appId: string | null): unknown => {
  const { clock, apps } = contents(world) as { clock: unknown; apps: { app: { appId: string } }[] };
  return appId === null ? { clock, apps } : apps.find(({ app }) => app.appId === appId);
};

/** What a snapshot of this name would restore. */
class Copies {
  readonly #copies = new Map<string, unknown>();
  readonly #key = (name: string, appId: string | null): string => `${name} ${appId ?? ""}`;

  save(world: World, name: string, appId: string | null): void {
    this.#copies.set(this.#key(name, appId), copy(world, appId));
  }

  /** The saved snapshots, each as name and app. */
  names(): string[] {
    return [...this.#copies.keys()].sort();
  }

  forget(name: string, appId: string | null): boolean {
    return this.#copies.delete(this.#key(name, appId));
  }

  /** Removing an app removes its snapshots. */
  settle(world: World): void {
    for (const key of this.#copies.keys()) {
      const [, appId = ""] = key.split(" ");
      if (appId !== "" && world.app(appId) === undefined) this.#copies.delete(key);
    }
  }

  find(name: string, appId: string | null): unknown {
    const own = this.#copies.get(this.#key(name, appId));
    if (own !== undefined || appId === null) return own;
    const all = this.#copies.get(this.#key(name, null)) as { apps: { app: { appId: string } }[] } | undefined;
    return all?.apps.find(({ app }) => app.appId === appId);
  }
}

const listed = (store: Store): string[] => {
  const all = [null, ...store.world.apps.map(({ app }) => app.appId)].flatMap((appId) => store.snapshots.list(appId));
  expect(all.map(({ stored }) => stored)).toEqual(all.map(() => true));
  return all.map(({ name, appId }) => `${name} ${appId ?? ""}`).sort();
};

const perform = async (store: Store, copies: Copies, what: Exclude<Doing, { do: "restart" }>): Promise<void> => {
  switch (what.do) {
    case "change": {
      const rule = (world: World) => {
        const changes = new Changes(world);
        collect(world, what.step, changes);
        return changes.decided(null);
      };
      expect(store.transact(rule).ok).toBe(true);
      break;
    }
    case "crowd":
    case "thin":
      expect(store.transact(crowd(what.app, what.do === "thin")).ok).toBe(true);
      break;
    case "wait":
      for (let turn = 0; turn < what.turns; turn += 1) await nextTurn();
      break;
    case "save":
      if (what.app !== null && store.world.app(what.app) === undefined) break;
      expect(store.snapshots.save(what.name, what.app, AT)).toMatchObject({ ok: true, value: { stored: false } });
      copies.save(store.world, what.name, what.app);
      break;
    case "forget":
      expect(store.snapshots.remove(what.name, what.app).ok).toBe(copies.forget(what.name, what.app));
      break;
    case "restore": {
      const expected = copies.find(what.name, what.app);
      const restored = await store.snapshots.restore(what.name, what.app);
      if (!restored.ok && restored.problem.code === "secret_taken") break;
      expect(restored.ok).toBe(expected !== undefined);
      if (expected === undefined) break;
      expect(copy(store.world, what.app)).toEqual(expected);
      expect(await store.snapshots.restore(what.name, what.app)).toMatchObject({ value: { changes: 0 } });
      checkLookUps(store.world);
    }
  }
  copies.settle(store.world);
};

test.each([
  ["in memory", undefined, "memory" as const],
  ["from files", 0, "process" as const],
  ["some from files", 60, "process" as const],
])(
  "a restore returns the saved state, whatever happened in between, restarts and crashes included: %s",
  async (_, snapshotReferences, durability) => {
    await fc.assert(
      fc.asyncProperty(fc.array(doing, { minLength: 20, maxLength: 100 }), async (plan) => {
        const options = {
          files: hastyFiles,
          durability,
          ...(snapshotReferences === undefined ? {} : { snapshotReferences }),
        };
        let store = await open(newDir(), options);
        const copies = new Copies();
        await perform(store, copies, { do: "change", step: { do: "app", app: "a", n: 0, m: 0 } });
        for (const what of plan) {
          if (what.do !== "restart") await perform(store, copies, what);
          else if (durability !== "memory") {
            await store.close();
            store = await open(store.dataDir ?? "", options);
            expect(copies.names()).toEqual(listed(store));
          }
        }
        if (durability === "memory") return;
        const crashed = await open(abandon(store.dataDir ?? ""), options);
        expect(contents(crashed.world)).toEqual(contents(store.world));
        checkLookUps(crashed.world);
      }),
      { numRuns: runs(60) },
    );
  },
  180_000,
);
