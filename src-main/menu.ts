import type { MenuItemConstructorOptions } from "electron";
import { SCREENS } from "#contract/screens.ts";
import { copyNewestCode, exportState, importState, openDataFolder } from "./control.ts";

/** What the menu needs from the shell, which never restarts a server that it did not start. */
export interface Desk {
  /** @returns a click handler that raises the window, runs the action with its console, and shows errors. */
  click(deed: (consoleUrl: string) => unknown): () => void;
  go(page: string): () => void;
  mini(): unknown;
  setTray(wanted: boolean): void;
  readonly restart: (() => unknown) | undefined;
}

/** The console's screens in rail order, and the pages without its frame; each under its name. */
const GO = SCREENS.filter((name) => name !== "mini").map((name) => name.replace(/^./, (first) => first.toUpperCase()));
const LINE: MenuItemConstructorOptions = { type: "separator" };
const item = (label: string, key: string, click: () => void) => ({ label, accelerator: `CmdOrCtrl+${key}`, click });

/** @param platform a `process.platform` value. @returns the menu bar in the style of the platform. */
export const menuTemplate = (platform: string, desk: Desk, hasTray: boolean): MenuItemConstructorOptions[] => {
  const mac = platform === "darwin";
  const tray = { label: mac ? "Show in Menu Bar" : "Show in Tray", type: "checkbox", checked: hasTray } as const;
  const file: MenuItemConstructorOptions[] = [
    item("Import…", "O", desk.click(importState)),
    item("Export…", "S", desk.click(exportState)),
    item("Open Data Folder", "Shift+D", desk.click(openDataFolder)),
    LINE,
    { ...tray, click: ({ checked }) => desk.setTray(checked) },
    ...(desk.restart === undefined ? [] : [item("Restart Server", "Alt+R", desk.click(desk.restart))]),
    LINE,
    { role: mac ? "close" : "quit" },
  ];
  const screens = GO.map((name, at) => item(name, `${at < 9 ? "" : "Shift+"}${(at % 9) + 1}`, desk.go(name)));
  const copy = item("Copy Newest Code", "Shift+C", desk.click(copyNewestCode));
  return [
    ...(mac ? [{ role: "appMenu" } as const] : []),
    { label: "&File", submenu: file },
    { role: "editMenu" },
    { label: "&Go", submenu: [...screens, LINE, item("Mini Window", "Shift+M", desk.click(desk.mini)), copy] },
    { role: "viewMenu" },
    { role: "windowMenu" },
  ];
};
