/** The console's window: it is shown once painted, and comes back to the page that was open. */
import { BrowserWindow, dialog, session } from "electron";
import { isOwn, lockContents, lockSession } from "./lockdown.ts";
import { picture } from "./picture.ts";
import { waitingPage } from "./waiting-page.ts";

/** Chromium's code of a page that was left while it loaded. */
const ABORTED = -3;
const AGAIN_MS = 1000;

/** The window of a console. */
export interface ConsoleWindow {
  readonly window: BrowserWindow;
  readonly origin: string;
  /** Resolves once the window is on the screen: a dialog that came before would be behind it. */
  readonly shown: Promise<void>;
  /** Opens a page of the console. @param path from its root */
  go(path: string): void;
  /** Opens the same page by another URL of the same console, which may have another access token. */
  enter(consoleUrl: string): void;
}

const responds = (origin: string): Promise<boolean> =>
  fetch(origin, { method: "HEAD" }).then(
    () => true,
    () => false,
  );

/** @returns a page with the access token of another URL of the console, if that has one. */
const withToken = (page: URL, other: string): string => {
  const token = new URL(other).searchParams.get("access_token");
  const url = new URL(page);
  if (token !== null) url.searchParams.set("access_token", token);
  return url.href;
};

/** Creates the window of a console, the only one of its origin. It reloads a page that fails or crashes. */
export const openWindow = (consoleUrl: string): ConsoleWindow => {
  const { origin, host } = new URL(consoleUrl);
  lockSession(session.defaultSession, origin);
  const window = new BrowserWindow({
    title: "Stagedoor",
    icon: picture("icon"),
    // For a named window, Electron restores size, position and display, if that display is still connected.
    name: `console-${host}`,
    windowStatePersistence: true,
    ...{ width: 1280, height: 800, minWidth: 720, minHeight: 480, show: false },
    // The page needs no more than in a browser. These are the defaults, stated so that a change is noticed.
    webPreferences: {
      ...{ sandbox: true, contextIsolation: true, webviewTag: false },
      ...{ nodeIntegration: false, nodeIntegrationInWorker: false, nodeIntegrationInSubFrames: false },
    },
  });
  const contents = window.webContents;
  lockContents(contents, origin);
  const shown = new Promise<void>((resolve) => window.once("ready-to-show", () => resolve(window.show())));

  /** The page that is open, or comes back. */
  let page = consoleUrl;
  let isWaiting = false;
  // did-fail-load reports the same failure.
  const load = (url: string): unknown => window.isDestroyed() || window.loadURL(url).catch(() => {});
  const keep = (url: string): void => {
    if (isOwn(url, origin)) page = url;
  };
  contents.on("did-navigate", (_event, url) => keep(url));
  contents.on("did-navigate-in-page", (_event, url, isMainFrame) => isMainFrame && keep(url));
  const untilItResponds = async (): Promise<void> => {
    while (!window.isDestroyed() && !(await responds(origin)))
      await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
    isWaiting = false;
    load(page);
  };
  contents.on("did-fail-load", (_event, code, _text, url, isMainFrame) => {
    if (!isMainFrame || code === ABORTED) return;
    keep(url);
    load(waitingPage(origin));
    if (!isWaiting) setTimeout(untilItResponds, AGAIN_MS);
    isWaiting = true;
  });
  contents.on("will-prevent-unload", (event) => {
    const message = "Leave this page? An import is running, or what was typed is not saved.";
    if (dialog.showMessageBoxSync(window, { message, buttons: ["Leave", "Stay"], defaultId: 1, cancelId: 1 }) === 0)
      event.preventDefault();
  });
  const reload = (): unknown => load(page);
  contents.on("render-process-gone", (_event, { reason }) => reason !== "clean-exit" && setTimeout(reload, AGAIN_MS));
  window.on("unresponsive", () => {
    const box = { message: "The page does not respond.", buttons: ["Reload", "Wait"], cancelId: 1 };
    if (dialog.showMessageBoxSync(window, box) === 0) contents.forcefullyCrashRenderer();
  });
  reload();
  return {
    window,
    origin,
    shown,
    // The server has not yet exchanged the token of a first page that still loads.
    go: (path) => void load(withToken(new URL(path, origin), page)),
    enter: (url) => void load(withToken(new URL(page), url)),
  };
};
