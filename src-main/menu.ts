import type { BrowserWindow, MenuItemConstructorOptions } from "electron";
import { PLACES } from "#contract/control/screens.ts";
import type { Choices } from "./code-desk.ts";
import { copyNewestCode, exportState, openDataFolder } from "./control.ts";
import { chooseFiles } from "./files.ts";
import type { Settings } from "./settings.ts";
import { keysOf, SHORTCUTS } from "./shortcut.ts";

/** What the menu needs from the shell, which never restarts a server that it did not start. */
export interface Desk {
  /** @returns a click handler that raises the window, runs the action with its console and for it, and shows errors. */
  click(deed: (consoleUrl: string, window: BrowserWindow) => unknown): () => void;
  go(page: string): () => void;
  mini(): unknown;
  /** Changes some settings, and shows errors. */
  choose(change: Partial<Settings>): void;
  readonly restart: (() => unknown) | undefined;
}

/** The console's places in rail order, each under its name. */
const GO = PLACES.map((name) => name.replace(/^./, (first) => first.toUpperCase()));
const LINE: MenuItemConstructorOptions = { type: "separator" };
const item = (label: string, key: string, click: () => void) => ({ label, accelerator: `CmdOrCtrl+${key}`, click });

let isAsking = false;
/** One file dialog at a time: menus can be used while one is open, on macOS, or until it is. */
const alone =
  (deed: Parameters<Desk["click"]>[0]): typeof deed =>
  async (consoleUrl, window) => {
    if (isAsking) return;
    isAsking = true;
    try {
      await deed(consoleUrl, window);
    } finally {
      isAsking = false;
    }
  };

const switchOf = (label: string, checked: boolean, choose: (checked: boolean) => void): MenuItemConstructorOptions => ({
  label,
  type: "checkbox",
  checked,
  click: (clicked) => choose(clicked.checked),
});

const trayItem = (mac: boolean, desk: Desk, { tray, hasTray }: Choices): MenuItemConstructorOptions => {
  const label = mac ? "Show in Menu Bar" : hasTray ? "Show in Tray" : "Show in Tray (no tray found: closing quits)";
  return switchOf(label, tray, (wanted) => desk.choose({ tray: wanted }));
};

const codeItems = (platform: string, desk: Desk, choices: Choices): MenuItemConstructorOptions[] => {
  const choice = (shortcut: string | null): MenuItemConstructorOptions => {
    const checked = shortcut === choices.shortcut;
    const keys = shortcut === null ? "Off" : keysOf(shortcut, platform);
    const label = checked && choices.isTaken ? `${keys} (used by another program)` : keys;
    return { label, type: "radio", checked, click: () => desk.choose({ shortcut }) };
  };
  return [
    switchOf("Notify About New Codes", choices.notify, (wanted) => desk.choose({ notify: wanted })),
    { label: "Copy From Any Program", submenu: [null, ...SHORTCUTS].map(choice) },
  ];
};

/** More keys that zoom in: Electron's own item knows Ctrl++ alone, which needs Shift on many keyboards. */
const ZOOM_IN = ["=", "numadd"].map((key): MenuItemConstructorOptions => {
  const hidden = { visible: false, acceleratorWorksWhenHidden: true } as const;
  return { role: "zoomIn", accelerator: `CmdOrCtrl+${key}`, ...hidden };
});
const VIEW: MenuItemConstructorOptions[] = [
  ...[{ role: "reload" } as const, { role: "forceReload" } as const, { role: "toggleDevTools" } as const, LINE],
  ...[{ role: "resetZoom" } as const, { role: "zoomIn" } as const, ...ZOOM_IN, { role: "zoomOut" } as const, LINE],
  { role: "togglefullscreen" },
];

/** @param platform a `process.platform` value. @returns the menu bar in the style of the platform. */
export const menuTemplate = (platform: string, desk: Desk, choices: Choices): MenuItemConstructorOptions[] => {
  const mac = platform === "darwin";
  const file: MenuItemConstructorOptions[] = [
    item("Import…", "O", desk.click(alone(chooseFiles))),
    item("Export…", "S", desk.click(alone(exportState))),
    item("Open Data Folder", "Shift+D", desk.click(openDataFolder)),
    LINE,
    trayItem(mac, desk, choices),
    ...(desk.restart === undefined ? [] : [item("Restart Server", "Alt+R", desk.click(desk.restart))]),
    LINE,
    { role: mac ? "close" : "quit" },
  ];
  const places = [
    ...GO.map((name, at) => item(name, String(at + 1), desk.go(name))),
    item("Present", "Shift+P", desk.go("stage")),
  ];
  const copy = item("Copy Newest Code", "Shift+C", desk.click(copyNewestCode));
  const mini = item("Mini Window", "Shift+M", desk.click(desk.mini));
  return [
    ...(mac ? [{ role: "appMenu" } as const] : []),
    { label: "&File", submenu: file },
    { role: "editMenu" },
    { label: "&Go", submenu: places },
    { label: "&Codes", submenu: [copy, mini, LINE, ...codeItems(platform, desk, choices)] },
    { label: "&View", submenu: VIEW },
    { role: "windowMenu" },
  ];
};
