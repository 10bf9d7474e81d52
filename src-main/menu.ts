import { Menu, type MenuItemConstructorOptions } from "electron";

/** @param platform as `process.platform` names it. @returns the menu bar: what every system's users expect, by role. */
export const menuTemplate = (platform: string): MenuItemConstructorOptions[] => [
  ...(platform === "darwin" ? [{ role: "appMenu" } as const] : []),
  { label: "&File", submenu: [{ role: platform === "darwin" ? "close" : "quit" }] },
  { role: "editMenu" },
  {
    label: "&View",
    submenu: [
      { role: "reload" },
      { type: "separator" },
      { role: "resetZoom" },
      { role: "zoomIn" },
      { role: "zoomOut" },
      { type: "separator" },
      { role: "togglefullscreen" },
      { role: "toggleDevTools" },
    ],
  },
  { role: "windowMenu" },
];

/** Sets the menu bar of this system. */
export const installMenu = (): void => Menu.setApplicationMenu(Menu.buildFromTemplate(menuTemplate(process.platform)));
