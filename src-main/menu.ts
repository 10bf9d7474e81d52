import type { MenuItemConstructorOptions } from "electron";
import { copyNewestCode, exportState, importState, openDataFolder } from "./control.ts";

/** What a menu needs of the shell; it restarts no server that is not ours. */
export interface Desk {
  /** @returns a click that raises the window, does the deed with its console, and shows what goes wrong. */
  click(deed: (consoleUrl: string) => unknown): () => void;
  go(url: URL): void;
  setTray(wanted: boolean): void;
  readonly restart: (() => unknown) | undefined;
}

/** The console's screens, in the order of its rail, and the stage; in small letters it is the path. */
const SCREENS = "Inbox Sessions Profiles Connections Requests Connect Apps Fixtures Clock Faults Stage".split(" ");
const LINE: MenuItemConstructorOptions = { type: "separator" };
const item = (label: string, key: string, click: () => void) => ({ label, accelerator: `CmdOrCtrl+${key}`, click });

/** @param platform as `process.platform` names it. @returns the menu bar, as that system's users expect it. */
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
  const screen = (name: string) => desk.click((consoleUrl) => desk.go(new URL(name.toLowerCase(), consoleUrl)));
  const screens = SCREENS.map((name, at) => item(name, `${at < 9 ? "" : "Shift+"}${(at % 9) + 1}`, screen(name)));
  return [
    ...(mac ? [{ role: "appMenu" } as const] : []),
    { label: "&File", submenu: file },
    { role: "editMenu" },
    { label: "&Go", submenu: [...screens, LINE, item("Copy Newest Code", "Shift+C", desk.click(copyNewestCode))] },
    { role: "viewMenu" },
    { role: "windowMenu" },
  ];
};
