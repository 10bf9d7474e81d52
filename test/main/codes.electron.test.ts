/**
 * The code comes to where one works, in real Electron on X11: notifications by dunst on a session bus, the tray by
 * trayer, keys and clicks by xdotool, the clipboard by xclip. Skipped where one of them is not installed.
 */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import type { ElectronApplication } from "playwright-core";
import { afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { useServed } from "../client/support.ts";
import { LACK, useDesktop } from "./desktop.ts";

const PROGRAMS = ["dbus-daemon", "dunst", "dunstctl", "gdbus", "openbox", "trayer", "wmctrl", "xclip", "xdotool"];
const folders = (process.env["PATH"] ?? "").split(delimiter);
const missing = PROGRAMS.filter((program) => !folders.some((folder) => existsSync(join(folder, program))));
const lack = process.platform === "linux" ? missing : [process.platform];
if (LACK === undefined && missing.length > 0) console.warn(`SKIPPED: codes outside the window: ${missing.join(", ")}`);

const SUMMARY = /"summary" : \{\s*"type" : "s",\s*"data" : "([^"]*)"/g;
const PATIENCE = { timeout: 120_000, interval: 200 };
const SOON = { timeout: 3_000, interval: 200 };
const KEYS = "Ctrl+Shift+Alt+C";

describe.skipIf(LACK !== undefined || lack.length > 0)("codes outside the window", () => {
  const desktop = useDesktop({ manager: true });
  const at = useServed();
  const { run } = desktop;
  let shell: ElectronApplication | undefined;
  const there = (): ElectronApplication => shell ?? expect.unreachable("the shell runs");
  const launch = async (): Promise<void> => {
    shell = await desktop.launch(`--console-url=${at.server.urls.console}`);
    await (await shell.firstWindow()).waitForSelector("text=Send code");
  };
  const folder = (): string => join(desktop.home, ".config/Stagedoor Window", new URL(at.server.urls.console).port);

  beforeAll(async () => {
    const bus = `unix:path=${join(desktop.home, ".run/bus")}`;
    desktop.start("dbus-daemon", "--session", "--nofork", `--address=${bus}`);
    desktop.env["DBUS_SESSION_BUS_ADDRESS"] = bus;
    await vi.waitFor(() => run("gdbus", "call", "--session", ...NAMES), PATIENCE);
    desktop.start("dunst", "-conf", "/dev/null");
    await vi.waitFor(() => run("dunstctl", "count"), PATIENCE);
  });
  beforeEach(async () => {
    before = 0;
    before = (await closed()).length;
  });
  afterEach(async () => {
    await shell?.close();
    shell = undefined;
  });

  const NAMES = ["--dest=org.freedesktop.DBus", "--object-path=/", "--method=org.freedesktop.DBus.ListNames"];
  const itemOf = (label: string) =>
    there().evaluate(({ Menu }, wanted) => {
      const items = (Menu.getApplicationMenu()?.items ?? []).flatMap(({ submenu }) => submenu?.items ?? []);
      const found = [...items, ...items.flatMap(({ submenu }) => submenu?.items ?? [])].find(
        (one) => one.label === wanted,
      );
      return found && { checked: found.checked };
    }, label);
  const click = (label: string) =>
    there().evaluate(({ Menu }, wanted) => {
      const items = (Menu.getApplicationMenu()?.items ?? []).flatMap(({ submenu }) => submenu?.items ?? []);
      const found = [...items, ...items.flatMap(({ submenu }) => submenu?.items ?? [])].find(
        (one) => one.label === wanted,
      );
      // Not at once: an error box ends only when it is closed.
      setImmediate(() => found?.click());
    }, label);
  const windows = () => there().evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length);
  const isFocused = () => there().evaluate(({ BrowserWindow }) => BrowserWindow.getFocusedWindow() !== null);
  const minimize = async (): Promise<void> => {
    await run("xdotool", "search", "--sync", "--onlyvisible", "--name", "Stagedoor", "windowminimize");
    await expect.poll(isFocused).toBe(false);
  };
  const copied = () => run("xclip", "-o", "-selection", "clipboard").catch(() => "");
  const displayed = async () => Number(/displayed: (\d+)/.exec(await run("dunstctl", "count"))?.[1]);
  let before = 0;
  /** The notifications of this test, newest first, once they are closed. */
  const closed = async (): Promise<string[]> => {
    await run("dunstctl", "close-all");
    const all = [...(await run("dunstctl", "history")).matchAll(SUMMARY)].map(([, summary = ""]) => summary);
    return all.slice(0, all.length - before);
  };
  const codes = async () => (await at.client.passcodes.list({ limit: 5 })).items.map(({ code }) => code);
  const spaced = (code = ""): string => `${code.slice(0, 3)} ${code.slice(3)}`;
  const settings = async (): Promise<unknown> => JSON.parse(await readFile(join(folder(), "settings.json"), "utf8"));

  test("while no window has the focus, a new code is one notification, and a click copies it", async () => {
    await launch();
    await expect.poll(isFocused).toBe(true);
    await at.askForCode();
    const page = await there().firstWindow();
    await expect.poll(() => page.textContent("body")).toContain("Ada Lovelace");
    expect(await page.evaluate(() => Notification.permission)).toBe("denied");
    await minimize();
    await at.askForCode();
    await expect.poll(displayed).toBe(1);
    await run("dunstctl", "action");
    const [newest] = await codes();
    await expect.poll(copied).toBe(newest);
    expect(await closed()).toEqual([`Demo: ${spaced(newest)} for Ada Lovelace`]);
  });

  test("the menu switches notifications off, and that is remembered", async () => {
    await launch();
    await click("Notify About New Codes");
    await expect.poll(settings).toEqual({ tray: false, notify: false, shortcut: null, mini: null });
    await there().close();
    await launch();
    expect(await itemOf("Notify About New Codes")).toEqual({ checked: false });
    await minimize();
    await at.askForCode();
    const page = await there().firstWindow();
    await expect.poll(() => page.textContent("body")).toContain("Ada Lovelace");
    expect(await displayed()).toBe(0);
    await click("Notify About New Codes");
    await expect.poll(settings).toMatchObject({ notify: true });
  });

  test("the tray lists the newest codes and copies them, also when no window is open, and opens one", async () => {
    const tray = desktop.start("trayer", "--edge", "top", "--align", "left", "--widthtype", "pixel", "--width", "40");
    onTestFinished(() => void tray.kill());
    await launch();
    await expect.poll(() => itemOf("Show in Tray")).toBeDefined();
    await click("Show in Tray");
    await run("wmctrl", "-c", "Stagedoor");
    await expect.poll(windows).toBe(0);
    const { items } = await at.client.profiles.list({ appId: "demo-app", limit: 6 });
    for (const { phone } of items) if (phone !== null) await at.askForCode(phone);
    await expect.poll(displayed).toBeGreaterThan(0);
    await expect.poll(async () => (await closed()).join()).toContain(spaced((await codes())[0]));
    // Its icon, and its menu while that is open.
    const shown = () =>
      run("xdotool", "search", "--onlyvisible", "--name", "^([Ee]lectron|[Ss]tagedoor)$").catch(() => "");
    const closedMenu = (await shown()).length;
    /** Goes down in the menu and takes an item. Keys that come before the menu has the keyboard are lost: it is tried again. */
    const take = async <T>(downs: number, result: () => Promise<T>, wanted: T): Promise<void> => {
      const once = async (): Promise<T> => {
        await run("xdotool", "mousemove", "12", "13", "click", "3");
        await vi.waitFor(async () => expect((await shown()).length).toBeGreaterThan(closedMenu), SOON);
        await run("xdotool", "key", ...Array<string>(downs).fill("Down"), "Return");
        await vi.waitFor(async () => expect(await result()).toBe(wanted), SOON);
        return await result();
      };
      await vi.waitFor(once, PATIENCE);
    };
    await take(3, copied, (await codes())[2] ?? "");
    // Five codes, and what stands above "Quit".
    await take(6, windows, 1);
  });

  test("where there is no tray, the item says so, and closing quits", async () => {
    await launch();
    const label = "Show in Tray (no tray found: closing quits)";
    await expect.poll(() => itemOf(label)).toBeDefined();
    if ((await itemOf(label))?.checked === false) await click(label);
    await expect.poll(settings).toMatchObject({ tray: true });
    const ended = there().waitForEvent("close");
    await run("wmctrl", "-c", "Stagedoor");
    await ended;
    shell = undefined;
  });

  test("one shortcut copies the newest code from any program; keys that another program has are marked", async () => {
    await launch();
    await at.askForCode();
    await click(KEYS);
    await expect.poll(settings).toMatchObject({ shortcut: "CmdOrCtrl+Shift+Alt+C" });
    await minimize();
    await run("xdotool", "key", "ctrl+shift+alt+c");
    await expect.poll(copied).toBe((await codes())[0]);
    const first = there();
    // Another window, for another server, has settings of its own: here the same keys.
    const other = join(desktop.home, ".config/Stagedoor Window/9");
    await run("mkdir", "-p", other);
    await run("cp", join(folder(), "settings.json"), other);
    shell = await desktop.launch("--console-url=http://127.0.0.1:9");
    await expect.poll(() => itemOf(`${KEYS} (used by another program)`)).toEqual({ checked: true });
    await expect.poll(closed).toContain(`${KEYS} does not copy codes`);
    await first.close();
  });

  test("a link opens its page by a second start, and any other opens nothing", async () => {
    await launch();
    const page = await there().firstWindow();
    const own = `--console-url=${at.server.urls.console}`;
    const follow = (link: string) =>
      promisify(execFile)(desktop.binary, [desktop.shell, own, link], { env: desktop.env });
    await at.askForCode();
    const [login] = (await at.client.requests.list({ limit: 1 })).items;
    await follow(`stagedoor://login/${login?.id}`);
    await expect.poll(() => page.url()).toBe(`${at.server.urls.console}/codes/${login?.id}`);
    await page.waitForSelector("text=Code sent by");
    for (const link of ["stagedoor://codes/../apps", "stagedoor://evil.example/", "stagedoor://login/x.stagedoor.json"])
      await follow(link);
    expect(page.url()).toContain(`/codes/${login?.id}`);
    await follow("stagedoor://codes");
    await expect.poll(() => page.url()).toBe(`${at.server.urls.console}/codes`);
    expect(await windows()).toBe(1);
  });
});
