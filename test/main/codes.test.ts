/**
 * The code comes to where one works, on the stand-in for Electron with a real server: what `codes.electron.test.ts`
 * shows on X11 alone, for the other systems and for the words.
 */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { ADA, useServed } from "../client/support.ts";
import {
  app,
  BrowserWindow,
  boxes,
  copied,
  menus,
  Notification,
  renew,
  shortcuts,
  Tray,
  taken,
} from "./electron-stand-in.ts";
import { choose, click, soon, useShell } from "./shell.ts";

vi.mock("electron", () => import("./electron-stand-in.ts"));
// Created once, before modules are reset, so that the shell gets the stand-in imported here.
await import("electron");

const shell = useShell();
const at = useServed();
const KEYS = "CmdOrCtrl+Shift+Alt+C";

const on = (platform: NodeJS.Platform) => vi.spyOn(process, "platform", "get").mockReturnValue(platform);
const launch = () => shell.launch(`--console-url=${at.server.urls.console}`);
/** Waits until the shell follows the codes. */
const launchWithTray = async (platform: NodeJS.Platform, first = "No codes yet"): Promise<void> => {
  on(platform);
  await launch();
  choose({ tray: true });
  await soon(() => expect(labels()[0]).toContain(first));
};
const labels = () => Tray.made.at(-1)?.menu.map(({ label }) => label) ?? [];
const titles = () => Notification.shown.map(({ options }) => options.title);
const newest = async (): Promise<string> => (await at.client.passcodes.list({ limit: 1 })).items[0]?.code ?? "";
const spaced = (code: string): string => `${code.slice(0, 3)} ${code.slice(3)}`;

beforeEach(() => {
  // A desktop of whoever runs the tests is not asked for its tray.
  for (const name of ["DISPLAY", "WAYLAND_DISPLAY", "PATH"]) vi.stubEnv(name, "");
  return () => vi.unstubAllEnvs();
});

describe.each<NodeJS.Platform>(["linux", "darwin", "win32"])("a new code on %s", (platform) => {
  test("is a notification whose click, or action, copies it; without any window, too", async () => {
    await launchWithTray(platform);
    BrowserWindow.made[0]?.destroy();
    await at.askForCode();
    await soon(() => expect(Notification.shown).toHaveLength(1));
    const code = await newest();
    const { options } = Notification.shown[0] ?? expect.unreachable();
    const words = { title: `Demo: ${spaced(code)} for Ada Lovelace`, body: "Click to copy the code." };
    expect(options).toEqual({ ...words, actions: [{ type: "button", text: "Copy" }] });
    Notification.shown[0]?.emit("click");
    expect(copied).toEqual([code]);
    Notification.shown[0]?.emit("action", {}, 0);
    expect(copied).toEqual([code, code]);
  });
});

describe("no notification", () => {
  test("while a window has the focus, or once it is switched off; the tray has the codes all the same", async () => {
    await launchWithTray("win32");
    BrowserWindow.focused = true;
    await at.askForCode();
    await soon(() => expect(labels()[0]).toContain("Ada Lovelace (Demo)"));
    const first = labels()[0];
    BrowserWindow.focused = false;
    click("Notify About New Codes", false);
    await at.askForCode();
    await soon(() => expect(labels()[0]).not.toBe(first));
    expect(titles()).toEqual([]);
  });

  test("for a code that was there before, that is entered, or that a fault holds back, until it arrives", async () => {
    await at.askForCode();
    await launchWithTray("win32", "Ada");
    const to = (await at.client.profiles.list({ appId: "demo-app", q: "Grace" })).items[0]?.phone ?? "";
    await at.client.faults.add({ effect: { deliverAfterMs: 3_600_000 }, match: { appId: "demo-app", to } });
    await at.askForCode(to);
    const [held] = (await at.client.passcodes.list({ limit: 1 })).items;
    await at.session("PUT", { appId: "demo-app", user: { phone: ADA }, passcode: "000000" });
    await soon(() => expect(labels()[0]).toContain(spaced(held?.code ?? "")));
    expect(titles()).toEqual([]);
    await at.client.passcodes.deliver(held?.id ?? "");
    await soon(() => expect(titles()).toEqual([`Demo: ${spaced(held?.code ?? "")} for Grace Hopper`]));
  });
});

test("codes in quick succession share a notification", async () => {
  await launchWithTray("win32");
  for (let count = 0; count < 4; count++) await at.askForCode();
  await soon(() => expect(titles().join()).toContain(" new codes. Demo: "));
  const seen = titles().map((title) => Number(/^(\d+) new codes/.exec(title ?? "")?.[1] ?? 1));
  expect(seen.reduce((sum, one) => sum + one)).toBe(4);
  expect(titles().at(-1)).toContain(`Demo: ${spaced(await newest())} for Ada Lovelace`);
});

test("a name is one line, not too long, and no menu key", async () => {
  await launchWithTray("win32");
  const [ada] = (await at.client.profiles.list({ appId: "demo-app", q: ADA })).items;
  await at.client.profiles.update(
    ada?.userId ?? "",
    { name: `A & B\n<b>\u202e${"x".repeat(200)}` },
    { appId: "demo-app" },
  );
  await at.askForCode();
  await soon(() => expect(titles()).toHaveLength(1));
  const name = `A & B <b> ${"x".repeat(29)}…`;
  expect(titles()[0]).toBe(`Demo: ${spaced(await newest())} for ${name}`);
  expect(labels()[0]).toBe(`${spaced(await newest())}  ${name.replace("&", "&&")} (Demo)`);
});

test("a name from right to left leaves the digits in their order", async () => {
  await launchWithTray("win32");
  await at.askForCode("+12025550102");
  await soon(() => expect(titles()).toHaveLength(1));
  expect(titles()[0]).toBe(`\u200EDemo: ${spaced(await newest())} for \u2068محمد الخوارزمي\u2069`);
  await soon(() => expect(labels()[0]).toMatch(/^\u200E\d{3} \d{3} {2}\u2068محمد الخوارزمي\u2069 \(Demo\)$/));
});

describe("the tray", () => {
  test("lists the newest five codes, newest first; a click copies, also one that was used", async () => {
    await launchWithTray("darwin");
    const { items } = await at.client.profiles.list({ appId: "demo-app", limit: 6 });
    const phones = items.flatMap(({ phone }) => (phone === null ? [] : [phone]));
    for (const phone of phones) await at.askForCode(phone);
    const codes = (await at.client.passcodes.list({ limit: 5 })).items;
    await at.session("PUT", { appId: "demo-app", user: { phone: codes[1]?.to }, passcode: codes[1]?.code });
    await soon(() => expect(labels()[1]).toMatch(/, used$/));
    expect(
      labels()
        .slice(0, 5)
        .map((label) => /\d{3} \d{3}/.exec(label ?? "")?.[0]),
    ).toEqual(codes.map(({ code }) => spaced(code)));
    expect(labels().slice(5)).toEqual([undefined, "Open Stagedoor", undefined]);
    const [, second] = Tray.made.at(-1)?.menu ?? [];
    Reflect.apply(second?.click ?? expect.unreachable, undefined, []);
    expect(copied).toEqual([codes[1]?.code]);
  });

  test("where there is none the item says so, and closing quits", async () => {
    on("linux");
    await launch();
    choose({ tray: true });
    await soon(() => expect(JSON.stringify(menus.at(-1))).toContain("Show in Tray (no tray found: closing quits)"));
    BrowserWindow.made[0]?.destroy();
    await soon(() => expect(app.calls.at(-1)).toBe("quit"));
  });

  test.each<NodeJS.Platform>(["darwin", "win32"])(
    "on %s there always is one, and closing leaves the app in it",
    async (platform) => {
      await launchWithTray(platform);
      BrowserWindow.made[0]?.destroy();
      await at.askForCode();
      await soon(() => expect(labels()[0]).toContain("Ada"));
      expect(app.calls).not.toContain("quit");
      Reflect.apply(Tray.made[0]?.menu.at(-2)?.click ?? expect.unreachable, undefined, []);
      expect(BrowserWindow.made).toHaveLength(2);
      BrowserWindow.made[1]?.destroy();
      Tray.made[0]?.emit("click");
      expect(BrowserWindow.made).toHaveLength(3);
    },
  );
});

describe("the global shortcut", () => {
  test("is off until it is chosen, copies the newest code, and is remembered", async () => {
    await launch();
    expect(shortcuts.size).toBe(0);
    choose({ shortcut: KEYS });
    await at.askForCode();
    shortcuts.get(KEYS)?.();
    const code = await newest();
    await soon(() => expect(copied).toEqual([code]));
    renew(shell.appData);
    await launch();
    expect([...shortcuts.keys()]).toEqual([KEYS]);
    choose({ shortcut: null });
    expect(shortcuts.size).toBe(0);
  });

  test("without a code says so, in a notification", async () => {
    await launch();
    choose({ shortcut: KEYS });
    shortcuts.get(KEYS)?.();
    await soon(() => expect(titles()).toEqual(["No code was copied"]));
    expect(Notification.shown[0]?.options).toMatchObject({
      body: "No active code. Request one first.",
      actions: [],
    });
    expect([copied, boxes]).toEqual([[], []]);
  });

  test("that another program has is refused; the keys before stay", async () => {
    await launch();
    choose({ shortcut: KEYS });
    taken.push("CmdOrCtrl+Alt+C");
    on("linux");
    choose({ shortcut: "CmdOrCtrl+Alt+C" });
    expect(boxes).toEqual(["Stagedoor: Another program uses Ctrl+Alt+C. Choose other keys."]);
    expect([...shortcuts.keys()]).toEqual([KEYS]);
    renew(shell.appData);
    await launch();
    expect([...shortcuts.keys()]).toEqual([KEYS]);
  });

  test("that another program has taken since is said at the start, and in the menu", async () => {
    on("linux");
    await launch();
    choose({ shortcut: KEYS });
    renew(shell.appData);
    taken.push(KEYS);
    await launch();
    expect(titles()).toEqual(["Ctrl+Shift+Alt+C does not copy codes"]);
    expect(JSON.stringify(menus.at(-1))).toContain("Ctrl+Shift+Alt+C (used by another program)");
  });
});

describe("a link", () => {
  const ID = "7dfaa028-fdf6-41f3-86cd-e56837d350a9";
  const page = () => BrowserWindow.made[0]?.loaded.slice(1).map((url) => url.replace(at.server.urls.console, ""));

  test.each([
    ["stagedoor://codes", "/codes"],
    ["stagedoor://inbox/", "/codes"],
    [`STAGEDOOR://login/${ID.toUpperCase()}/`, `/codes/${ID}`],
  ])("%s opens %s: at the start, by a second start, and on macOS as an event", async (link, path) => {
    await shell.launch(`--console-url=${at.server.urls.console}`, link);
    await soon(() => expect(page()).toEqual([path]));
    app.emit("second-instance", {}, ["stagedoor", link], "/");
    await soon(() => expect(page()).toEqual([path, path]));
    const preventDefault = vi.fn();
    app.emit("open-url", { preventDefault }, link);
    await soon(() => expect(page()).toEqual([path, path, path]));
    expect(preventDefault).toHaveBeenCalledOnce();
  });

  test.each([
    "stagedoor://",
    "stagedoor:codes",
    "stagedoor://codes/../apps",
    "stagedoor://codes?access_token=x",
    "stagedoor://codes#x",
    "stagedoor://codes\n",
    "stagedoor://evil.example/codes",
    "stagedoor://login/",
    "stagedoor://login/../../x",
    `stagedoor://login/${ID}/../../apps`,
    `stagedoor://login/${ID}?app=x`,
    `stagedoor://login/${ID}%2f..`,
    `stagedoor://login/${ID}x`,
    "stagedoor://login/javascript:alert(1)",
    "stagedoor://fixtures",
    "stagedoor://login/a.stagedoor.json",
    "stagedoor:///etc/passwd.stagedoor",
    "https://evil.example/",
  ])("%j opens no page and no file", async (link) => {
    await shell.launch(`--console-url=${at.server.urls.console}`, link);
    app.emit("second-instance", {}, ["stagedoor", link], "/");
    app.emit("open-url", { preventDefault: vi.fn() }, link);
    await new Promise((resolve) => setTimeout(resolve));
    expect([page(), boxes, BrowserWindow.made.length]).toEqual([[], [], 1]);
  });

  test.each<[NodeJS.Platform, boolean, boolean]>([
    ["win32", true, true],
    ["win32", false, false],
    ["linux", true, false],
    ["darwin", true, false],
  ])("is registered by the app itself on %s, packaged %s: %s", async (platform, packaged, registers) => {
    on(platform);
    app.isPackaged = packaged;
    await launch();
    expect(app.calls.includes("links stagedoor")).toBe(registers);
  });
});

test("settings that cannot be read are the defaults", async () => {
  await launch();
  await writeFile(join(app.getPath("userData"), "settings.json"), '{"tray": "yes", "notify": 0, "shortcut": "Enter"');
  renew(shell.appData);
  await launch();
  expect([Tray.made, [...shortcuts.keys()], boxes]).toEqual([[], [], []]);
  const item = { label: "Notify About New Codes", checked: true };
  const items = menus.at(-1)?.flatMap(({ submenu }) => (Array.isArray(submenu) ? submenu : []));
  expect(items).toContainEqual(expect.objectContaining(item));
});
