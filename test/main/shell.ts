/**
 * The shell as tests run it, from its first line, on the stand-in for Electron. Test files that use it mock `electron`.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { MenuItemConstructorOptions } from "electron";
import { afterEach, beforeEach, expect, vi } from "vitest";
import { keysOf } from "../../src-main/shortcut.ts";
import { app, BrowserWindow, forked, menus, renew, type UtilityProcessStandIn } from "./electron-stand-in.ts";

/** The argument with the console's URL. */
export const GIVEN = "--console-url=http://127.0.0.1:4012";

/** Waits patiently, since the machine may be busy. */
export const soon = (check: () => void): Promise<void> => vi.waitFor(check, { timeout: 30_000, interval: 5 });

/** @param at index of a forked process; default: the newest. */
export const child = (at = -1): UtilityProcessStandIn => {
  const found = forked.at(at);
  if (found === undefined) throw new Error("nothing was forked");
  return found;
};

/** Clicks a menu item. */
export const click = (label: string, checked = false): void => {
  const items = (menus.at(-1) ?? []).flatMap(({ submenu }) => (Array.isArray(submenu) ? submenu : []));
  const found: MenuItemConstructorOptions | undefined = items.find((item) => item.label === label);
  Reflect.apply(found?.click ?? expect.unreachable, undefined, [{ checked }]);
};

/** Chooses settings in the menu. */
export const choose = ({ tray, shortcut }: { readonly tray?: boolean; readonly shortcut?: string | null }): void => {
  const name = process.platform === "darwin" ? "Show in Menu Bar" : "Show in Tray";
  if (tray !== undefined) click(name, tray);
  if (shortcut === undefined) return;
  const codes = (menus.at(-1) ?? []).find(({ label }) => label === "&Codes")?.submenu;
  const keys = Array.isArray(codes) ? codes.find(({ label }) => label === "Copy From Any Program")?.submenu : undefined;
  const wanted = shortcut === null ? "Off" : keysOf(shortcut, process.platform);
  const item = Array.isArray(keys) ? keys.find(({ label }) => label === wanted) : undefined;
  Reflect.apply(item?.click ?? expect.unreachable, undefined, []);
};

/** Runs the shell, with separate data for every test. */
export const useShell = () => {
  let appData = "";
  beforeEach(async () => {
    appData = await mkdtemp(join(tmpdir(), "stagedoor-shell-"));
    renew(appData);
  });
  afterEach(async () => {
    // Otherwise the shell of this test would look at the windows of the next.
    app.emit("quit");
    await rm(appData, { recursive: true, force: true });
  });
  return {
    /** The directory for application data. */
    get appData() {
      return appData;
    },
    /** Runs the shell from its first line with these arguments. */
    launch: async (...argv: string[]): Promise<void> => {
      vi.resetModules();
      vi.spyOn(process, "argv", "get").mockReturnValue(["electron", ".", ...argv]);
      await import("../../src-main/index.ts");
      await soon(() => expect(menus.length > 0 || app.calls.at(-1) === "quit").toBe(true));
    },
    /** Makes the newest process print its ready line. */
    ready: (consoleUrl: string): void => {
      const urls = { adminUrl: "http://a", authUrl: "http://a", consoleUrl };
      child().stdout.write(`${JSON.stringify({ event: "ready", pid: 7, ...urls, dataDir: "" })}\n`);
    },
    /** The URLs that each window has loaded. */
    shown: (): string[][] => BrowserWindow.made.map(({ loaded }) => loaded),
  };
};
