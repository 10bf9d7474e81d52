/** The selected profiles as complete records, kept up to date, so that a deletion can be undone. */
import { useMutation } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import type { Profile } from "#client/index.ts";
import { type UsernameField, usernameField } from "#contract/strategies.ts";
import { many } from "#contract/words.ts";
import { cache } from "../../api/cache.ts";
import { emulator } from "../../api/emulator.ts";
import { keyOf, type ProfileList, readProfileRows, watchProfiles } from "../../api/profile-pages.ts";
import { profileQuery } from "../../api/queries.ts";
import { announce, complain, TextButton } from "../../ui/action.tsx";
import { keepUndo, Strip } from "../../ui/undo.tsx";

/** For more profiles, all connections of their apps are loaded instead of each profile's. */
const MOST_READ_SINGLY = 50;
const appIdsOf = (profiles: readonly Profile[]): string[] => [...new Set(profiles.map(({ appId }) => appId))];

const deleteProfiles = async (profiles: readonly Profile[]) => {
  const queries =
    profiles.length <= MOST_READ_SINGLY
      ? profiles.map(({ appId, userId }) => ({ appId, userId }))
      : appIdsOf(profiles).map((appId) => ({ appId }));
  const lists = await Promise.all(queries.map((query) => emulator.connections.list(query)));
  const names = new Set(profiles.map(keyOf));
  const connections = lists.flatMap(({ items }) => items).filter((one) => names.has(keyOf(one)));
  for (const appId of appIdsOf(profiles)) {
    const userIds = profiles.filter((profile) => profile.appId === appId).map(({ userId }) => userId);
    await emulator.profiles.deleteMany(appId, userIds);
  }
  return { profiles, connections };
};

// A merge also finds profiles by username, and would change whoever has since taken it.
const refuseTaken = async (profiles: readonly Profile[], field: UsernameField): Promise<void> => {
  for (const { appId, userId, [field]: username } of profiles) {
    if (username === null) continue;
    const { items } = await emulator.profiles.list({ appId, q: username });
    if (items.some((one) => one.userId !== userId && one[field]?.toLowerCase() === username.toLowerCase()))
      throw new Error(`Another profile has taken ${username} since. Nothing was restored.`);
  }
};

/** Restores deleted profiles with ids, test codes, times and connections. Sessions and passcodes are lost. */
const restoreProfiles = async ({ profiles, connections }: Awaited<ReturnType<typeof deleteProfiles>>) => {
  const apps = await Promise.all(
    appIdsOf(profiles).map(async (appId) => {
      const own = profiles.filter((one) => one.appId === appId);
      // Fails if the app is deleted: a merge would create it again.
      const app = await emulator.apps.get(appId);
      if (profiles.length <= MOST_READ_SINGLY) await refuseTaken(own, usernameField(app));
      return {
        appId,
        profiles: own.map(({ appId: _, ...profile }) => profile),
        connections: connections.filter((one) => one.appId === appId).map(({ appId: _, ...connection }) => connection),
      };
    }),
  );
  await emulator.state.import({ version: 1, apps });
};

/** @returns the current profiles, without deleted ones. */
const readAgain = async (profiles: readonly Profile[]): Promise<Profile[]> => {
  const read = ({ appId, userId }: Profile) => cache.fetchQuery({ ...profileQuery(appId, userId), staleTime: 0 });
  return (await Promise.all(profiles.map(read))).filter((profile) => profile !== null);
};

/** @returns a mutation that deletes profiles. `stale`: changes may have been missed since they were loaded. */
export const useDeletion = () =>
  useMutation({
    mutationFn: async ({ profiles, stale }: { readonly profiles: readonly Profile[]; readonly stale: boolean }) =>
      await deleteProfiles(stale ? await readAgain(profiles) : profiles),
    onSuccess: (deleted) => {
      const { length } = deleted.profiles;
      const { name = null, phone = null, email = null } = (length === 1 && deleted.profiles[0]) || {};
      const words = name ?? phone ?? email ?? many(length, "profile");
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

/** Maximum selection: deletion and restore are one request each. */
export const MOST_SELECTED = 10_000;

/** @returns the selection of the screen, and functions to change it. */
export const useSelection = () => {
  const [profiles, setProfiles] = useState<ReadonlyMap<string, Profile>>(new Map());
  const [reading, setReading] = useState<AbortController | null>(null);
  const stale = useRef(false);
  const anchor = useRef(0);

  useEffect(
    () =>
      watchProfiles((news) => {
        if (news === "unknown") stale.current = true;
        else
          setProfiles((before) => {
            const key = keyOf("put" in news ? news.put : news.removed);
            if (!before.has(key)) return before;
            const after = new Map(before);
            if ("put" in news) after.set(key, news.put);
            else after.delete(key);
            return after;
          });
      }),
    [],
  );

  const add = (list: ProfileList, from: number, to: number): void => {
    reading?.abort();
    const own = new AbortController();
    setReading(own);
    const last = Math.min(to, from + MOST_SELECTED);
    readProfileRows(list, from, last, own.signal)
      .then((rows) => {
        if (own.signal.aborted) return;
        setProfiles((before) => {
          const after = new Map(before);
          for (const row of rows) if (after.size < MOST_SELECTED) after.set(keyOf(row), row);
          return after;
        });
        announce(`${many(rows.length, "profile")} selected`);
      })
      .catch((error: unknown) => own.signal.aborted || complain(error))
      .finally(() => setReading((now) => (now === own ? null : now)));
  };

  const begin = (): void => {
    if (profiles.size === 0) stale.current = false;
  };
  return {
    profiles,
    /** Rows are being loaded for the selection. */
    reading: reading !== null,
    /** Whether changes may have been missed, so that the profiles must be loaded again before deletion. */
    isStale: () => stale.current,
    toggle: (profile: Profile, index: number) => {
      begin();
      anchor.current = index;
      const after = new Map(profiles);
      if (!after.delete(keyOf(profile)) && after.size < MOST_SELECTED) after.set(keyOf(profile), profile);
      setProfiles(after);
    },
    /** Selects from the last toggled row to this one. */
    extendTo: (list: ProfileList, index: number) => {
      begin();
      add(list, Math.min(anchor.current, index), Math.max(anchor.current, index) + 1);
    },
    /** Selects the whole list, up to `MOST_SELECTED`. */
    all: (list: ProfileList) => {
      begin();
      add(list, 0, MOST_SELECTED);
    },
    clear: () => {
      reading?.abort();
      setReading(null);
      stale.current = false;
      setProfiles(new Map());
    },
  };
};

/** @see useSelection */
export type Selection = ReturnType<typeof useSelection>;

interface SelectionStripProps {
  readonly selection: Selection;
  readonly total: number;
  readonly deleting: boolean;
  readonly onAll: () => void;
  readonly onDelete: () => void;
}

/** The size of the selection, and actions for it. */
export const SelectionStrip = ({ selection, total, deleting, onAll, onDelete }: SelectionStripProps) => {
  const { profiles, reading, clear } = selection;
  if (profiles.size === 0 && !reading) return null;
  const [count, all, most] = [profiles.size, total, MOST_SELECTED].map((n) => n.toLocaleString("en"));
  return (
    <Strip
      label="Selection"
      words={
        <span aria-live="polite">
          <strong>{reading ? "Selecting…" : `${count} of ${all} selected`}</strong>
          {profiles.size >= MOST_SELECTED && total > MOST_SELECTED && ", the maximum"}
        </span>
      }
    >
      {profiles.size < Math.min(total, MOST_SELECTED) && !reading && (
        <TextButton
          quiet
          onClick={onAll}
          label={total > MOST_SELECTED ? `Select the first ${most}` : `Select all ${all}`}
        />
      )}
      <TextButton
        disabled={reading}
        loading={deleting}
        color="red"
        keys="#"
        onClick={onDelete}
        label={`Delete ${count}`}
      />
      <TextButton quiet onClick={clear} label={reading ? "Cancel" : "Clear"} />
    </Strip>
  );
};
