import { join } from "node:path";
import { BrowserWindow, dialog } from "electron";
import { lockContents, lockSession } from "./lockdown.ts";

/** @returns the path of an icon relative to the built shell, the same in the package and in a checkout. */
export const picture = (name: string): string => join(import.meta.dirname, "../../tools/icons", `${name}.png`);

/** Creates the window: it is shown once painted, and reloads a page that fails or crashes. */
export const openWindow = (consoleUrl: string): BrowserWindow => {
  const { origin, port } = new URL(consoleUrl);
  const window = new BrowserWindow({
    title: "Stagedoor",
    icon: picture("icon"),
    // For a named window, Electron restores size, position and display, if that display is still connected.
    name: `console-${port}`,
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
  lockSession(contents.session, origin);
  window.once("ready-to-show", () => window.show());
  // did-fail-load reports the same failure.
  const load = (): unknown => window.isDestroyed() || window.loadURL(consoleUrl).catch(() => {});
  const again = (): unknown => setTimeout(load, 1000);
  contents.on("did-fail-load", (_event, _code, _text, _url, isMainFrame) => isMainFrame && again());
  contents.on("render-process-gone", (_event, { reason }) => reason !== "clean-exit" && again());
  window.on("unresponsive", () => {
    const box = { message: "The page does not respond.", buttons: ["Reload", "Wait"], cancelId: 1 };
    if (dialog.showMessageBoxSync(window, box) === 0) contents.forcefullyCrashRenderer();
  });
  load();
  return window;
};

/** Shows another page of the console; not before the first has loaded, which gets its access. */
export const visit = (window: BrowserWindow, url: string): void => {
  // openWindow reloads pages that fail to load.
  const go = (): unknown => window.isDestroyed() || window.loadURL(url).catch(() => {});
  if (window.webContents.isLoadingMainFrame()) window.webContents.once("did-stop-loading", go);
  else go();
};
