/**
 * Deleting users, which can be undone, and signing them in.
 */
import { useMutation } from "@tanstack/react-query";
import type { Profile } from "#client/index.ts";
import { cache } from "../../api/cache.ts";
import { deleteProfiles, restoreProfiles } from "../../api/profile-restore.ts";
import { profileQuery } from "../../api/queries.ts";
import { announce } from "../../ui/announcer.tsx";
import { complain } from "../../ui/complain.ts";
import { keepUndo } from "../../ui/undo.tsx";
import { many } from "../../ui/words.ts";

/** @returns profiles in words: the name of a single one, else how many. */
const profilesWords = (profiles: readonly Profile[]): string => {
  const [only] = profiles;
  const name = profiles.length === 1 ? (only?.name ?? only?.phone ?? only?.email) : null;
  return name ?? many(profiles.length, "profile");
};

/** @returns profiles as they are now; those that are gone already are left out. */
const readAgain = async (profiles: readonly Profile[]): Promise<Profile[]> => {
  const fresh: Profile[] = [];
  for (const { appId, userId } of profiles) {
    const profile = await cache.fetchQuery({ ...profileQuery(appId, userId), staleTime: 0 });
    if (profile !== null) fresh.push(profile);
  }
  return fresh;
};

/** @returns what deletes profiles. `stale`: changes may have been missed since they were read. */
export const useDeletion = () =>
  useMutation({
    mutationFn: async ({ profiles, stale }: { readonly profiles: readonly Profile[]; readonly stale: boolean }) =>
      await deleteProfiles(stale ? await readAgain(profiles) : profiles),
    onSuccess: (deleted) => {
      const words = profilesWords(deleted.profiles);
      announce(`Deleted ${words}`);
      keepUndo({
        label: "Last deletion",
        home: "profiles",
        words: (
          <>
            Deleted <bdi>{words}</bdi>.
          </>
        ),
        note: "Undo restores ids, fields, test codes and connections. Sessions and passcodes are lost.",
        back: async () => {
          await restoreProfiles(deleted);
          return `Restored ${words}`;
        },
      });
    },
    onError: complain,
  });
