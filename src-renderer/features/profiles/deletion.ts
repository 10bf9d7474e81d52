/**
 * The last deletion, so that it can be taken back, also after a look at another screen.
 */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useSyncExternalStore } from "react";
import { type Deleted, deleteProfiles, restoreProfiles } from "../../api/profile-actions.ts";
import { profileQuery } from "../../api/queries.ts";
import type { Profile } from "../../api/records.ts";
import { announce } from "../../ui/announcer.tsx";
import { complain } from "../../ui/complain.ts";

let last: Deleted | null = null;
const listeners = new Set<() => void>();
const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};
const setLast = (deleted: Deleted | null): void => {
  last = deleted;
  for (const listener of listeners) listener();
};

/** @returns profiles in words: the name of a single one, else how many. */
export const profilesWords = (profiles: readonly Profile[]): string => {
  const [only] = profiles;
  if (profiles.length === 1 && only !== undefined) return only.name ?? only.phone ?? only.email ?? "1 profile";
  return `${profiles.length.toLocaleString("en")} profiles`;
};

/** @returns the last deletion (null: none, or it was taken back), what deletes, what takes back, what forgets. */
export const useDeletion = () => {
  const client = useQueryClient();
  const deleted = useSyncExternalStore(subscribe, () => last);
  /** Profiles as they are now; those that are gone already are left out. */
  const readAgain = async (profiles: readonly Profile[]): Promise<Profile[]> => {
    const fresh: Profile[] = [];
    for (const { appId, userId } of profiles) {
      const profile = await client.fetchQuery({ ...profileQuery(appId, userId), staleTime: 0 });
      if (profile !== null) fresh.push(profile);
    }
    return fresh;
  };
  const remove = useMutation({
    mutationFn: async ({ profiles, stale }: { readonly profiles: readonly Profile[]; readonly stale: boolean }) =>
      await deleteProfiles(stale ? await readAgain(profiles) : profiles),
    onSuccess: (done) => {
      setLast(done);
      announce(`Deleted ${profilesWords(done.profiles)}`);
    },
    onError: complain,
  });
  const restore = useMutation({
    mutationFn: restoreProfiles,
    onSuccess: (_, back) => {
      if (last === back) setLast(null);
      announce(`${profilesWords(back.profiles)} put back`);
    },
    onError: complain,
  });
  return { deleted, remove, restore, forget: () => setLast(null) };
};
