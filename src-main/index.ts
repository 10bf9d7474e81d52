/** The desktop shell: a window for the console of the server of `npm start`, or of its own, which exits with it. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { app, type BrowserWindow, dialog, Menu } from "electron";
import { createCodeDesk } from "./code-desk.ts";
import { fixtureFiles, importFiles } from "./control.ts";
import { linkedPage } from "./links.ts";
import { type Desk, menuTemplate } from "./menu.ts";
import { type CommandProcess, fork, givenConsoleUrl } from "./server-process.ts";
import { offer, waysOut } from "./ways-out.ts";
import { openWindow, visit } from "./window.ts";

const given = givenConsoleUrl(process.argv);
let consoleUrl = given;
let window: BrowserWindow | undefined;
let ownServer: CommandProcess | undefined;
let page = linkedPage(process.argv);
const toImport = fixtureFiles(process.argv, process.cwd());
const say = (error: unknown) =>
  dialog.showErrorBox("Stagedoor", error instanceof Error ? error.message : String(error));
const raise = (): void => {
  if (consoleUrl === undefined) return;
  if (window === undefined || window.isDestroyed()) window = openWindow(consoleUrl);
  if (window.isMinimized()) window.restore();
  window.focus();
};
const codes = createCodeDesk(raise, () => setMenu());
const show = (url: string): void => {
  const old = window;
  if (url !== consoleUrl) window = undefined;
  consoleUrl = url;
  open();
  if (old !== window) old?.destroy(); // Only now, because the shell quits when its last window closes.
};
const OPEN_MINI = 'void open("/mini", "stagedoor-mini", "popup,width=380,height=230")';

const start = async (...options: string[]): Promise<void> => {
  const mine = fork("start", "--headless", "--json", ...options);
  ownServer = mine;
  const url = await mine.consoleUrl;
  if (url !== undefined) show(url);
  const end = await mine.ended;
  // Otherwise the shell stopped it. With status 0, `stagedoor stop` or a signal did.
  if (ownServer !== mine) return;
  ownServer = undefined;
  if (url === undefined) await offer("Stagedoor could not start", end, waysOut(end, start, show));
  else if (end.status === 0) app.quit();
  else await offer("The Stagedoor server has ended", end, [["Restart", () => start(...options)]]);
};
const stop = async (): Promise<void> => {
  const old = ownServer;
  ownServer = undefined;
  await old?.stop();
};

const desk: Desk = {
  click: (deed) => () => {
    raise();
    if (consoleUrl !== undefined) Promise.resolve(consoleUrl).then(deed).catch(say);
  },
  go: (page) => desk.click((url) => window && visit(window, new URL(page.toLowerCase(), url).href)),
  mini: () => window?.webContents.executeJavaScript(OPEN_MINI, true),
  choose: (change) => {
    try {
      codes.choose(change);
    } catch (error) {
      say(error);
    }
  },
  restart: given === undefined ? () => stop().then(() => start()) : undefined,
};

const setMenu = (): void =>
  Menu.setApplicationMenu(Menu.buildFromTemplate(menuTemplate(process.platform, desk, codes.choices())));

/** Raises the window, shows the page of a link, and asks how to import the files, once there is a console. */
const open = (...files: string[]): void => {
  toImport.push(...files);
  desk.click((url) => {
    codes.follow(url);
    const wanted = page;
    page = undefined;
    if (wanted !== undefined && window !== undefined) visit(window, new URL(wanted, url).href);
    return importFiles(url, toImport.splice(0));
  })();
};

const run = async (): Promise<void> => {
  await app.whenReady();
  codes.start();
  setMenu();
  await (given === undefined ? start() : open());
};

// Electron's default is the server's data folder on two systems. It holds the lock: one instance for each server.
const folder = join(app.getPath("appData"), "Stagedoor Window", given === undefined ? "" : new URL(given).port);
mkdirSync(folder, { recursive: true });
app.setPath("userData", folder);
// As in tools/config/electron-builder.config.ts; required for notifications on Windows.
app.setAppUserModelId("dev.stagedoor.desktop");
app.enableSandbox();
// The installers of macOS and Linux register our links; on Windows the app does.
if (app.isPackaged && process.platform === "win32") app.setAsDefaultProtocolClient("stagedoor");
app.on("second-instance", (_event, argv, folder) => {
  page = linkedPage(argv);
  open(...fixtureFiles(argv, folder));
});
app.on("open-url", (event, url) => {
  event.preventDefault();
  page = linkedPage([url]);
  open();
});
app.on("open-file", (event, file) => {
  event.preventDefault();
  open(file);
});
app.on("activate", raise);
app.on("browser-window-focus", () => void codes.look());
app.on("window-all-closed", () => {
  if (given !== undefined || process.platform !== "darwin") void codes.closed(() => app.quit());
});
app.on("will-quit", codes.end);
app.on("before-quit", (event) => {
  if (ownServer === undefined) return;
  event.preventDefault();
  stop().then(() => app.quit(), say);
});
if (app.requestSingleInstanceLock()) run().catch(say);
else app.quit();
