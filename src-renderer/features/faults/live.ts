/** Faults in the UI. */
import type { Hears } from "../../api/hears.ts";
import { faultList } from "./queries.ts";

/** @see the file */
export const faultsLive: Hears = {
  hear: (event) => {
    if (event.type === "fault.put") faultList.apply([{ put: event.item }]);
    if (event.type === "fault.remove") faultList.apply([{ removed: event.item.id }]);
    return [];
  },
  besideData: ["fault.put", "fault.remove"],
};
