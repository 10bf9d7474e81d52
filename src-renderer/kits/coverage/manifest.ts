/** Login coverage in the UI (CONTRACT 15). */
import type { UiManifest } from "../manifest.ts";
import { noteFirstMet } from "./first-met.ts";

/** @see the file */
export const manifest: UiManifest = {
  screens: {
    coverage: { word: "Coverage", icon: "M2.5 3.5 4 5l2-2.5M8.5 4h5M2.5 8.5 4 10l2-2.5M8.5 9h5M8.5 13h5" },
  },
  hear: (event) => {
    if (event.type === "coverage.put") noteFirstMet({ ...event.item, appId: event.appId });
    return event.type === "coverage.put" || event.type === "request.put" ? ["coverage"] : [];
  },
  besideData: ["coverage.put"],
};
