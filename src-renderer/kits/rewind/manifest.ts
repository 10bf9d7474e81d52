/** Rewinding in the UI (CONTRACT 14): its event says nothing that the events of its changes do not say. */
import type { UiManifest } from "../manifest.ts";

/** @see the file */
export const manifest: UiManifest = {
  hear: ({ type }) => (type === "history" ? ["history"] : []),
  quick: ["timeline"],
  awaited: ["history"],
  besideData: ["rewind", "history"],
};
