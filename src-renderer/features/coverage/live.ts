/** Login coverage in the UI. */
import type { Hears } from "../../api/hears.ts";
import { noteFirstMet } from "./first-met.ts";

/** @see the file */
export const coverageLive: Hears = {
  hear: (event) => {
    if (event.type === "coverage.put") noteFirstMet({ ...event.item, appId: event.appId });
    return event.type === "coverage.put" || event.type === "request.put" ? ["coverage"] : [];
  },
  besideData: ["coverage.put"],
};
