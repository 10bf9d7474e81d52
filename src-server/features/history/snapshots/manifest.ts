/** Named snapshots: saved and restored. The store keeps them. */
import { z } from "zod";
import { control, gone, listOf, answersOk as ok } from "#contract/control/rows.ts";
import { snapshotItem, snapshotName } from "#contract/control/snapshots.ts";
import { ofApp } from "#contract/service/apps.ts";

const restoreAnswer = z.object({
  ...snapshotItem.shape,
  changes: z.int().describe("The number of changes made."),
});

// biome-ignore format: the rows are a table
export const manifest = {
  routes: {
    listSnapshots: control("GET", "snapshots",
      "List snapshots of all apps or of one app, oldest first", listOf(snapshotItem), { query: ofApp, bound: "query" }),
    saveSnapshot: control("PUT", "snapshots/:name",
      "Save a snapshot; overwrites any snapshot with that name", { 200: snapshotItem, 201: snapshotItem },
      { query: ofApp, problems: ["too_many_snapshots"], bound: "query", heavy: "large" }),
    removeSnapshot: control("DELETE", "snapshots/:name", "Delete a snapshot", gone,
      { query: ofApp, bound: "query", isDrastic: true }),
    restoreSnapshot: control("POST", "snapshots/:name/restore",
      "Restore a snapshot, completely or for one app", ok(restoreAnswer),
      { query: ofApp, problems: ["secret_taken", "snapshot_unreadable"], bound: "query", heavy: "large" }),
  },
  schemas: { Snapshot: snapshotItem },
  types: {
    Snapshot: [snapshotItem, "A named snapshot."],
    Restored: [restoreAnswer, "The result of a restore."],
  },
  parameters: { name: { schema: snapshotName, description: "The name of the snapshot.", example: "before-login" } },
  tags: { snapshots: "Saved states to return to." },
} as const;
