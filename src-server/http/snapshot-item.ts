/**
 * A named snapshot as the control API shows it.
 */
import { epochMs, isoInstant } from "#contract/scalars.ts";
import type { SnapshotItem } from "#contract/snapshots.ts";
import type { SavedSnapshot } from "./ports.ts";

/** @param saved as the store keeps it. @returns the item of lists, answers and events (CONTRACT 6, snapshots). */
export const showSnapshot = ({ name, appId, seq, savedMs, counts }: SavedSnapshot): SnapshotItem => ({
  name,
  appId,
  seq,
  createdAt: isoInstant(epochMs(savedMs)),
  counts,
});
