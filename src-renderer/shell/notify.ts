/**
 * Desktop notifications with the code: off until the visitor turns them on.
 */
import type { Passcode } from "#client/index.ts";
import { groups } from "../ui/code.tsx";
import { useSettings } from "../ui/settings.ts";

/** Between two notifications: a test run must not rain them. */
const PAUSE_MS = 2_000;

/** `refused`: by the browser, or by the visitor when it asked. */
export type NotifyState = "on" | "off" | "refused" | "none";

/** @returns whether passcodes are told of by the desktop. */
export const notifyState = (): NotifyState => {
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

/** Tells of passcodes, unless the page is being looked at; several within a moment are told of together. */
export const notify = (passcodes: readonly Passcode[], name: string, open: () => void): void => {
  // To ask the browser takes time, and in a burst it is asked for each code.
  if (!useSettings.getState().notifications || notifyState() !== "on") return;
  if (!document.hidden && document.hasFocus()) return;
  waiting.push(...passcodes.map((passcode) => ({ passcode, name, open })));
  if (timer === undefined) show();
};
