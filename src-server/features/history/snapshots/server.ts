/** The control API: named snapshots. */
import { BOUNDS } from "#contract/bounds.ts";
import { snapshotName } from "#contract/control/snapshots.ts";
import { epochMs, isoInstant } from "#contract/scalars.ts";
import { invalid, problem } from "#contract/service/problems.ts";
import type { Outcome } from "#domain/store.ts";
import type { Setup } from "#features/kernel.ts";
import { appNamed, appOfQuery, done, made, notFound, ok, settled } from "#http/lookups/select.ts";

export const setup: Setup<"snapshots"> = ({ store: { snapshots }, env: { realNow } }) => {
  /** @returns the value of a store call. @throws Refusal; for an unknown snapshot it lists the existing ones. */
  const found = <T>(outcome: Outcome<T>, name: string, appId: string | null): T => {
    if (outcome.ok || outcome.problem.code !== "unknown_record") return settled(outcome);
    const names = new Set([...snapshots.list(appId), ...snapshots.list(null)].map((saved) => saved.name));
    throw names.has(name)
      ? notFound("app", appId ?? "", undefined, ` in the snapshot "${name}"`)
      : notFound("snapshot", name, [...names]);
  };
  return {
    listSnapshots: ({ world, query: { appId = null } }) => {
      appOfQuery(world, appId === null ? {} : { appId });
      const items = [...snapshots.list(appId)];
      return ok({ items, total: items.length });
    },
    saveSnapshot: ({ world, params, query: { appId = null }, holder }) => {
      const name = snapshotName.safeParse(params["name"]);
      if (!name.success) return invalid({ name: [name.error.issues[0]?.message ?? "has the wrong form"] });
      if (appId !== null) appNamed(world, appId);
      const own = snapshots.list(appId);
      const isNew = !own.some((saved) => saved.name === name.data);
      // Whoever joins must leave room for the others.
      if (holder !== undefined && isNew && own.length >= BOUNDS.boundSnapshots.most)
        return problem("too_many_snapshots", { instruction: `There are ${own.length} of this app. Delete one first.` });
      const saved = settled(snapshots.save(name.data, appId, isoInstant(epochMs(realNow()))));
      return isNew ? made(saved) : ok(saved);
    },
    restoreSnapshot: async ({ cause, params: { name = "" }, query: { appId = null } }) => {
      const { saved, changes } = found(
        await snapshots.restore(name, appId, { ...cause, what: `Restored the snapshot ${name}` }),
        name,
        appId,
      );
      return ok({ ...saved, changes });
    },
    removeSnapshot: ({ params: { name = "" }, query: { appId = null } }) => {
      found(snapshots.remove(name, appId), name, appId);
      return done;
    },
  };
};
