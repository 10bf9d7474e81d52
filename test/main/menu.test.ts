import type { MenuItemConstructorOptions } from "electron";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { RAIL_SCREENS } from "#contract/screens.ts";
import { type Desk, menuTemplate } from "../../src-main/menu.ts";

vi.mock("electron", () => import("./electron-stand-in.ts"));

const CONSOLE = "http://127.0.0.1:4012";
const gone: string[] = [];
const desk: Desk = {
  click: (deed) => () => void deed(CONSOLE),
  go: (page) => () => void gone.push(page),
  mini: () => {},
  setTray: () => {},
  restart: () => {},
};

beforeEach(() => {
  gone.length = 0;
});

const itemsOf = (menu: MenuItemConstructorOptions[]): MenuItemConstructorOptions[] =>
  menu.flatMap(({ submenu }) => (Array.isArray(submenu) ? submenu : []));

describe.each(["darwin", "win32", "linux"])("the menu on %s", (platform) => {
  const menu = menuTemplate(platform, desk, true);
  const items = itemsOf(menu);

  test("has what users of the system expect", () => {
    for (const role of ["editMenu", "viewMenu", "windowMenu"]) expect(menu).toContainEqual({ role });
    expect(menu[0]?.role === "appMenu").toBe(platform === "darwin");
    expect(items.at(-1) !== undefined && items.some(({ role }) => role === "quit")).toBe(platform !== "darwin");
  });

  test("has a unique accelerator for each action", () => {
    const accelerators = items.flatMap(({ accelerator }) => (accelerator === undefined ? [] : [accelerator]));
    expect(accelerators).toHaveLength(18);
    expect(new Set(accelerators).size).toBe(accelerators.length);
    // Those of Electron's own menus, and of the console's page (the palette).
    for (const taken of ["R", "Shift+R", "C", "V", "X", "Z", "A", "W", "M", "Q", "0", "K", "Shift+I"])
      expect(accelerators).not.toContain(`CmdOrCtrl+${taken}`);
  });

  test("shows whether there is a tray icon", () => {
    expect(items.find(({ type }) => type === "checkbox")).toMatchObject({ checked: true });
  });
});

test("the menu leads to every screen of the console", () => {
  const go = menuTemplate("linux", desk, false).find(({ label }) => label === "&Go");
  for (const item of itemsOf(go === undefined ? [] : [go]))
    if (/^CmdOrCtrl\+(Shift\+)?\d$/.test(item.accelerator ?? ""))
      Reflect.apply(item.click ?? expect.unreachable, undefined, []);
  expect(gone).toEqual(
    [...RAIL_SCREENS, "stage"].map((screen) => screen.replace(/^./, (first) => first.toUpperCase())),
  );
});
