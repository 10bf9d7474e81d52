import { BrowserWindow, type MenuItemConstructorOptions } from "electron";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { PLACES } from "#contract/control/screens.ts";
import { type Desk, menuTemplate } from "../../src-main/menu.ts";

vi.mock("electron", () => import("./electron-stand-in.ts"));

const CONSOLE = "http://127.0.0.1:4012";
const gone: string[] = [];
const chosen: object[] = [];
const CHOICES = { tray: true, notify: true, shortcut: null, hasTray: true, isTaken: false };
const desk: Desk = {
  click: (deed) => () => void deed(CONSOLE, new BrowserWindow({})),
  go: (page) => () => void gone.push(page),
  mini: () => {},
  choose: (change) => void chosen.push(change),
  restart: () => {},
};

beforeEach(() => {
  gone.length = 0;
  chosen.length = 0;
});

const itemsOf = (menu: MenuItemConstructorOptions[]): MenuItemConstructorOptions[] =>
  menu.flatMap(({ submenu }) => (Array.isArray(submenu) ? submenu : []));

describe.each(["darwin", "win32", "linux"])("the menu on %s", (platform) => {
  const menu = menuTemplate(platform, desk, CHOICES);
  const items = itemsOf(menu);

  test("has what users of the system expect", () => {
    for (const role of ["editMenu", "windowMenu"]) expect(menu).toContainEqual({ role });
    const view = itemsOf(menu.filter(({ label }) => label === "&View")).map(({ role }) => role ?? "line");
    const zoom = ["resetZoom", "zoomIn", "zoomIn", "zoomIn", "zoomOut"];
    expect(view).toEqual(["reload", "forceReload", "toggleDevTools", "line", ...zoom, "line", "togglefullscreen"]);
    expect(menu[0]?.role === "appMenu").toBe(platform === "darwin");
    expect(items.at(-1) !== undefined && items.some(({ role }) => role === "quit")).toBe(platform !== "darwin");
  });

  test("has a unique accelerator for each action", () => {
    const accelerators = items.flatMap(({ accelerator }) => (accelerator === undefined ? [] : [accelerator]));
    expect(accelerators).toHaveLength(14);
    expect(new Set(accelerators).size).toBe(accelerators.length);
    // Those of Electron's own menus, and of the console's page (the palette).
    for (const taken of ["R", "Shift+R", "C", "V", "X", "Z", "A", "W", "M", "Q", "0", "K", "Shift+I"])
      expect(accelerators).not.toContain(`CmdOrCtrl+${taken}`);
  });

  test("shows what is chosen, and changes only that", () => {
    const named = (label: RegExp) => items.find((item) => label.test(item.label ?? ""));
    const [tray, notify] = [named(/^Show in (Tray|Menu Bar)$/), named(/^Notify About New Codes$/)];
    expect([tray?.checked, notify?.checked]).toEqual([true, true]);
    for (const item of [tray, notify])
      Reflect.apply(item?.click ?? expect.unreachable, undefined, [{ checked: false }]);
    expect(chosen).toEqual([{ tray: false }, { notify: false }]);
  });

  test("offers keys that copy from any program, none of them until one is chosen", () => {
    const shortcuts = items.find(({ label }) => label === "Copy From Any Program")?.submenu;
    const [off, ...others] = Array.isArray(shortcuts) ? shortcuts : [];
    expect([off?.label, off?.checked]).toEqual(["Off", true]);
    const command = platform === "darwin" ? "Cmd" : "Ctrl";
    for (const { label, checked } of others) expect([label?.startsWith(`${command}+`), checked]).toEqual([true, false]);
    Reflect.apply(others[0]?.click ?? expect.unreachable, undefined, []);
    expect(chosen).toEqual([{ shortcut: "CmdOrCtrl+Shift+Alt+C" }]);
  });
});

test("without a tray the item says what closing does; keys of another program are marked", () => {
  const shortcut = "CmdOrCtrl+Alt+C";
  const template = (platform: string) =>
    JSON.stringify(menuTemplate(platform, desk, { ...CHOICES, shortcut, hasTray: false, isTaken: true }));
  expect(template("linux")).toContain('"Show in Tray (no tray found: closing quits)"');
  expect(template("linux")).toContain('"Ctrl+Alt+C (used by another program)","type":"radio","checked":true');
  expect(template("darwin")).toContain('"Cmd+Option+C (used by another program)"');
});

test("the menu leads to every place of the console, and to Present", () => {
  const go = menuTemplate("linux", desk, CHOICES).find(({ label }) => label === "&Go");
  for (const item of itemsOf(go === undefined ? [] : [go]))
    if (/^CmdOrCtrl\+(\d|Shift\+P)$/.test(item.accelerator ?? ""))
      Reflect.apply(item.click ?? expect.unreachable, undefined, []);
  expect(gone).toEqual([...PLACES.map((place) => place.replace(/^./, (first) => first.toUpperCase())), "stage"]);
});
