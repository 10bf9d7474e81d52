/** The stage in the UI (CONTRACT 10). */
import type { UiManifest } from "../manifest.ts";

/** @see the file */
export const manifest: UiManifest = { screens: { stage: { word: "Stage", icon: "" } } };
