/** The console's window and its mini window in real Electron, with a real server and a window manager. */
import { once } from "node:events";
import type { ElectronApplication } from "playwright-core";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Built, startBuilt } from "#test/hosts/built.ts";
import { patiently, useDesktop } from "./desktop.ts";

const IS_X11 = process.platform === "linux";

describe("windows", () => {
  const desktop = useDesktop({ manager: true });
  let server: Built;
  let shell: ElectronApplication;

  beforeEach(async () => {
    server = await startBuilt(["--ephemeral"]);
    shell = await desktop.launch(`--console-url=${server.ready.consoleUrl}`);
    await (await shell.firstWindow()).waitForLoadState();
    await patiently(async () => expect(await path()).toBe("/"));
    // What is done to a window before it is shown is undone by that.
    await patiently(async () => expect(await isVisible()).toBe(true));
    if (IS_X11) await patiently(async () => expect(await shown()).toHaveLength(1));
  });
  afterEach(async () => {
    await shell.close().catch(() => {});
    await server.stop();
  });

  /** The pages of all windows, the console's first. */
  const paths = () =>
    shell.evaluate(({ BrowserWindow }) =>
      BrowserWindow.getAllWindows()
        .sort((one, other) => one.id - other.id)
        .map(({ webContents }) => webContents.getURL().replace(/^http:\/\/[^/]+/, "")),
    );
  const path = async (): Promise<string | undefined> => (await paths())[0];
  const isVisible = () => shell.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.isVisible());
  const isLoading = () =>
    shell.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.webContents.isLoading());
  const titles = () =>
    shell.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().map((one) => one.getTitle()));
  const zoom = () =>
    shell.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.webContents.getZoomLevel());
  /** Clicks items of the menu bar, one directly after the other. */
  const click = (...labels: string[]) =>
    shell.evaluate(({ BrowserWindow, Menu }, wanted) => {
      const items = Menu.getApplicationMenu()?.items.flatMap(({ submenu }) => submenu?.items ?? []) ?? [];
      for (const label of wanted)
        items.find((item) => item.label === label)?.click(undefined, BrowserWindow.getAllWindows()[0]);
    }, labels);
  /** Presses keys in the console's window. */
  const press = async (...keys: string[]): Promise<void> => {
    await desktop.run(
      "xdotool",
      "search",
      "--sync",
      "--onlyvisible",
      "--name",
      "Stagedoor",
      "windowactivate",
      "--sync",
    );
    for (const key of keys) await desktop.run("xdotool", "key", key);
  };
  /** The windows that the window manager knows. */
  const shown = async (): Promise<string[]> =>
    (await desktop.run("wmctrl", "-l")).split("\n").flatMap((line) => line.split(" ")[0] || []);
  const property = (id: string, ...wanted: string[]) => desktop.run("xprop", "-id", id, ...wanted);

  test("a screen that is left while it loads is not an error: the last one stays", async () => {
    await click("Codes", "Users", "Requests", "Setup");
    await expect.poll(path).toBe("/setup");
    // A retry would come by a timer of this length that had begun before this one, so it would come first.
    await shell.evaluate(() => new Promise((resolve) => setTimeout(resolve, 1000)));
    await expect.poll(isLoading).toBe(false);
    expect(await path()).toBe("/setup");
  });

  test("after a crash and after a lost server, the same page comes back; meanwhile the window says why", async () => {
    await click("Users");
    await expect.poll(path).toBe("/users");
    await shell.evaluate(({ BrowserWindow }) => {
      const contents = BrowserWindow.getAllWindows()[0]?.webContents;
      const loaded = new Promise<void>((resolve) => contents?.once("did-finish-load", () => resolve()));
      contents?.forcefullyCrashRenderer();
      return loaded;
    });
    expect(await path()).toBe("/users");

    const port = new URL(server.ready.consoleUrl).port;
    await server.stop();
    await click("Reload");
    await expect.poll(path).toMatch(/^data:.*does%20not%20respond/);
    await expect.poll(titles).toEqual(["Stagedoor"]);
    server = await startBuilt(["--ephemeral", "--console-port", port]);
    await expect.poll(path).toBe("/users");
  });

  test("a second start brings the window back, and ends with status 0", async () => {
    await shell.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.minimize());
    const isMinimized = () => shell.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.isMinimized());
    await expect.poll(isMinimized).toBe(true);
    const second = desktop.open(`--console-url=${server.ready.consoleUrl}`);
    expect(await once(second, "exit")).toEqual([0, null]);
    await expect.poll(isMinimized).toBe(false);
    expect(await paths()).toHaveLength(1);
  });

  test("the mini window has the app's icon, no menu bar, and outlives the console's window", async () => {
    await click("Mini Window");
    await expect.poll(paths).toEqual(["/", expect.stringMatching(/^\/mini/)]);
    const mini = () =>
      shell.evaluate(({ BrowserWindow }) => {
        const found = BrowserWindow.getAllWindows().find(({ webContents }) => webContents.getURL().includes("/mini"));
        return { hasMenu: found?.isMenuBarVisible(), isOnTop: found?.isAlwaysOnTop() };
      });
    await expect.poll(mini).toEqual({ hasMenu: false, isOnTop: true });
    if (IS_X11) {
      await expect.poll(async () => (await shown()).length).toBe(2);
      const icons = await Promise.all(
        (await shown()).map((id) => property(id, "-len", "64", "-f", "_NET_WM_ICON", "32c", "_NET_WM_ICON")),
      );
      expect(icons[0]).toMatch(/= \d+, \d+, \d+/);
      expect(icons[1]).toBe(icons[0]);
      const classes = await Promise.all((await shown()).map((id) => property(id, "WM_CLASS")));
      expect(new Set(classes)).toEqual(new Set(['WM_CLASS(STRING) = "stagedoor", "Stagedoor"\n']));
    }
    await shell.evaluate(({ BrowserWindow }) =>
      BrowserWindow.getAllWindows()
        .find(({ webContents }) => !webContents.getURL().includes("/mini"))
        ?.close(),
    );
    await expect.poll(paths).toEqual([expect.stringMatching(/^\/mini/)]);
    await click("Users");
    await expect.poll(paths).toEqual([expect.stringMatching(/^\/mini/), "/users"]);
  });

  test("the mini window opens in a lower corner, and later where it was left", async () => {
    const bounds = () =>
      shell.evaluate(({ BrowserWindow, screen }) => {
        const mini = BrowserWindow.getAllWindows().find(({ webContents }) => webContents.getURL().includes("/mini"));
        const { width, height } = screen.getPrimaryDisplay().workArea;
        const box = mini?.getBounds();
        return box && { ...box, right: width - box.x - box.width, below: height - box.y - box.height };
      });
    await click("Mini Window");
    // The frame of the window manager takes some pixels.
    await expect.poll(async () => Math.abs((await bounds())?.right ?? 999)).toBeLessThan(40);
    expect(Math.abs((await bounds())?.below ?? 999)).toBeLessThan(60);
    const moved = () =>
      shell.evaluate(({ BrowserWindow }) => {
        const mini = BrowserWindow.getAllWindows().find(({ webContents }) => webContents.getURL().includes("/mini"));
        mini?.setPosition(200, 300);
        return mini?.getPosition();
      });
    await expect.poll(moved).toEqual([200, 300]);
    await shell.evaluate(({ BrowserWindow }) =>
      BrowserWindow.getAllWindows()
        .find(({ webContents }) => webContents.getURL().includes("/mini"))
        ?.close(),
    );
    await expect.poll(bounds).toBeUndefined();
    await click("Mini Window");
    await expect.poll(async () => Math.abs(((await bounds())?.x ?? 999) - 200)).toBeLessThan(40);
  });

  test.skipIf(!IS_X11)("Ctrl+=, Ctrl++ and the keypad zoom in; Ctrl+- out, Ctrl+0 resets", async () => {
    for (const [at, key] of ["ctrl+equal", "ctrl+plus", "ctrl+KP_Add"].entries()) {
      await press(key);
      await expect.poll(zoom, { message: key }).toBe((at + 1) / 2);
    }
    await press("ctrl+minus");
    await expect.poll(zoom).toBe(1);
    await press("ctrl+0");
    await expect.poll(zoom).toBe(0);
  });

  test.skipIf(!IS_X11)("a dialog belongs to the window, and is one", async () => {
    const [main = ""] = await shown();
    await press("ctrl+o");
    await expect.poll(async () => (await shown()).length).toBe(2);
    // As on macOS, whose menu can be used while a dialog is open.
    await click("Import…", "Export…");
    const dialog = (await shown()).find((id) => id !== main) ?? "";
    const [parent] = /0x[\da-f]+/.exec(await property(dialog, "WM_TRANSIENT_FOR")) ?? [];
    expect(Number(parent)).toBe(Number(main));
    await desktop.run("xdotool", "key", "ctrl+o");
    await desktop.run("xdotool", "windowactivate", "--sync", dialog, "key", "Escape");
    await expect.poll(shown).toEqual([main]);
  });
});
