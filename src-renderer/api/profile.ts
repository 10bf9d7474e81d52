/**
 * Users and apps by their names.
 */
import { useQuery } from "@tanstack/react-query";
import type { App, Profile } from "#client/index.ts";
import { appsQuery, profileQuery } from "./queries.ts";

/** @returns the profile of a row, read when the row is first seen: undefined while it is, null if there is none. */
export const useProfile = (appId: string, userId: string): Profile | null | undefined =>
  useQuery(profileQuery(appId, userId)).data;

const ID_SHOWN = 8;

/** @returns a name as it is shown; a blank one is said to be. */
export const shownName = (name: string | null | undefined): string => (name?.trim() ? name : "(no name)");

/** @returns the name to show for a profile. @param userId its beginning stands there until the profile is read. */
export const nameOf = (profile: Profile | null | undefined, userId?: string): string => {
  if (profile !== undefined) return shownName(profile?.name);
  return userId === undefined ? "\u00a0" : `${userId.slice(0, ID_SHOWN)}…`;
};

/** @returns all apps, none until they are read, and what finds one of them. */
export const useApps = () => {
  const list = useQuery(appsQuery());
  const apps: readonly App[] = list.data?.items ?? [];
  const appOf = (appId: string | null): App | undefined => apps.find((app) => app.appId === appId);
  return { list, apps, appOf, appName: (appId: string): string => appOf(appId)?.name ?? appId };
};

/** @returns the name by which a user signs in; null: none. */
export const usernameOf = (
  app: App | undefined,
  profile: Pick<Profile, "phone" | "email"> | null | undefined,
): string | null => profile?.[app?.strategy ?? "phone"] ?? null;
