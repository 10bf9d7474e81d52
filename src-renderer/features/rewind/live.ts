/** Rewinding in the UI: its event says nothing that the events of its changes do not say. */
import type { Hears } from "../../api/hears.ts";

/** @see the file */
export const historyLive: Hears = {
  hear: ({ type }) => (type === "history" ? ["history"] : []),
  quick: ["timeline"],
  awaited: ["history"],
  besideData: ["rewind", "history"],
};
