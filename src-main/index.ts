/**
 * The desktop shell: a window onto the server's console. `npm start` runs the server itself and passes its console's URL;
 * on its own the shell starts the built server, and ends with it.
 */
import { join } from "node:path";
import { app, dialog } from "electron";
import { installMenu } from "./menu.ts";
import { attach, givenConsoleUrl, type Server, startServer } from "./server-process.ts";
import { openWindow } from "./window.ts";

const consoleUrl = givenConsoleUrl(process.argv);
// One instance for each server: the lock, and the page's storage, are in the user data folder.
if (consoleUrl !== undefined) app.setPath("userData", join(app.getPath("userData"), new URL(consoleUrl).port));

/** Shows the console of the server until one of them ends. */
const show = (server: Server): void => {
  let window = openWindow(server.consoleUrl);
  const raise = (): void => {
    if (window.isDestroyed()) window = openWindow(server.consoleUrl);
    if (window.isMinimized()) window.restore();
    window.focus();
  };
  app.on("second-instance", raise);
  app.on("activate", raise);
  app.on("will-quit", () => server.stop());
  server.ended.then(
    (code) => {
      if (code !== 0) dialog.showErrorBox("The Stagedoor server has ended", `It ended with status ${code}.`);
      app.quit();
    },
    () => app.quit(),
  );
};

const run = async (): Promise<void> => {
  await app.whenReady();
  installMenu();
  try {
    show(consoleUrl === undefined ? await startServer() : attach(consoleUrl));
  } catch (error) {
    dialog.showErrorBox("Stagedoor could not start", error instanceof Error ? error.message : String(error));
    app.exit(1);
  }
};

app.enableSandbox();
app.on("window-all-closed", () => app.quit());
if (app.requestSingleInstanceLock()) run().catch(() => app.exit(1));
else app.quit();
