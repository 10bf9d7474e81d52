import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { app, Menu, Tray } from "electron";
import { picture } from "./window.ts";

/** Held here, as Electron takes a forgotten tray icon away. */
let tray: Tray | undefined;
const settings = (): string => join(app.getPath("userData"), "settings.json");

/** @returns whether the user has asked for a tray icon. */
export const trayWanted = (): boolean =>
  existsSync(settings()) && /"tray": true\b/.test(readFileSync(settings(), "utf8"));

/** Shows the tray icon or takes it away, and keeps that for the next launch. @param open opens the window */
export const setTray = (wanted: boolean, open: () => void): void => {
  if (wanted !== trayWanted()) writeFileSync(settings(), `${JSON.stringify({ tray: wanted }, null, 2)}\n`);
  tray?.destroy();
  tray = wanted ? new Tray(picture("tray")) : undefined;
  tray?.setToolTip("Stagedoor");
  tray?.setContextMenu(Menu.buildFromTemplate([{ label: "Open Stagedoor", click: open }, { role: "quit" }]));
};
