/** Each row of Electron's security checklist that the shell answers for; flipping any of them fails here. */
import { readFile } from "node:fs/promises";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { isOwn, mayOpenOutside } from "../../src-main/lockdown.ts";
import { openWindow } from "../../src-main/window.ts";
import { BrowserWindow, opened, type WebContentsStandIn } from "./electron-stand-in.ts";

vi.mock("electron", () => import("./electron-stand-in.ts"));

const ORIGIN = "http://127.0.0.1:4012";
const FOREIGN = [
  "http://127.0.0.1:4012.evil.example/",
  "http://127.0.0.1:4011/",
  "http://localhost:4012/",
  "https://127.0.0.1:4012/",
  "http://127.0.0.1:4012@evil.example/",
  "http://user:word@127.0.0.1:4012/",
  "javascript:alert(1)",
  "data:text/html,hi",
  "file:///etc/passwd",
  "blob:http://127.0.0.1:4012/5e2c",
  "about:blank",
  "//127.0.0.1:4012/",
  "",
];

let page: WebContentsStandIn;
let window: BrowserWindow;
beforeEach(() => {
  BrowserWindow.made.length = 0;
  opened.length = 0;
  openWindow(`${ORIGIN}/`);
  const [made] = BrowserWindow.made;
  if (made === undefined) throw new Error("no window was made");
  window = made;
  page = made.webContents;
});

test("the page is sandboxed, and nothing that weakens it is set", () => {
  expect(window.options.webPreferences).toEqual({
    sandbox: true,
    contextIsolation: true,
    nodeIntegration: false,
    nodeIntegrationInWorker: false,
    nodeIntegrationInSubFrames: false,
    webviewTag: false,
  });
});

test("the window loads the console and shows itself when it is painted", () => {
  expect(window.loaded).toEqual([`${ORIGIN}/`]);
  expect(window.options.show).toBe(false);
  window.emit("ready-to-show");
  expect(window.calls).toEqual(["show"]);
});

test("a page that could not be loaded is tried again, a frame in it is not, nor a closed window", () => {
  vi.useFakeTimers();
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

describe.each(["will-navigate", "will-frame-navigate", "will-redirect"])("%s", (event) => {
  const goes = (url: string): boolean => {
    const preventDefault = vi.fn();
    page.emit(event, { url, preventDefault });
    return preventDefault.mock.calls.length === 0;
  };
  test.each([`${ORIGIN}/`, `${ORIGIN}/sessions?x=1#y`])("goes to %s", (url) => expect(goes(url)).toBe(true));
  test.each(FOREIGN)("does not go to %s", (url) => expect(goes(url)).toBe(false));
});

test("a webview is never attached", () => {
  const preventDefault = vi.fn();
  page.emit("will-attach-webview", { preventDefault });
  expect(preventDefault).toHaveBeenCalledOnce();
});

describe("a new window", () => {
  const open = (url: string): unknown =>
    page.windowOpen?.({
      url,
      frameName: "",
      features: "",
      disposition: "new-window",
      referrer: { url: "", policy: "default" },
    });

  test.each([
    "https://developer.android.com/privacy-and-security/security-config",
    "https://developer.apple.com/documentation",
  ])("%s is opened in the user's browser instead", (url) => {
    expect(open(url)).toEqual({ action: "deny" });
    expect(opened).toEqual([url]);
  });

  test.each([
    `${ORIGIN}/`,
    "http://developer.android.com/",
    "https://developer.android.com:8443/",
    "https://developer.android.com.evil.example/",
    "https://evil.example/",
    "smb://evil.example/share",
    "ms-msdt:/id",
    "calculator:",
    ...FOREIGN,
  ])("%s is opened nowhere", (url) => {
    expect(open(url)).toEqual({ action: "deny" });
    expect(opened).toEqual([]);
    expect(mayOpenOutside(url)).toBe(false);
  });
});

describe("permissions", () => {
  const ALLOWED = [
    "clipboard-sanitized-write",
    "local-network",
    "local-network-access",
    "loopback-network",
    "notifications",
  ];
  /** Both handlers are asked; they must agree. */
  const grants = (permission: string, asker: string): boolean => {
    const { permissionRequest, permissionCheck } = page.session;
    const answer = vi.fn<(granted: boolean) => void>();
    // The names are read from electron.d.ts: Electron's own union of them would have to be written out here.
    Reflect.apply(permissionRequest ?? vi.fn(), null, [
      page,
      permission,
      answer,
      { requestingUrl: `${asker}/`, isMainFrame: true },
    ]);
    const checked = Reflect.apply(permissionCheck ?? vi.fn(), null, [null, permission, asker, { isMainFrame: true }]);
    expect(answer.mock.calls).toEqual([[checked]]);
    return checked === true;
  };

  test("of all that Electron names, the console's origin gets five", async () => {
    const types = await readFile(new URL("../../node_modules/electron/electron.d.ts", import.meta.url), "utf8");
    const union =
      /setPermissionRequestHandler\(handler: .*?permission: ((?:'[^']+' \| )+'[^']+')/.exec(types)?.[1] ?? "";
    const names = union.split(" | ").map((name) => name.slice(1, -1));
    expect(names).toEqual(expect.arrayContaining([...ALLOWED, "media", "geolocation", "openExternal"]));
    expect(names.filter((name) => grants(name, ORIGIN)).sort()).toEqual(ALLOWED);
  });

  test.each(ALLOWED)("no other origin gets %s", (permission) => {
    for (const asker of ["http://127.0.0.1:4011", "https://evil.example", ""])
      expect(grants(permission, asker)).toBe(false);
  });

  test("no device and no screen is handed out", () => {
    expect(Reflect.apply(page.session.device ?? vi.fn(), null, [{ deviceType: "hid", origin: ORIGIN }])).toBe(false);
    const answer = vi.fn();
    Reflect.apply(page.session.displayMedia ?? vi.fn(), null, [{ securityOrigin: ORIGIN }, answer]);
    expect(answer.mock.calls).toEqual([[{}]]);
  });
});

test.each(FOREIGN)("%s is not our own", (url) => expect(isOwn(url, ORIGIN)).toBe(false));
