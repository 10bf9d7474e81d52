/**
 * The shell as tests run it, from its first line, on the stand-in for Electron. A test file that uses it replaces `electron`.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { MenuItemConstructorOptions } from "electron";
import { afterEach, beforeEach, expect, vi } from "vitest";
import { app, BrowserWindow, forked, menus, renew, type UtilityProcessStandIn } from "./electron-stand-in.ts";

/** The argument that gives the shell a console. */
export const GIVEN = "--console-url=http://127.0.0.1:4012";

/** Waits for something; patiently, as others may be at work on the same machine. */
export const soon = (check: () => void): Promise<void> => vi.waitFor(check, { timeout: 30_000, interval: 5 });

/** @param at which of those that were forked; the newest if absent. */
export const child = (at = -1): UtilityProcessStandIn => {
  const found = forked.at(at);
  if (found === undefined) throw new Error("nothing was forked");
  return found;
};

/** Clicks an item of the menu bar. */
export const click = (label: string, checked = false): void => {
  const items = (menus.at(-1) ?? []).flatMap(({ submenu }) => (Array.isArray(submenu) ? submenu : []));
  const found: MenuItemConstructorOptions | undefined = items.find((item) => item.label === label);
  Reflect.apply(found?.click ?? expect.unreachable, undefined, [{ checked }]);
};

/** What runs the shell, each test with data of its own. */
export const useShell = () => {
  let appData = "";
  beforeEach(async () => {
    appData = await mkdtemp(join(tmpdir(), "stagedoor-shell-"));
    renew(appData);
  });
  afterEach(() => rm(appData, { recursive: true, force: true }));
  return {
    /** The folder for the data of applications. */
    get appData() {
      return appData;
    },
    /** Runs the shell from its first line, with these arguments. */
    launch: async (...argv: string[]): Promise<void> => {
      vi.resetModules();
      vi.spyOn(process, "argv", "get").mockReturnValue(["electron", ".", ...argv]);
      await import("../../src-main/index.ts");
      await soon(() => expect(menus.length > 0 || app.calls.at(-1) === "quit").toBe(true));
    },
    /** The newest process prints its ready line. */
    ready: (consoleUrl: string): void => {
      const urls = { adminUrl: "http://a", authUrl: "http://a", consoleUrl };
      child().stdout.write(`${JSON.stringify({ event: "ready", pid: 7, ...urls, dataDir: "" })}\n`);
    },
    /** What each window has loaded. */
    shown: (): string[][] => BrowserWindow.made.map(({ loaded }) => loaded),
  };
};
