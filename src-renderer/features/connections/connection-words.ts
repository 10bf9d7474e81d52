/**
 * What there is to say of a connection.
 */
import type { Connection, Profile } from "../../api/records.ts";

/** The filters of the list. */
export const FILTERS = [
  [null, "All"],
  ["connected", "Connected"],
  ["disabled", "Disabled"],
] as const;

/** @returns whether the filter lets a connection through. */
export const passes = ({ status }: Connection, show: string | null): boolean =>
  show === "connected" || show === "disabled" ? status === show : true;

/** @returns the status in words. @param profile null: it is gone; a deletion disables what the service manages. */
export const statusWords = ({ status, managed }: Connection, profile: Profile | null | undefined): string => {
  if (status === "connected") return "Connected";
  return profile === null && managed ? "Disabled when its profile was deleted" : "Disabled";
};

/** @returns who takes care of a connection. */
export const managedWords = ({ managed }: Connection): string => (managed ? "managed" : "not managed");

/** @returns what a connection is called; a fixture may leave its name empty. */
export const titleOf = ({ name }: Connection): string => (name.trim() === "" ? "No name" : name);
