/**
 * The shell as tests run it, from its first line, on the stand-in for Electron. Test files that use it mock `electron`.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { MenuItemConstructorOptions } from "electron";
import { afterEach, beforeEach, expect, vi } from "vitest";
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

/** Runs the shell, with separate data for every test. */
export const useShell = () => {
  let appData = "";
  beforeEach(async () => {
    appData = await mkdtemp(join(tmpdir(), "stagedoor-shell-"));
    renew(appData);
  });
  afterEach(() => rm(appData, { recursive: true, force: true }));
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
