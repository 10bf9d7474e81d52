import { join } from "node:path";
import { BrowserWindow, dialog } from "electron";
import { lockContents, lockSession } from "./lockdown.ts";

/** @returns the path of an icon, seen from the built shell: in the package as in a checkout. */
export const picture = (name: string): string => join(import.meta.dirname, "../../build", `${name}.png`);

/** Makes the window: it shows itself once painted, and loads a page that fails or crashes again. */
export const openWindow = (consoleUrl: string): BrowserWindow => {
  const { origin, port } = new URL(consoleUrl);
  const window = new BrowserWindow({
    title: "Stagedoor",
    icon: picture("icon"),
    // Electron keeps size, place and display of a window that has a name, and brings it back onto a display that is there.
    name: `console-${port}`,
    windowStatePersistence: true,
    ...{ width: 1280, height: 800, minWidth: 720, minHeight: 480, show: false },
    // The same page as in a browser. These are defaults, said so that a change is seen; nothing else is ever set.
    webPreferences: {
      ...{ sandbox: true, contextIsolation: true, webviewTag: false },
      ...{ nodeIntegration: false, nodeIntegrationInWorker: false, nodeIntegrationInSubFrames: false },
    },
  });
  const contents = window.webContents;
  lockContents(contents, origin);
  lockSession(contents.session, origin);
  window.once("ready-to-show", () => window.show());
  // The rejection says no more than did-fail-load, which comes with it.
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
