/** Native notifications: a code that arrives while no window has the focus, and what a shortcut has to say. */
import { BrowserWindow, clipboard, Notification } from "electron";
import { fromLeft, type ShownCode } from "./newest-codes.ts";

/** Minimum interval between two notifications, in milliseconds: in between, codes are gathered. */
const PAUSE_MS = 2_000;
/** Referenced here, because Electron forgets the click on a garbage-collected notification. */
const open: Notification[] = [];
const MOST_OPEN = 20;

/** Shows a notification. @param copied the text that a click, or its action Copy, copies. */
export const notify = (title: string, body: string, copied?: string): void => {
  const actions = copied === undefined ? [] : [{ type: "button", text: "Copy" } as const];
  // The body must be ours: on Linux it is markup.
  const notification = new Notification({ title, body, actions });
  const copy = (): void => void (copied !== undefined && clipboard.writeText(copied));
  notification.on("click", copy);
  notification.on("action", copy);
  open.push(notification);
  if (open.length > MOST_OPEN) open.shift();
  notification.show();
};

/** @returns a function that announces codes; those in quick succession share a notification. */
export const announcer = (): ((count: number, last: ShownCode) => void) => {
  let count = 0;
  let newest: ShownCode | undefined;
  let timer: NodeJS.Timeout | undefined;
  const show = (): void => {
    timer = undefined;
    if (newest === undefined || BrowserWindow.getFocusedWindow() !== null) return;
    const { app, digits, user, code } = newest;
    const words = `${app}: ${digits} for ${user}`;
    notify(fromLeft(count === 1 ? words : `${count} new codes. ${words}`), "Click to copy the code.", code);
    count = 0;
    newest = undefined;
    timer = setTimeout(show, PAUSE_MS);
  };
  return (more, last) => {
    if (BrowserWindow.getFocusedWindow() !== null) return;
    count += more;
    newest = last;
    if (timer === undefined) show();
  };
};
