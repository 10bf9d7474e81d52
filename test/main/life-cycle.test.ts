/** The shell from its first line: start, crash, restart, quit. */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { answers, app, BrowserWindow, boxes, forked, menus, questions, renew, Tray } from "./electron-stand-in.ts";
import { child, click, GIVEN, soon, useShell } from "./shell.ts";

vi.mock("electron", () => import("./electron-stand-in.ts"));
// Created once, before modules are reset, so that the shell gets the stand-in imported here.
await import("electron");

const shell = useShell();
const { launch, ready, shown } = shell;

describe("with a console URL", () => {
  test("the shell opens it, sandboxed, with its own lock, and starts no server", async () => {
    await launch(GIVEN);
    expect(app.calls).toEqual(["enableSandbox", `lock ${join(shell.appData, "Stagedoor Window", "4012")}`]);
    expect(shown()).toEqual([["http://127.0.0.1:4012"]]);
    expect(forked).toEqual([]);
  });

  test.each<NodeJS.Platform>(["linux", "win32", "darwin"])(
    "closing its window quits the shell on %s",
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

test("a second launch raises the first window and quits", async () => {
  await launch(GIVEN);
  const [window] = BrowserWindow.made;
  if (window === undefined) throw new Error("no window");
  window.minimized = true;
  window.calls.length = 0;
  app.emit("second-instance", {}, ["electron"], "/");
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

describe("a file that the user opens", () => {
  /** The names of the files that the page got, in order. */
  const dropped = () =>
    BrowserWindow.made.flatMap(({ webContents }) =>
      webContents.scripts.flatMap((script) => [...script.matchAll(/"([^"]+\.\w+)","/g)].map(([, name]) => name)),
    );
  const files = async (...names: string[]): Promise<string[]> => {
    for (const name of names) await writeFile(join(shell.appData, name), "{}");
    return names.map((name) => join(shell.appData, name));
  };

  test("named on the command line reaches the page once the console is up", async () => {
    await launch(...(await files("my team.stagedoor.json")), "--flag.stagedoor.json", "other.png");
    expect(dropped()).toEqual([]);
    ready("http://127.0.0.1:1");
    await soon(() => expect(dropped()).toEqual(["my team.stagedoor.json"]));
    expect(BrowserWindow.made).toHaveLength(1);
  });

  test("from a second launch is resolved in that launch's folder; several are taken in order", async () => {
    await launch(GIVEN);
    await files("a.csv", "Б.JSONC");
    app.emit("second-instance", {}, ["electron", ".", "a.csv", "Б.JSONC"], shell.appData);
    await soon(() => expect(dropped()).toEqual(["a.csv", "Б.JSONC"]));
    expect(BrowserWindow.made[0]?.calls.at(-1)).toBe("focus");
  });

  test("arrives as an event on macOS, also before the server is up; a missing file is reported", async () => {
    const [file = ""] = await files("a.stagedoor.json");
    await launch();
    const preventDefault = vi.fn();
    app.emit("open-file", { preventDefault }, file);
    expect(preventDefault).toHaveBeenCalledOnce();
    ready("http://127.0.0.1:1");
    await soon(() => expect(dropped()).toEqual(["a.stagedoor.json"]));
    app.emit("open-file", { preventDefault }, `${file}.gone.json`);
    await soon(() =>
      expect(boxes).toEqual([
        expect.stringMatching(/^Stagedoor: a\.stagedoor\.json\.gone\.json cannot be opened: ENOENT/),
      ]),
    );
  });
});

test("without a console URL the shell starts the server, and opens the window once it is up", async () => {
  await launch();
  expect(child().args).toEqual(["start", "--headless", "--json"]);
  app.emit("second-instance", {}, ["electron"], "/");
  expect(BrowserWindow.made).toEqual([]);
  ready("http://127.0.0.1:1");
  await soon(() => expect(shown()).toEqual([["http://127.0.0.1:1"]]));
  // Not the server's data directory, which is Electron's default on two systems.
  expect(app.getPath("userData")).toBe(join(shell.appData, "Stagedoor Window"));
});

test.each<[NodeJS.Platform, boolean]>([
  ["linux", true],
  ["win32", true],
  ["darwin", false],
])("without a console URL on %s, closing the window quits the shell: %s", async (platform, ends) => {
  vi.spyOn(process, "platform", "get").mockReturnValue(platform);
  await launch();
  ready("http://127.0.0.1:1");
  await soon(() => expect(BrowserWindow.made).toHaveLength(1));
  app.emit("window-all-closed");
  expect(app.calls.includes("quit later")).toBe(ends);
  child().end(0);
  await soon(() => expect(app.calls.at(-1)).toBe("quit"));
});

test("`stagedoor stop` ends the shell with its server, and asks nothing", async () => {
  await launch();
  ready("http://127.0.0.1:1");
  await soon(() => expect(BrowserWindow.made).toHaveLength(1));
  child().end(0);
  await soon(() => expect(app.calls.at(-1)).toBe("quit"));
  expect(questions).toEqual([]);
});

describe("quitting", () => {
  test("waits for the server to end, and asks nothing", async () => {
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

  test("waits at most two seconds, even while the server starts", async () => {
    await launch();
    app.quit();
    await soon(() => expect(app.calls.at(-1)).toBe("quit"));
    expect(BrowserWindow.made).toEqual([]);
  });
});

describe("a server crash", () => {
  const crash = async (): Promise<void> => {
    await launch();
    ready("http://127.0.0.1:1");
    await soon(() => expect(BrowserWindow.made).toHaveLength(1));
    child().stderr.write("Out of memory.");
    child().end(9);
    await soon(() => expect(questions).toHaveLength(1));
  };

  test("is shown with the server's last words; the server can be restarted, and the window stays", async () => {
    answers.push("Restart");
    await crash();
    expect(questions[0]).toMatchObject({ message: "The Stagedoor server has ended", detail: "Out of memory." });
    await soon(() => expect(forked).toHaveLength(2));
    ready("http://127.0.0.1:1");
    await soon(() => expect(BrowserWindow.made[0]?.calls).toEqual(["focus", "show", "focus"]));
    expect(BrowserWindow.made).toHaveLength(1);
  });

  test("can quit the shell", async () => {
    answers.push("Quit");
    await crash();
    await soon(() => expect(app.calls.at(-1)).toBe("quit"));
  });
});

test("restarting from the menu opens another window on a new port before the old one closes", async () => {
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

test("a restarted server with another token is shown in the same window, at the page that was open", async () => {
  await launch();
  ready("http://127.0.0.1:1/?access_token=old");
  await soon(() => expect(BrowserWindow.made).toHaveLength(1));
  BrowserWindow.made[0]?.webContents.emit("did-navigate", {}, "http://127.0.0.1:1/sessions?q=ada");
  click("Restart Server");
  await soon(() => expect(child(0).kills).toBe(1));
  child(0).end(0);
  await soon(() => expect(forked).toHaveLength(2));
  ready("http://127.0.0.1:1/?access_token=new");
  // Electron rejects a second window of the same name.
  await soon(() => expect(shown()[0]?.at(-1)).toBe("http://127.0.0.1:1/sessions?q=ada&access_token=new"));
  expect([BrowserWindow.made.length, BrowserWindow.made[0]?.destroyed, boxes]).toEqual([1, false, []]);
});

describe("an open console", () => {
  const token = "the-token";
  test("gets its token from the environment, and the page exchanges it", async () => {
    vi.stubEnv("STAGEDOOR_ACCESS_TOKEN", token);
    await launch(GIVEN);
    vi.unstubAllEnvs();
    expect(shown()).toEqual([[`http://127.0.0.1:4012/?access_token=${token}`]]);
    expect(process.argv.join(" ")).not.toContain(token);
    // Until the server has exchanged it for a cookie.
    click("Users");
    await soon(() => expect(shown()[0]?.at(-1)).toBe(`http://127.0.0.1:4012/users?access_token=${token}`));
    BrowserWindow.made[0]?.webContents.emit("did-navigate", {}, "http://127.0.0.1:4012/users");
    click("Requests");
    await soon(() => expect(shown()[0]?.at(-1)).toBe("http://127.0.0.1:4012/requests"));
    click("Mini Window");
    await soon(() => expect(BrowserWindow.made[0]?.webContents.scripts.join()).toContain('open("/mini"'));
  });

  test("gets its own server's token from the ready line", async () => {
    await launch();
    const urls = { adminUrl: "http://a", authUrl: "http://a", consoleUrl: "http://127.0.0.1:1" };
    const line = { event: "ready", pid: 7, ...urls, dataDir: null, accessToken: token };
    child().stdout.write(`${JSON.stringify(line)}\n`);
    await soon(() => expect(shown()).toEqual([[`http://127.0.0.1:1/?access_token=${token}`]]));
  });
});

test("the tray icon is an option, off by default and saved; with it the shell outlives its window", async () => {
  vi.spyOn(process, "platform", "get").mockReturnValue("win32");
  await launch();
  ready("http://127.0.0.1:1");
  await soon(() => expect(BrowserWindow.made).toHaveLength(1));
  expect(Tray.made).toEqual([]);
  click("Show in Tray", true);
  expect(Tray.made[0]?.image).toMatch(/icons[\\/]tray\.png$/);
  const saved = async () => JSON.parse(await readFile(join(app.getPath("userData"), "settings.json"), "utf8"));
  expect(await saved()).toEqual({ tray: true, notify: true, shortcut: null, mini: null });
  app.emit("window-all-closed");
  expect(app.calls).not.toContain("quit later");

  renew(shell.appData);
  await launch();
  expect(Tray.made).toHaveLength(1);
  click("Show in Tray", false);
  expect(Tray.made[0]?.destroyed).toBe(true);
  expect(await saved()).toMatchObject({ tray: false });
  expect(boxes).toEqual([]);
});

test("failed actions are reported", async () => {
  await launch("--console-url=http://127.0.0.1:1");
  click("Open Data Folder");
  await soon(() => expect(boxes).toHaveLength(1));
  expect(boxes[0]).toMatch(/^Stagedoor: /);
  click("Users");
  await soon(() => expect(shown()[0]).toEqual(["http://127.0.0.1:1", "http://127.0.0.1:1/users"]));
});
