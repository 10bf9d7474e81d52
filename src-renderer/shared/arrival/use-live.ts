/** Announces new codes: to screen readers, in the tab title, and as desktop notifications if turned on. */
import { useDocumentTitle, useThrottledValue } from "@mantine/hooks";
import { useEffect, useState } from "react";
import { navigate } from "wouter/use-browser-location";
import { create } from "zustand";
import type { Passcode } from "#client/index.ts";
import { groups } from "#contract/words/code-words.ts";
import { recipientText } from "#contract/words/phone-words.ts";
import { cache } from "../../api/cache.ts";
import { watchPasscodes } from "../../api/live.ts";
import { profileQuery } from "../../api/queries.ts";
import { type Connection, followEvents, watchWhileHidden } from "../../api/stream.ts";
import { announce } from "../../ui/action.tsx";
import { IS_DESKTOP } from "../../ui/host.ts";
import { useSettings } from "../../ui/settings.ts";

/** Minimum interval between notifications in milliseconds, because a test run can cause hundreds. */
const PAUSE_MS = 2_000;

/** `refused`: by the browser, or by the user when it asked. `desktop`: the desktop app notifies, also without a page. */
export type NotifyState = "on" | "off" | "refused" | "none" | "desktop";

const notifyState = (): NotifyState => {
  if (IS_DESKTOP) return "desktop";
  if (!("Notification" in window)) return "none";
  if (Notification.permission === "denied") return "refused";
  return useSettings.getState().notifications && Notification.permission === "granted" ? "on" : "off";
};

/** @returns the state, and a function that turns notifications on (the browser may ask) or off. */
export const useNotify = (): [NotifyState, (on: boolean) => Promise<void>] => {
  useSettings();
  return [
    notifyState(),
    async (notifications) => {
      if (notifications && "Notification" in window && Notification.permission === "default")
        await Notification.requestPermission();
      useSettings.setState({ notifications });
    },
  ];
};

const nameFor = ({ appId, userId, to }: Passcode): string =>
  cache.getQueryData(profileQuery(appId, userId).queryKey)?.name ?? recipientText(to);

let waiting: Passcode[] = [];
let timer: ReturnType<typeof setTimeout> | undefined;

const show = (): void => {
  const newest = waiting.at(-1);
  const count = waiting.length;
  waiting = [];
  timer = undefined;
  if (newest === undefined || notifyState() !== "on") return;
  const code = groups(newest.code).join(" ");
  const notification = new Notification(count === 1 ? code : `${count} new codes, the last one ${code}`, {
    body: `for ${nameFor(newest)}`,
    // If two tabs receive it, it is shown once.
    tag: newest.id,
  });
  notification.onclick = () => {
    window.focus();
    navigate(`/codes/${newest.id}`);
    notification.close();
  };
  timer = setTimeout(show, PAUSE_MS);
};

/** Shows a notification unless the page is visible; passcodes in quick succession share one. */
const notify = (passcodes: readonly Passcode[]): void => {
  // Querying the permission is slow, and in a burst it would happen for each code.
  if (!useSettings.getState().notifications || notifyState() !== "on") return;
  if (!document.hidden && document.hasFocus()) return;
  waiting.push(...passcodes);
  if (timer === undefined) show();
};

/** Minimum interval between updates of title and badge, in milliseconds. */
const TITLE_PAUSE_MS = 250;

const useUnread = create<ReadonlySet<string>>(() => new Set());
let shown: { readonly inbox: boolean; readonly app: string | null } = { inbox: false, app: null };

const isLookedAt = (): boolean => shown.inbox && !document.hidden;
const look = (): void => {
  if (isLookedAt() && useUnread.getState().size > 0) useUnread.setState(new Set(), true);
};

const countUnread = (passcodes: readonly Passcode[]): void => {
  if (isLookedAt()) return;
  const ours = passcodes.filter(({ appId }) => shown.app === null || shown.app === appId);
  useUnread.setState((ids) => new Set([...ids, ...ours.map(({ id }) => id)]), true);
};

const showBadge = (count: number): void => {
  if (!("setAppBadge" in navigator)) return;
  // Not every system has badges.
  void (count > 0 ? navigator.setAppBadge(count) : navigator.clearAppBadge()).catch(() => {});
};

/** Sets the title and the unread count of the tab, and the badge of the dock icon. */
export const useTitle = (title: string, inbox: boolean, app: string | null): void => {
  useEffect(() => {
    shown = { inbox, app };
    look();
    document.addEventListener("visibilitychange", look);
    return () => document.removeEventListener("visibilitychange", look);
  }, [inbox, app]);
  const count = useThrottledValue(useUnread().size, TITLE_PAUSE_MS);
  useDocumentTitle(`${count > 0 ? `(${count}) ` : ""}${title} – Stagedoor`);
  useEffect(() => showBadge(count), [count]);
};

const tellOf = (passcodes: readonly Passcode[]): void => {
  const newest = passcodes.at(-1);
  if (newest === undefined) return;
  announce(`New code for ${nameFor(newest)}: ${groups(newest.code).join(" ")}`);
  countUnread(passcodes);
  notify(passcodes);
};

const tellOfWrong = (passcodes: readonly Passcode[]): void => {
  const newest = passcodes.at(-1);
  if (newest === undefined) return;
  const { tried, attempts, status } = newest;
  const typed = groups(tried.at(-1) ?? "").join(" ");
  announce(
    `Wrong code for ${nameFor(newest)}: ${typed}, attempt ${attempts}${status === "exhausted" ? ", locked" : ""}`,
  );
};

/**
 * Keeps the page up to date with the server's events. @param hidden also with those of hidden apps.
 * @returns the state of the connection.
 */
export const useLive = (hidden = false): Connection => {
  const [connection, setConnection] = useState<Connection>("connecting");
  useEffect(() => {
    watchPasscodes(tellOf, tellOfWrong);
    const endWatch = watchWhileHidden(countUnread);
    const endEvents = followEvents({ hidden, onConnection: setConnection, staysOpen: () => notifyState() === "on" });
    return () => {
      endWatch();
      endEvents();
    };
  }, [hidden]);
  return connection;
};
