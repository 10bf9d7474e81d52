/**
 * Passcodes that came while nobody looked: the tab was hidden, or another screen was shown.
 */
import { useDocumentTitle, useThrottledValue } from "@mantine/hooks";
import { useEffect } from "react";
import { create } from "zustand";
import type { Passcode } from "#client/index.ts";

/** Between two changes of title and badge, in a burst. */
const PAUSE_MS = 250;

const useUnread = create<{ readonly ids: ReadonlySet<string> }>(() => ({ ids: new Set() }));
let shown: { readonly inbox: boolean; readonly app: string | null } = { inbox: false, app: null };

const isLookedAt = (): boolean => shown.inbox && !document.hidden;
const look = (): void => {
  if (isLookedAt() && useUnread.getState().ids.size > 0) useUnread.setState({ ids: new Set() });
};

/** Passcodes have come; those of an app that is not shown do not count. */
export const countUnread = (passcodes: readonly Passcode[]): void => {
  if (isLookedAt()) return;
  const ours = passcodes.filter(({ appId }) => shown.app === null || shown.app === appId);
  useUnread.setState(({ ids }) => ({ ids: new Set([...ids, ...ours.map(({ id }) => id)]) }));
};

const showBadge = (count: number): void => {
  if (!("setAppBadge" in navigator)) return;
  // Not every system has a place for it.
  void (count > 0 ? navigator.setAppBadge(count) : navigator.clearAppBadge()).catch(() => {});
};

/** Puts the title of the page and how many passcodes are unread into the tab, and the number on the dock. */
export const useTitle = (title: string, inbox: boolean, app: string | null): void => {
  useEffect(() => {
    shown = { inbox, app };
    look();
    document.addEventListener("visibilitychange", look);
    return () => document.removeEventListener("visibilitychange", look);
  }, [inbox, app]);
  const count = useThrottledValue(useUnread().ids.size, PAUSE_MS);
  useDocumentTitle(`${count > 0 ? `(${count}) ` : ""}${title} – Stagedoor`);
  useEffect(() => showBadge(count), [count]);
};
