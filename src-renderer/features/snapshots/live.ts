/** Snapshots in the UI. */
import type { Hears } from "../../api/hears.ts";

/** @see the file */
export const snapshotsLive: Hears = {
  hear: ({ type }) => (type.startsWith("snapshot.") ? ["snapshots"] : []),
  slow: ["snapshot-diff"],
};
