/** The selected profiles, kept up to date. */
import { useMutation } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import type { Profile } from "#client/index.ts";
import { many } from "#contract/words/words.ts";
import { emulator } from "../../api/emulator.ts";
import { keyOf, type ProfileList, readProfileRows, watchProfiles } from "../../api/profile-pages.ts";
import { announce, complain, TextButton } from "../../ui/action.tsx";

/** Deletes profiles, of any apps, in one transaction. */
const deleteProfiles = async (profiles: readonly Profile[]): Promise<void> => {
  const apps = new Map<string, string[]>();
  for (const { appId, userId } of profiles) (apps.get(appId) ?? apps.set(appId, []).get(appId))?.push(userId);
  await emulator.profiles.deleteFrom([...apps].map(([appId, userIds]) => ({ appId, userIds })));
  const [{ name = null, phone = null, email = null } = {}, ...others] = profiles;
  announce(`Deleted ${(others.length > 0 ? null : (name ?? phone ?? email)) ?? many(profiles.length, "profile")}`);
};

/** @returns the action that deletes profiles. */
export const useDeletion = () => useMutation({ mutationFn: deleteProfiles, onError: complain });

/** Maximum selection: a deletion is one request. */
export const MOST_SELECTED = 10_000;

/** @returns the selection of the screen, and functions to change it. */
export const useSelection = () => {
  const [profiles, setProfiles] = useState<ReadonlyMap<string, Profile>>(new Map());
  const [reading, setReading] = useState<AbortController | null>(null);
  const anchor = useRef(0);

  useEffect(
    () =>
      watchProfiles((news) => {
        if (news !== "unknown")
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

  return {
    profiles,
    /** Rows are being loaded for the selection. */
    reading: reading !== null,
    toggle: (profile: Profile, index: number) => {
      anchor.current = index;
      const after = new Map(profiles);
      if (!after.delete(keyOf(profile)) && after.size < MOST_SELECTED) after.set(keyOf(profile), profile);
      setProfiles(after);
    },
    /** Selects from the last toggled row to this one. */
    extendTo: (list: ProfileList, index: number) => {
      add(list, Math.min(anchor.current, index), Math.max(anchor.current, index) + 1);
    },
    /** Selects the whole list, up to `MOST_SELECTED`. */
    all: (list: ProfileList) => {
      add(list, 0, MOST_SELECTED);
    },
    clear: () => {
      reading?.abort();
      setReading(null);
      setProfiles(new Map());
    },
  };
};

export type Selection = ReturnType<typeof useSelection>;

interface SelectionBarProps {
  readonly selection: Selection;
  readonly total: number;
  readonly deleting: boolean;
  readonly onDelete: () => void;
}

/** The size of the selection, and actions for it. */
export const SelectionBar = ({ selection, total, deleting, onDelete }: SelectionBarProps) => {
  const { profiles, reading, clear } = selection;
  const [count, all] = [profiles.size, total].map((n) => n.toLocaleString("en"));
  return (
    <>
      <strong aria-live="polite" className="cut">
        {reading ? "Selecting…" : `${count} of ${all} selected`}
        {profiles.size >= MOST_SELECTED && total > MOST_SELECTED && ", the maximum"}
      </strong>
      <TextButton
        disabled={reading}
        loading={deleting}
        c="var(--sd-bad-text)"
        keys="#"
        onClick={onDelete}
        label="Delete"
      />
      <TextButton onClick={clear} keys="Esc" label={reading ? "Cancel" : "Clear"} />
    </>
  );
};
