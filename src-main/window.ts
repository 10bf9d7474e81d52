import { BrowserWindow, type WebPreferences } from "electron";
import { lockContents, lockSession } from "./lockdown.ts";

/**
 * The page is sandboxed and knows nothing of Node or Electron: it is the same page as in a browser. Said outright, though
 * these are defaults, so that a change is seen; what weakens a page (webSecurity, experimental features) is never set.
 */
export const WEB_PREFERENCES: Readonly<WebPreferences> = Object.freeze({
  sandbox: true,
  contextIsolation: true,
  nodeIntegration: false,
  nodeIntegrationInWorker: false,
  nodeIntegrationInSubFrames: false,
  webviewTag: false,
});

/**
 * The only place that makes a window.
 * @param consoleUrl where the server's console listens
 * @returns the window; it shows itself once its page is painted. A page that cannot be loaded is retried every second.
 */
export const openWindow = (consoleUrl: string): BrowserWindow => {
  const window = new BrowserWindow({
    title: "Stagedoor",
    width: 1280,
    height: 800,
    minWidth: 720,
    minHeight: 480,
    show: false,
    webPreferences: { ...WEB_PREFERENCES },
  });
  const { origin } = new URL(consoleUrl);
  lockContents(window.webContents, origin);
  lockSession(window.webContents.session, origin);
  window.once("ready-to-show", () => window.show());
  const load = (): void => {
    if (window.isDestroyed()) return;
    // The rejection says no more than did-fail-load, which comes with it.
    window.loadURL(consoleUrl).catch(() => {});
  };
  window.webContents.on("did-fail-load", (_event, _code, _text, _url, isMainFrame) => {
    if (isMainFrame) setTimeout(load, 1000);
  });
  load();
  return window;
};
