/** What the page does with events beyond the records of the kernel. In the first view. */
import type { StagedoorEvent } from "#client/index.ts";
import { faultList } from "./faults.ts";

/** Queries over the data: they are reloaded after each change. */
export const QUICK_KEYS = ["timeline"] as const;
/** Queries that an action of the UI waits for: they are reloaded before it is over. */
export const ACTION_KEYS = ["history"] as const;

/** @returns whether an event changes no data, so that nothing else is reloaded. */
export const isBesideData = ({ type }: StagedoorEvent): boolean =>
  /^(request|failure|fault|coverage|signing-key|rewind|history|lan|client)(\.|$)/.test(type);

/** Takes an event. @returns the keys of the queries to reload. */
export const hear = (event: StagedoorEvent): readonly string[] => {
  const { type } = event;
  if (event.type === "fault.put") faultList.apply([{ put: event.item }]);
  if (event.type === "fault.remove") faultList.apply([{ removed: event.item.id }]);
  return [
    ...(type === "coverage.put" || type === "request.put" ? ["coverage"] : []),
    // The counts are of sessions, and which key is in use follows from the apps.
    ...(/^(session|app|signing-key)\.|^clock\.put$/.test(type) ? ["signing-keys"] : []),
    ...(type.startsWith("signing-key.") ? ["introspection"] : []),
    ...(type.startsWith("snapshot.") ? ["snapshots"] : []),
    ...(type === "history" ? ["history"] : []),
    ...(type === "lan.put" ? ["status", "lan", "tls", "reach"] : []),
    ...(type === "client.put" ? ["clients"] : []),
  ];
};
