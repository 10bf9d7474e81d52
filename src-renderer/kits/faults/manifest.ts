/** Faults in the UI (CONTRACT 6). */
import type { UiManifest } from "../manifest.ts";
import { faultList } from "./queries.ts";

/** @see the file */
export const manifest: UiManifest = {
  screens: { faults: { word: "Faults", search: "Search faults", icon: "M9 1.5 3 9h4l-.5 5.5L13 7H8.5L9 1.5Z" } },
  hear: (event) => {
    if (event.type === "fault.put") faultList.apply([{ put: event.item }]);
    if (event.type === "fault.remove") faultList.apply([{ removed: event.item.id }]);
    return [];
  },
  besideData: ["fault.put", "fault.remove"],
};
