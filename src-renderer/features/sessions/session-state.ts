import type { Session } from "../../api/records.ts";

/** @returns the state at a time: the server computed it when it answered, and an active session may have expired since. */
export const stateAt = ({ state, expiresAt }: Session, nowMs: number): Session["state"] =>
  state === "active" && Date.parse(expiresAt) <= nowMs ? "expired" : state;

/** The filters of the list. */
export const FILTERS = [
  [null, "All"],
  ["active", "Active"],
  ["ended", "Ended"],
] as const;

/** @returns whether the filter lets a session through. */
export const passes = (session: Session, show: string | null, nowMs: number): boolean =>
  show === null || (stateAt(session, nowMs) === "active") === (show === "active");
