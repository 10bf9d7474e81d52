import { beforeEach, expect, test, vi } from "vitest";
import { menuTemplate } from "../../src-main/menu.ts";
import { app, BrowserWindow, boxes, forked, menus } from "./electron-stand-in.ts";

vi.mock("electron", () => import("./electron-stand-in.ts"));

const settle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 10));

/** Runs the shell from its first line, with these arguments. */
const launch = async (...argv: string[]): Promise<void> => {
  vi.resetModules();
  vi.spyOn(process, "argv", "get").mockReturnValue(["electron", ".", ...argv]);
  await import("../../src-main/index.ts");
  await settle();
};

beforeEach(() => {
  app.removeAllListeners();
  app.calls.length = 0;
  app.firstInstance = true;
  app.paths.set("userData", "/data");
  for (const list of [BrowserWindow.made, boxes, forked, menus]) list.length = 0;
});

test("given a console, the shell opens it, sandboxed, with a lock of its own, and starts no server", async () => {
  await launch("--console-url=http://127.0.0.1:4012");
  expect(app.calls).toEqual(["enableSandbox", `lock ${app.getPath("userData")}`]);
  expect(app.getPath("userData")).toMatch(/4012$/);
  expect(BrowserWindow.made.map(({ loaded }) => loaded)).toEqual([["http://127.0.0.1:4012"]]);
  expect(menus).toHaveLength(1);
  expect(forked).toEqual([]);
  app.emit("window-all-closed");
  expect(app.calls.at(-1)).toBe("quit");
});

test("a second launch raises the first window, and ends itself", async () => {
  await launch("--console-url=http://127.0.0.1:4012");
  const [window] = BrowserWindow.made;
  if (window === undefined) throw new Error("no window");
  window.minimized = true;
  app.emit("second-instance");
  expect(window.calls).toEqual(["restore", "focus"]);
  window.destroyed = true;
  app.emit("activate");
  expect(BrowserWindow.made).toHaveLength(2);

  BrowserWindow.made.length = 0;
  app.firstInstance = false;
  await launch("--console-url=http://127.0.0.1:4012");
  expect(app.calls.at(-1)).toBe("quit");
  expect(BrowserWindow.made).toEqual([]);
});

test("on its own, the shell shows a server that cannot start in its own words, and no window", async () => {
  await launch();
  forked[0]?.stderr.write("The data are in use by process 7.");
  await settle();
  forked[0]?.emit("exit", 1);
  await settle();
  expect(boxes).toEqual(["Stagedoor could not start: The data are in use by process 7."]);
  expect(app.calls.at(-1)).toBe("exit 1");
  expect(BrowserWindow.made).toEqual([]);
});

test("on its own, the shell ends with its server, and its server with it", async () => {
  await launch();
  const [child] = forked;
  const ready = {
    event: "ready",
    pid: 7,
    adminUrl: "http://a",
    authUrl: "http://a",
    consoleUrl: "http://c:1",
    dataDir: "",
  };
  child?.stdout.write(`${JSON.stringify(ready)}\n`);
  await settle();
  expect(BrowserWindow.made[0]?.loaded).toEqual(["http://c:1"]);
  app.emit("will-quit");
  expect(child?.kills).toBe(1);
  child?.emit("exit", 9);
  await settle();
  expect(boxes).toEqual(["The Stagedoor server has ended: It ended with status 9."]);
  expect(app.calls.at(-1)).toBe("quit");
});

test("the menu has what every system's users expect", () => {
  expect(menuTemplate("darwin")[0]).toEqual({ role: "appMenu" });
  for (const platform of ["darwin", "win32", "linux"])
    expect(menuTemplate(platform)).toEqual(expect.arrayContaining([{ role: "editMenu" }, { role: "windowMenu" }]));
  expect(menuTemplate("linux")[0]?.submenu).toEqual([{ role: "quit" }]);
});
