/** What the page does with events beyond the records of the kernel: a row for each capability. In the first view. */
import { faultList } from "./faults.ts";
import type { Hears } from "./hears.ts";

/** @see the file */
export const HEARERS: readonly Hears[] = [
  {
    hear: (event) => {
      if (event.type === "fault.put") faultList.apply([{ put: event.item }]);
      if (event.type === "fault.remove") faultList.apply([{ removed: event.item.id }]);
      return [];
    },
    besideData: ["fault.put", "fault.remove"],
  },
  {
    hear: ({ type }) => (type === "coverage.put" || type === "request.put" ? ["coverage"] : []),
    besideData: ["coverage.put"],
  },
  {
    hear: ({ type }) => {
      // The counts are of sessions, and which key is in use follows from the apps.
      if (/^(session|app)\.|^clock\.put$/.test(type)) return ["signing-keys"];
      return type.startsWith("signing-key.") ? ["signing-keys", "introspection"] : [];
    },
    besideData: ["signing-key.put", "signing-key.remove"],
  },
  { hear: ({ type }) => (type.startsWith("snapshot.") ? ["snapshots"] : []) },
  // The event of a rewind says nothing that the events of its changes do not say.
  {
    hear: ({ type }) => (type === "history" ? ["history"] : []),
    quick: ["timeline"],
    awaited: ["history"],
    besideData: ["rewind", "history"],
  },
  {
    hear: ({ type }) =>
      type === "lan.put" ? ["status", "lan", "tls", "reach"] : type === "client.put" ? ["clients"] : [],
    besideData: ["lan.put", "client.put"],
  },
];
