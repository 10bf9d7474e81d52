/** Named snapshots in the control API. */
import { z } from "zod";
import { isoInstantText } from "../scalars.ts";
import { allCounts } from "../service/apps.ts";

/** Maximum number of snapshots. */
export const SNAPSHOT_LIMIT = 100;

/** The name of a snapshot. */
export const snapshotName = z
  .string()
  .regex(/^[A-Za-z0-9][\w.-]{0,63}$/, "must be letters, digits, dots, dashes and underscores, at most 64");

/** A snapshot, as stored and as shown in the control API. */
export const snapshotItem = z.object({
  name: z.string(),
  appId: z.string().nullable().describe("The app it belongs to; `null`: all apps."),
  seq: z.int().describe("The `seq` of its last change."),
  createdAt: isoInstantText.describe("In real time, because the service clock is part of the snapshot."),
  counts: allCounts,
  stored: z.boolean().describe("Whether it is on disk and survives a restart."),
});
export type SnapshotItem = Readonly<z.output<typeof snapshotItem>>;
