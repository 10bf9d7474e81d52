import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { app, Menu, Tray } from "electron";
import { picture } from "./window.ts";

/** Referenced here, because Electron removes a garbage-collected tray icon. */
let tray: Tray | undefined;
const settings = (): string => join(app.getPath("userData"), "settings.json");

/** @returns whether the user has turned on the tray icon. */
export const trayWanted = (): boolean =>
  existsSync(settings()) && /"tray": true\b/.test(readFileSync(settings(), "utf8"));

/** Shows or hides the tray icon, and remembers that for the next launch. @param open opens the window */
export const setTray = (wanted: boolean, open: () => void): void => {
  if (wanted !== trayWanted()) writeFileSync(settings(), `${JSON.stringify({ tray: wanted }, null, 2)}\n`);
  tray?.destroy();
  tray = wanted ? new Tray(picture("tray")) : undefined;
  tray?.setToolTip("Stagedoor");
  tray?.setContextMenu(Menu.buildFromTemplate([{ label: "Open Stagedoor", click: open }, { role: "quit" }]));
};
