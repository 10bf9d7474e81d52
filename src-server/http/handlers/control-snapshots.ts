/**
 * The control API: named snapshots (CONTRACT 6).
 */
import { invalid, problem } from "#contract/problems.ts";
import { snapshotName } from "#contract/snapshots.ts";
import { differences } from "#domain/differences.ts";
import type { Deps } from "../deps.ts";
import type { Handlers } from "../handler.ts";
import { showDiff } from "../snapshot-diff.ts";
import { showSnapshot } from "../snapshot-item.ts";

type SnapshotOperations = "listSnapshots" | "saveSnapshot" | "restoreSnapshot" | "diffSnapshot" | "removeSnapshot";

/** @returns the handlers of named snapshots. */
export const createControlSnapshotHandlers = ({
  store,
  realNow,
  monotonic,
}: Deps): Pick<Handlers<"console">, SnapshotOperations> => {
  const { snapshots } = store;
  return {
    listSnapshots: ({ query: { appId = null } }) => {
      const items = snapshots.list(appId).map(showSnapshot);
      return { status: 200, body: { items, total: items.length } };
    },
    saveSnapshot: ({ world, params, query: { appId = null } }) => {
      const name = snapshotName.safeParse(params.name);
      if (!name.success) return invalid({ name: [name.error.issues[0]?.message ?? "has the wrong form"] });
      if (appId !== null && world.app(appId) === undefined) return problem("unknown_record");
      const isNew = !snapshots.list(appId).some((saved) => saved.name === name.data);
      const saved = snapshots.save(world, name.data, appId, realNow());
      if ("problem" in saved) return saved;
      return isNew ? { status: 201, body: showSnapshot(saved) } : { status: 200, body: showSnapshot(saved) };
    },
    restoreSnapshot: async ({ params, query: { appId = null } }) => {
      const outcome = await store.restore(params.name ?? "", appId);
      if (!outcome.ok) return outcome;
      return { status: 200, body: { ...showSnapshot(outcome.value.saved), changes: outcome.value.changes } };
    },
    diffSnapshot: async ({ world, params, query: { appId = null, ...window }, env }) => {
      const held = snapshots.hold(world, params.name ?? "", appId);
      if (held === undefined) return problem("unknown_record");
      try {
        return { status: 200, json: await showDiff(differences(world, held.pasts, appId), window, env, monotonic) };
      } finally {
        held.release();
      }
    },
    removeSnapshot: ({ params, query: { appId = null } }) =>
      snapshots.remove(params.name ?? "", appId) ? { status: 204, body: null } : problem("unknown_record"),
  };
};
