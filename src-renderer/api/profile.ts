import { useQuery } from "@tanstack/react-query";
import { profileQuery } from "./queries.ts";
import type { Profile } from "./records.ts";

/** @returns the profile of a row, read when the row is first seen: undefined while it is, null if there is none. */
export const useProfile = (appId: string, userId: string): Profile | null | undefined =>
  useQuery(profileQuery(appId, userId)).data;

/** @returns the name to show for a profile. */
export const nameOf = (profile: Profile | null | undefined): string =>
  profile === undefined ? "\u00a0" : (profile?.name ?? "No name");
