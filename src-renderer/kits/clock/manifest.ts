/** The clock in the UI (CONTRACT 6). What the time is, is the frame's. */
import type { UiManifest } from "../manifest.ts";

/** @see the file */
export const manifest: UiManifest = {
  screens: { clock: { word: "Clock", icon: "M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12ZM8 4.5V8l2.5 1.5" } },
};
