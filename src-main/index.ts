/** The desktop shell: a window for the console of the server of `npm start`, or of its own, which exits with it. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { app, BrowserWindow, dialog, Menu } from "electron";
import { createCodeDesk } from "./code-desk.ts";
import { filesIn, openFiles } from "./files.ts";
import { linkedPage } from "./links.ts";
import { type Desk, menuTemplate } from "./menu.ts";
import { type CommandProcess, fork, givenConsoleUrl } from "./server-process.ts";
import { offer, waysOut } from "./ways-out.ts";
import { type ConsoleWindow, openWindow } from "./window.ts";

const given = givenConsoleUrl(process.argv);
let consoleUrl = given;
let view: ConsoleWindow | undefined;
let ownServer: CommandProcess | undefined;
let page = linkedPage(process.argv);
const toOpen = filesIn(process.argv, process.cwd());
const openView = (): BrowserWindow | undefined => (view?.window.isDestroyed() === false ? view.window : undefined);
const say = (error: unknown): void => {
  const message = error instanceof Error ? error.message : String(error);
  const window = openView();
  if (window === undefined) dialog.showErrorBox("Stagedoor", message);
  else void dialog.showMessageBox(window, { type: "error", message });
};
const raise = (): BrowserWindow | undefined => {
  if (consoleUrl === undefined) return undefined;
  if (openView() === undefined) view = openWindow(consoleUrl);
  const window = openView();
  if (window?.isMinimized() === true) window.restore();
  window?.focus();
  return window;
};
const codes = createCodeDesk(raise, () => setMenu());
/** Shows a console: one window for one origin, whatever its token. */
const show = (url: string): void => {
  const isNew = url !== consoleUrl;
  consoleUrl = url;
  const isOther = view?.origin !== new URL(url).origin;
  if (isOther) view = undefined;
  else if (isNew && openView() !== undefined) view?.enter(url);
  open();
  // Only now, because the shell quits when its last window closes.
  if (isOther) for (const old of BrowserWindow.getAllWindows()) if (old !== openView()) old.destroy();
};
const OPEN_MINI = 'void open("/mini", "stagedoor-mini", "popup,width=380,height=230")';

const start = async (...options: string[]): Promise<void> => {
  const mine = fork(["start", "--headless", "--json", ...options]);
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

/** @returns what restarts the server; `npm start` does it for its window. Undefined for a server of somebody else. */
const restarter = (): Desk["restart"] => {
  if (given === undefined) return () => stop().then(() => start());
  return process.argv.includes("--can-restart") ? () => process.stdout.write("restart\n") : undefined;
};

const desk: Desk = {
  click: (deed) => () => {
    const window = raise();
    const url = consoleUrl;
    if (url !== undefined && window !== undefined)
      Promise.resolve(view?.shown)
        .then(() => deed(url, window))
        .catch(say);
  },
  go: (page) => desk.click(() => view?.go(page.toLowerCase())),
  mini: () => openView()?.webContents.executeJavaScript(OPEN_MINI, true),
  choose: (change) => {
    try {
      codes.choose(change);
    } catch (error) {
      say(error);
    }
  },
  restart: restarter(),
};

const setMenu = (): void =>
  Menu.setApplicationMenu(Menu.buildFromTemplate(menuTemplate(process.platform, desk, codes.choices())));

/** Raises the window, shows the page of a link, and takes files there, once there is a console. */
const open = (...files: string[]): void => {
  toOpen.push(...files);
  desk.click((url, window) => {
    codes.follow(url);
    if (page !== undefined) view?.go(page);
    page = undefined;
    return openFiles(window, toOpen.splice(0));
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
// `npm start` removes it when the server has ended, if that is on any free port.
if (process.argv.includes("--print-profile")) process.stdout.write(`profile: ${folder}\n`);
// As in tools/config/electron-builder.config.ts; required for notifications on Windows.
app.setAppUserModelId("dev.stagedoor.desktop");
app.enableSandbox();
// The console's pages read it: whoever uses an installed app has no terminal.
if (app.isPackaged) app.userAgentFallback += " Installed";
// The installers of macOS and Linux register our links; on Windows the app does.
if (app.isPackaged && process.platform === "win32") app.setAsDefaultProtocolClient("stagedoor");
app.on("second-instance", (_event, argv, folder) => {
  page = linkedPage(argv);
  open(...filesIn(argv, folder));
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
app.on("quit", codes.end);
// Not before: a window may ask whether to stay, such as during an import.
app.on("will-quit", (event) => {
  if (ownServer === undefined) return;
  event.preventDefault();
  stop().then(() => app.quit(), say);
});
if (app.requestSingleInstanceLock()) run().catch(say);
else app.quit();
