/** The shell from its first line: start, crash, restart, failures and their ways out, quit. */
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { MenuItemConstructorOptions } from "electron";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import {
  answers,
  app,
  BrowserWindow,
  boxes,
  forked,
  menus,
  opened,
  questions,
  renew,
  Tray,
  type UtilityProcessStandIn,
} from "./electron-stand-in.ts";

vi.mock("electron", () => import("./electron-stand-in.ts"));
// Made once, before any reset of modules, so that the shell gets the stand-in that is imported here.
await import("electron");

const GIVEN = "--console-url=http://127.0.0.1:4012";
let appData = "";

/** Runs the shell from its first line, with these arguments. */
const launch = async (...argv: string[]): Promise<void> => {
  vi.resetModules();
  vi.spyOn(process, "argv", "get").mockReturnValue(["electron", ".", ...argv]);
  await import("../../src-main/index.ts");
  await soon(() => expect(menus.length > 0 || app.calls.at(-1) === "quit").toBe(true));
};

/** Waits for something; patiently, as others may be at work on the same machine. */
const soon = (check: () => void): Promise<void> => vi.waitFor(check, 10_000);

const child = (at = -1): UtilityProcessStandIn => {
  const found = forked.at(at);
  if (found === undefined) throw new Error("nothing was forked");
  return found;
};

/** The newest process prints its ready line. */
const ready = (consoleUrl: string): void => {
  const urls = { adminUrl: "http://a", authUrl: "http://a", consoleUrl };
  child().stdout.write(`${JSON.stringify({ event: "ready", pid: 7, ...urls, dataDir: "" })}\n`);
};

const shown = (): string[][] => BrowserWindow.made.map(({ loaded }) => loaded);

/** Clicks an item of the menu bar. */
const click = (label: string, checked = false): void => {
  const items = (menus.at(-1) ?? []).flatMap(({ submenu }) => (Array.isArray(submenu) ? submenu : []));
  const found: MenuItemConstructorOptions | undefined = items.find((item) => item.label === label);
  Reflect.apply(found?.click ?? expect.unreachable, undefined, [{ checked }]);
};

beforeEach(async () => {
  appData = await mkdtemp(join(tmpdir(), "stagedoor-shell-"));
  renew(appData);
});
afterEach(() => rm(appData, { recursive: true, force: true }));

describe("given a console", () => {
  test("the shell opens it, sandboxed, with a lock of its own, and starts no server", async () => {
    await launch(GIVEN);
    expect(app.calls).toEqual(["enableSandbox", `lock ${join(appData, "Stagedoor Window", "4012")}`]);
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

  renew(appData);
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
  expect(app.getPath("userData")).toBe(join(appData, "Stagedoor Window"));
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

describe("a start that fails", () => {
  const fail = async (
    status: number,
    line: { code: string; message: string; [more: string]: unknown },
  ): Promise<void> => {
    await launch();
    child().stderr.write(`recovered: a torn end\n${line.message}\n`);
    child().stdout.write(`${JSON.stringify({ event: "failed", ...line })}\n`);
    child().end(status);
    await soon(() => expect(questions).not.toEqual([]));
    expect(questions[0]).toMatchObject({ type: "error", message: "Stagedoor could not start", detail: line.message });
    expect(questions[0]?.buttons?.at(questions[0].cancelId ?? 0)).toBe("Quit");
  };
  const PORT = { code: "port_in_use", message: "Port 4010 is taken.", port: 4010 };
  const inUse = (consoleUrl: string | null) => ({
    code: "data_in_use",
    message: "/data is in use.",
    file: "/data/lock.json",
    holder: { pid: 7, consoleUrl },
  });
  const DAMAGED = { code: "data_damaged", message: "Not JSON.", file: "/data/journal-2.ndjson", offset: 12 };

  test("by a port that is taken: on free ports", async () => {
    answers.push("Use Free Ports");
    await fail(1, PORT);
    await soon(() => expect(forked).toHaveLength(2));
    expect(child().args.slice(3)).toEqual(["--admin-port=0", "--auth-port=0", "--console-port=0"]);
    ready("http://127.0.0.1:5");
    await soon(() => expect(shown()).toEqual([["http://127.0.0.1:5"]]));
  });

  test("by data in use: the running one is opened", async () => {
    answers.push("Open the Running One");
    await fail(1, inUse("http://127.0.0.1:4099"));
    await soon(() => expect(shown()).toEqual([["http://127.0.0.1:4099"]]));
    expect(forked).toHaveLength(1);
    app.quit();
    expect(app.calls.at(-1)).toBe("quit");
  });

  test.each([
    null,
    "http://evil.example:4099",
    "http://127.0.0.1:4099.evil.example",
    "http://127.0.0.1:1@evil.example:4099",
    "file:///etc/passwd",
  ])("by data in use: nothing but this machine is opened, not %s", async (consoleUrl) => {
    await fail(1, inUse(consoleUrl));
    expect(questions[0]?.buttons).toEqual(["Try Again", "Quit"]);
    expect(BrowserWindow.made).toEqual([]);
  });

  test("by damaged data: it is repaired, and started again", async () => {
    answers.push("Repair");
    await fail(3, DAMAGED);
    await soon(() => expect(forked).toHaveLength(2));
    expect(child().args).toEqual(["doctor", "--repair"]);
    child().end(0);
    await soon(() => expect(forked).toHaveLength(3));
    expect(child().args[0]).toBe("start");
  });

  test("by damaged data: the folder is opened, and asked again", async () => {
    answers.push("Open Data Folder", "Try Again");
    await fail(3, DAMAGED);
    await soon(() => expect(forked).toHaveLength(2));
    expect(opened).toEqual(["beside /data/journal-2.ndjson"]);
    expect(questions).toHaveLength(2);
  });

  test("by a damaged document: there is nothing to cut, so the folder is offered", async () => {
    answers.push("Quit");
    await fail(3, { ...DAMAGED, file: "/data/stagedoor.json" });
    expect(questions[0]?.buttons).toEqual(["Open Data Folder", "Try Again", "Quit"]);
  });

  test("by anything else: again, or not at all", async () => {
    answers.push("Quit");
    await fail(1, { code: "invalid_options", message: "--body-limit must be a whole number" });
    expect(questions[0]?.buttons).toEqual(["Try Again", "Quit"]);
    await soon(() => expect(app.calls.at(-1)).toBe("quit"));
  });
});

test("a start that ends without its line is shown by what it said", async () => {
  await launch();
  child().stderr.write("Out of memory.\n");
  child().end(9);
  await soon(() => expect(questions[0]?.detail).toBe("Out of memory."));
  expect(questions[0]?.buttons).toEqual(["Try Again", "Quit"]);
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

  renew(appData);
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
