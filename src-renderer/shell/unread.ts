/**
 * Passcodes that came while nobody looked: the tab was hidden, or another screen was shown.
 */
import { useEffect, useSyncExternalStore } from "react";

let unread: ReadonlySet<string> = new Set();
let shown: { readonly inbox: boolean; readonly app: string | null } = { inbox: false, app: null };
const listeners = new Set<() => void>();
const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};
const change = (ids: ReadonlySet<string>): void => {
  unread = ids;
  for (const listener of listeners) listener();
};
const isLookedAt = (): boolean => shown.inbox && !document.hidden;
const look = (): void => {
  if (isLookedAt() && unread.size > 0) change(new Set());
};

/** A passcode has come; of an app that is not shown it does not count. */
export const countUnread = ({ id, appId }: { readonly id: string; readonly appId: string }): void => {
  if (isLookedAt() || unread.has(id) || (shown.app !== null && shown.app !== appId)) return;
  change(new Set(unread).add(id));
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
  const count = useSyncExternalStore(subscribe, () => unread.size);
  useEffect(() => {
    document.title = `${count > 0 ? `(${count}) ` : ""}${title} – Stagedoor`;
  }, [title, count]);
  useEffect(() => showBadge(count), [count]);
};
