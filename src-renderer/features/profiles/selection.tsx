/**
 * The selected profiles, kept whole as they were last heard of, so that a deletion can be taken back.
 */
import { Button, Kbd } from "@mantine/core";
import { useEffect, useRef, useState } from "react";
import type { Profile } from "#client/index.ts";
import { type ProfileList, readProfileRows, watchProfiles } from "../../api/profile-pages.ts";
import { announce } from "../../ui/announcer.tsx";
import { complain } from "../../ui/complain.ts";
import { Strip } from "../../ui/strip.tsx";
import { many } from "../../ui/words.ts";
import { keyOf } from "./profile-place.ts";

/** Most profiles that can be selected: deleting and putting back are one step each. */
export const MOST_SELECTED = 10_000;

/** What is selected, and what changes that. */
export interface Selection {
  readonly profiles: ReadonlyMap<string, Profile>;
  /** Rows are being read in order to be selected. */
  readonly reading: boolean;
  /** Whether changes may have been missed since: then the profiles are to be read again before they are deleted. */
  readonly isStale: () => boolean;
  readonly toggle: (profile: Profile, index: number) => void;
  /** Selects from the row last toggled to this one. */
  readonly extendTo: (list: ProfileList, index: number) => void;
  /** Selects all that the list has, up to `MOST_SELECTED`. */
  readonly all: (list: ProfileList) => void;
  readonly clear: () => void;
}

/** @returns the selection of the screen. */
export const useSelection = (): Selection => {
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

  return {
    profiles,
    reading: reading !== null,
    isStale: () => stale.current,
    toggle: (profile, index) => {
      anchor.current = index;
      const after = new Map(profiles);
      if (!after.delete(keyOf(profile)) && after.size < MOST_SELECTED) after.set(keyOf(profile), profile);
      if (profiles.size === 0) stale.current = false;
      setProfiles(after);
    },
    extendTo: (list, index) => {
      if (profiles.size === 0) stale.current = false;
      add(list, Math.min(anchor.current, index), Math.max(anchor.current, index) + 1);
    },
    all: (list) => {
      if (profiles.size === 0) stale.current = false;
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

interface SelectionStripProps {
  readonly selection: Selection;
  /** How many the list has. */
  readonly total: number;
  readonly deleting: boolean;
  readonly onAll: () => void;
  readonly onDelete: () => void;
}

/** How many are selected, and what can be done with them. */
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
        <Button variant="subtle" color="gray" c="dimmed" px={8} onClick={onAll}>
          {total > MOST_SELECTED ? `Select the first ${most}` : `Select all ${all}`}
        </Button>
      )}
      <Button disabled={reading} loading={deleting} color="red" rightSection={<Kbd>#</Kbd>} onClick={onDelete}>
        Delete {count}
      </Button>
      <Button variant="subtle" color="gray" c="dimmed" px={8} onClick={clear}>
        {reading ? "Cancel" : "Clear"}
      </Button>
    </Strip>
  );
};
