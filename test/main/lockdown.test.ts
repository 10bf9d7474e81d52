/** Every row of Electron's security checklist that concerns the shell. `mutants.test.ts` shows that each can fail. */
import { readdir, readFile } from "node:fs/promises";
import { beforeEach, describe, expect, test, vi } from "vitest";
import pkg from "../../package.json" with { type: "json" };
import { isOwn, mayOpenOutside } from "../../src-main/lockdown.ts";
import { openWindow } from "../../src-main/window.ts";
import { checks, FOREIGN, type Made, make, NOT_OUTSIDE, ORIGIN } from "./hardening.ts";
import { electronPermissions } from "./permissions.ts";

vi.mock("electron", () => import("./electron-stand-in.ts"));

let made: Made;
beforeEach(() => {
  made = make(openWindow);
});

test.each(Object.entries(checks(await electronPermissions())))("%s", (_row, check) => check(made));

test.each(FOREIGN)("%s is foreign", (url) => expect(isOwn(url, ORIGIN)).toBe(false));
test.each(NOT_OUTSIDE)("%s is never opened", (url) => expect(mayOpenOutside(url)).toBe(false));

describe("the shell's sources", () => {
  const root = new URL("../../src-main/", import.meta.url);
  const sources = async (): Promise<string> => {
    const files = (await readdir(root)).filter((name) => name.endsWith(".ts"));
    return (await Promise.all(files.map((name) => readFile(new URL(name, root), "utf8")))).join("\n");
  };

  test("1: contain no address except Electron's checklist and Stagedoor itself", async () => {
    const addresses = (await sources()).match(/https?:\/\/[\w.-]+/g) ?? [];
    expect([...new Set(addresses)].filter((url) => !/^http:\/\/(127\.0\.0\.1)?$/.test(url))).toEqual([
      "https://www.electronjs.org",
    ]);
  });

  test("17, 20: have no preload and no channel, so nothing to validate and nothing exposed", async () => {
    expect(await sources()).not.toMatch(/ipcMain|ipcRenderer|contextBridge|preload|webContents\.send|postMessage/);
  });

  test("2 to 4, 6, 8: disable no protection of pages", async () => {
    expect(await sources()).not.toMatch(/commandLine|no-sandbox|webSecurity|allowRunningInsecure|enableBlinkFeatures/);
  });
});

test("16: Electron's version is pinned, and still supported", () => {
  const [, major = "0"] = /^(\d+)\.\d+\.\d+$/.exec(pkg.devDependencies.electron) ?? [];
  expect(Number(major)).toBeGreaterThanOrEqual(45);
});

test("the window appears once it is painted, and keeps its position and size", () => {
  const { window } = made;
  expect(window.options).toMatchObject({ show: false, name: "console-127.0.0.1:4012", windowStatePersistence: true });
  expect(window.options.icon).toMatch(/icons[\\/]icon\.png$/);
  window.emit("ready-to-show");
  expect(window.calls).toEqual(["show"]);
});

test("a page that fails to load is retried, but not in a frame or after the window is closed", () => {
  vi.useFakeTimers();
  const { window, page } = made;
  page.emit("did-fail-load", {}, -102, "ERR_CONNECTION_REFUSED", ORIGIN, false);
  vi.advanceTimersByTime(5000);
  expect(window.loaded).toHaveLength(1);
  page.emit("did-fail-load", {}, -102, "ERR_CONNECTION_REFUSED", ORIGIN, true);
  vi.advanceTimersByTime(1000);
  expect(window.loaded).toHaveLength(2);
  window.destroyed = true;
  page.emit("did-fail-load", {}, -102, "ERR_CONNECTION_REFUSED", ORIGIN, true);
  vi.advanceTimersByTime(1000);
  expect(window.loaded).toHaveLength(2);
  vi.useRealTimers();
});
