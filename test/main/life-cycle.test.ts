/** The shell from its first line: start, crash, restart, quit. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { answers, app, BrowserWindow, boxes, forked, menus, questions, renew, Tray } from "./electron-stand-in.ts";
import { child, click, GIVEN, soon, useShell } from "./shell.ts";

vi.mock("electron", () => import("./electron-stand-in.ts"));
// Made once, before any reset of modules, so that the shell gets the stand-in that is imported here.
await import("electron");

const shell = useShell();
const { launch, ready, shown } = shell;

describe("given a console", () => {
  test("the shell opens it, sandboxed, with a lock of its own, and starts no server", async () => {
    await launch(GIVEN);
    expect(app.calls).toEqual(["enableSandbox", `lock ${join(shell.appData, "Stagedoor Window", "4012")}`]);
    expect(shown()).toEqual([["http://127.0.0.1:4012"]]);
    expect(forked).toEqual([]);
  });

  test.each<NodeJS.Platform>(["linux", "win32", "darwin"])(
    "closing its window ends the shell on %s",
    async (platform) => {
      vi.spyOn(process, "platform", "get").mockReturnValue(platform);
      await launch(GIVEN);
      app.emit("window-all-closed");
      expect(app.calls.at(-1)).toBe("quit");
    },
  );

  test("there is no server to restart", async () => {
    await launch(GIVEN);
    expect(JSON.stringify(menus)).not.toContain("Restart");
  });
});

test("a second launch raises the first window, and ends itself", async () => {
  await launch(GIVEN);
  const [window] = BrowserWindow.made;
  if (window === undefined) throw new Error("no window");
  window.minimized = true;
  window.calls.length = 0;
  app.emit("second-instance");
  expect(window.calls).toEqual(["restore", "focus"]);
  window.destroyed = true;
  app.emit("activate");
  expect(BrowserWindow.made).toHaveLength(2);

  renew(shell.appData);
  app.firstInstance = false;
  await launch(GIVEN);
  expect(app.calls.at(-1)).toBe("quit");
  expect(BrowserWindow.made).toEqual([]);
});

test("on its own, the shell starts the server and opens the window when it is up, and no sooner", async () => {
  await launch();
  expect(child().args).toEqual(["start", "--headless", "--json"]);
  app.emit("second-instance");
  expect(BrowserWindow.made).toEqual([]);
  ready("http://127.0.0.1:1");
  await soon(() => expect(shown()).toEqual([["http://127.0.0.1:1"]]));
  // Not the folder of the server's data, which on two systems Electron's default is.
  expect(app.getPath("userData")).toBe(join(shell.appData, "Stagedoor Window"));
});

test.each<[NodeJS.Platform, boolean]>([
  ["linux", true],
  ["win32", true],
  ["darwin", false],
])("on its own on %s, closing the window ends the shell: %s", async (platform, ends) => {
  vi.spyOn(process, "platform", "get").mockReturnValue(platform);
  await launch();
  ready("http://127.0.0.1:1");
  await soon(() => expect(BrowserWindow.made).toHaveLength(1));
  app.emit("window-all-closed");
  expect(app.calls.includes("quit later")).toBe(ends);
  child().end(0);
  await soon(() => expect(ends ? app.calls.at(-1) : questions[0]?.message).toMatch(/^quit$|has ended$/));
});

describe("quitting", () => {
  test("waits for the server's end, and asks nothing", async () => {
    await launch();
    ready("http://127.0.0.1:1");
    await soon(() => expect(BrowserWindow.made).toHaveLength(1));
    app.quit();
    expect(app.calls.at(-1)).toBe("quit later");
    expect(child().kills).toBe(1);
    child().end(0);
    await soon(() => expect(app.calls.at(-1)).toBe("quit"));
    expect(questions).toEqual([]);
  });

  test("waits two seconds at most, also while the server starts", async () => {
    await launch();
    app.quit();
    await soon(() => expect(app.calls.at(-1)).toBe("quit"));
    expect(BrowserWindow.made).toEqual([]);
  });
});

describe("a crash of the server", () => {
  const crash = async (): Promise<void> => {
    await launch();
    ready("http://127.0.0.1:1");
    await soon(() => expect(BrowserWindow.made).toHaveLength(1));
    child().stderr.write("Out of memory.");
    child().end(9);
    await soon(() => expect(questions).toHaveLength(1));
  };

  test("is shown in its own words; it can be restarted, and the window stays", async () => {
    answers.push("Restart");
    await crash();
    expect(questions[0]).toMatchObject({ message: "The Stagedoor server has ended", detail: "Out of memory." });
    await soon(() => expect(forked).toHaveLength(2));
    ready("http://127.0.0.1:1");
    await soon(() => expect(BrowserWindow.made[0]?.calls).toEqual(["focus", "focus"]));
    expect(BrowserWindow.made).toHaveLength(1);
  });

  test("may be the end of the shell", async () => {
    answers.push("Quit");
    await crash();
    await soon(() => expect(app.calls.at(-1)).toBe("quit"));
  });
});

test("the server is restarted from the menu; on another port that is another window, before the old one goes", async () => {
  await launch();
  ready("http://127.0.0.1:1");
  await soon(() => expect(BrowserWindow.made).toHaveLength(1));
  click("Restart Server");
  await soon(() => expect(child(0).kills).toBe(1));
  child(0).end(0);
  await soon(() => expect(forked).toHaveLength(2));
  ready("http://127.0.0.1:2");
  await soon(() => expect(BrowserWindow.made[0]?.destroyed).toBe(true));
  expect(shown()[1]).toEqual(["http://127.0.0.1:2"]);
  expect(BrowserWindow.made[1]?.destroyed).toBe(false);
  expect(questions).toEqual([]);
  expect(app.calls).not.toContain("quit");
});

describe("a console that is open to other machines", () => {
  const token = "the-token";
  test("its token comes by the environment, and the page exchanges it", async () => {
    vi.stubEnv("STAGEDOOR_ACCESS_TOKEN", token);
    await launch(GIVEN);
    vi.unstubAllEnvs();
    expect(shown()).toEqual([[`http://127.0.0.1:4012/?access_token=${token}`]]);
    expect(process.argv.join(" ")).not.toContain(token);
    click("Sessions");
    await soon(() => expect(shown()[0]?.at(-1)).toBe("http://127.0.0.1:4012/sessions"));
  });

  test("of a server of its own it comes with the ready line", async () => {
    await launch();
    const urls = { adminUrl: "http://a", authUrl: "http://a", consoleUrl: "http://127.0.0.1:1" };
    const line = { event: "ready", pid: 7, ...urls, dataDir: null, accessToken: token };
    child().stdout.write(`${JSON.stringify(line)}\n`);
    await soon(() => expect(shown()).toEqual([[`http://127.0.0.1:1/?access_token=${token}`]]));
  });
});

test("the tray icon is a setting, off at first and kept; with it the shell outlives its window", async () => {
  await launch();
  ready("http://127.0.0.1:1");
  await soon(() => expect(BrowserWindow.made).toHaveLength(1));
  expect(Tray.made).toEqual([]);
  vi.spyOn(process, "platform", "get").mockReturnValue("linux");
  click("Show in Tray", true);
  expect(Tray.made[0]?.image).toMatch(/build[\\/]tray\.png$/);
  expect(JSON.parse(await readFile(join(app.getPath("userData"), "settings.json"), "utf8"))).toEqual({ tray: true });
  app.emit("window-all-closed");
  expect(app.calls).not.toContain("quit later");

  renew(shell.appData);
  await launch();
  expect(Tray.made).toHaveLength(1);
  click("Show in Tray", false);
  expect(Tray.made[0]?.destroyed).toBe(true);
  expect(JSON.parse(await readFile(join(app.getPath("userData"), "settings.json"), "utf8"))).toEqual({ tray: false });
  expect(boxes).toEqual([]);
});

test("what cannot be done is said", async () => {
  await launch("--console-url=http://127.0.0.1:1");
  click("Open Data Folder");
  await soon(() => expect(boxes).toHaveLength(1));
  expect(boxes[0]).toMatch(/^Stagedoor: /);
  click("Sessions");
  await soon(() => expect(shown()[0]).toEqual(["http://127.0.0.1:1", "http://127.0.0.1:1/sessions"]));
});
