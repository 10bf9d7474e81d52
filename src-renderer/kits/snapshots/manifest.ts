/** Snapshots in the UI (CONTRACT 6). */
import type { UiManifest } from "../manifest.ts";

/** @see the file */
export const manifest: UiManifest = {
  hear: ({ type }) => (type.startsWith("snapshot.") ? ["snapshots"] : []),
  slow: ["snapshot-diff"],
};
