/**
 * New codes as they come: read out, counted in the tab, and shown by the desktop where the visitor has turned that on.
 */
import { useDocumentTitle, useThrottledValue } from "@mantine/hooks";
import { useEffect, useState } from "react";
import { navigate } from "wouter/use-browser-location";
import { create } from "zustand";
import type { Passcode } from "#client/index.ts";
import { cache } from "../api/cache.ts";
import { watchNewPasscodes } from "../api/live.ts";
import { profileQuery } from "../api/queries.ts";
import { type Connection, followEvents, watchWhileHidden } from "../api/stream.ts";
import { announce } from "../ui/action.tsx";
import { groups } from "../ui/code.tsx";
import { useSettings } from "../ui/settings.ts";
import { recipientText } from "../ui/words.ts";

/** Between two notifications: a test run must not rain them. */
const PAUSE_MS = 2_000;

/** `refused`: by the browser, or by the visitor when it asked. */
export type NotifyState = "on" | "off" | "refused" | "none";

const notifyState = (): NotifyState => {
  if (!("Notification" in window)) return "none";
  if (Notification.permission === "denied") return "refused";
  return useSettings.getState().notifications && Notification.permission === "granted" ? "on" : "off";
};

/** @returns the state, and what turns it on (the browser may ask) and off. */
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

/** @returns how the user of a passcode is called. */
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
    // Two tabs that both hear of it show it once.
    tag: newest.id,
  });
  notification.onclick = () => {
    window.focus();
    navigate(`/inbox/${newest.id}`);
    notification.close();
  };
  timer = setTimeout(show, PAUSE_MS);
};

/** Tells of passcodes, unless the page is being looked at; several within a moment are told of together. */
const notify = (passcodes: readonly Passcode[]): void => {
  // To ask the browser takes time, and in a burst it is asked for each code.
  if (!useSettings.getState().notifications || notifyState() !== "on") return;
  if (!document.hidden && document.hasFocus()) return;
  waiting.push(...passcodes);
  if (timer === undefined) show();
};

/** Between two changes of title and badge, in a burst. */
const TITLE_PAUSE_MS = 250;

const useUnread = create<{ readonly ids: ReadonlySet<string> }>(() => ({ ids: new Set() }));
let shown: { readonly inbox: boolean; readonly app: string | null } = { inbox: false, app: null };

const isLookedAt = (): boolean => shown.inbox && !document.hidden;
const look = (): void => {
  if (isLookedAt() && useUnread.getState().ids.size > 0) useUnread.setState({ ids: new Set() });
};

/** Passcodes have come; those of an app that is not shown do not count. */
const countUnread = (passcodes: readonly Passcode[]): void => {
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
  const count = useThrottledValue(useUnread().ids.size, TITLE_PAUSE_MS);
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

/** Keeps the page current by the server's events. @returns how the connection is. */
export const useLive = (): Connection => {
  const [connection, setConnection] = useState<Connection>("connecting");
  useEffect(() => {
    watchNewPasscodes(tellOf);
    const endWatch = watchWhileHidden(countUnread);
    const endEvents = followEvents({ onConnection: setConnection, staysOpen: () => notifyState() === "on" });
    return () => {
      endWatch();
      endEvents();
    };
  }, []);
  return connection;
};
