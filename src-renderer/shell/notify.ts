/**
 * Desktop notifications with the code: off until the visitor turns them on.
 */
import { useSyncExternalStore } from "react";
import type { Passcode } from "../api/records.ts";
import { groups } from "../ui/code.tsx";

const SETTING = "stagedoor.notifications";
/** Between two notifications: a test run must not rain them. */
const PAUSE_MS = 2_000;

/** `refused`: by the browser, or by the visitor when it asked. */
export type NotifyState = "on" | "off" | "refused" | "none";

const listeners = new Set<() => void>();
const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** @returns whether passcodes are told of by the desktop. */
export const notifyState = (): NotifyState => {
  if (!("Notification" in window)) return "none";
  if (Notification.permission === "denied") return "refused";
  return localStorage.getItem(SETTING) === "on" && Notification.permission === "granted" ? "on" : "off";
};

/** @returns the state, and what turns it on (the browser may ask) and off. */
export const useNotify = (): [NotifyState, (on: boolean) => Promise<void>] => [
  useSyncExternalStore(subscribe, notifyState),
  async (on) => {
    localStorage.setItem(SETTING, on ? "on" : "off");
    if (on && Notification.permission === "default") await Notification.requestPermission();
    for (const listener of listeners) listener();
  },
];

interface News {
  readonly passcode: Passcode;
  readonly name: string;
  readonly open: () => void;
}

let waiting: News[] = [];
let timer: ReturnType<typeof setTimeout> | undefined;

const show = (): void => {
  const newest = waiting.at(-1);
  const count = waiting.length;
  waiting = [];
  timer = undefined;
  if (newest === undefined || notifyState() !== "on") return;
  const { passcode, name, open } = newest;
  const code = groups(passcode.code).join(" ");
  const notification = new Notification(count === 1 ? code : `${count} new codes, the last one ${code}`, {
    body: `for ${name}`,
    // Two tabs that both hear of it show it once.
    tag: passcode.id,
  });
  notification.onclick = () => {
    window.focus();
    open();
    notification.close();
  };
  timer = setTimeout(show, PAUSE_MS);
};

/** Tells of a passcode, unless the page is being looked at; several within a moment are told of together. */
export const notify = (news: News): void => {
  if (notifyState() !== "on" || (!document.hidden && document.hasFocus())) return;
  waiting.push(news);
  if (timer === undefined) show();
};
