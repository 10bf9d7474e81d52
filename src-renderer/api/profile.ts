import { useQuery } from "@tanstack/react-query";
import { profileQuery } from "./queries.ts";
import type { Profile } from "./records.ts";

/** @returns the profile of a row, read when the row is first seen: undefined while it is, null if there is none. */
export const useProfile = (appId: string, userId: string): Profile | null | undefined =>
  useQuery(profileQuery(appId, userId)).data;

const ID_SHOWN = 8;

/** @returns the name to show for a profile. @param userId its beginning stands there until the profile is read. */
export const nameOf = (profile: Profile | null | undefined, userId?: string): string => {
  if (profile !== undefined) return profile?.name ?? "No name";
  return userId === undefined ? "\u00a0" : `${userId.slice(0, ID_SHOWN)}…`;
};
