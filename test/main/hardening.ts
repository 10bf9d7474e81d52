/**
 * What must hold for a window, row by row of Electron's security checklist. The real shell passes all checks; each
 * mutant in `mutants.test.ts` fails at least one.
 */
import { expect, vi } from "vitest";
import { BrowserWindow, opened, SessionStandIn, session, WebContentsStandIn } from "./electron-stand-in.ts";

/** The origin of the window. */
export const ORIGIN = "http://127.0.0.1:4012";
/** Addresses that are not the console's, though some look like it. */
export const FOREIGN: readonly string[] = [
  "http://127.0.0.1:4012.evil.example/",
  "http://127.0.0.1:40123/",
  "http://127.0.0.1:4011/",
  "http://localhost:4012/",
  "https://127.0.0.1:4012/",
  "http://127.0.0.1:4012@evil.example/",
  "http://user:word@127.0.0.1:4012/",
  "http://user@127.0.0.1:4012/",
  "http://:word@127.0.0.1:4012/",
  "javascript:alert(1)",
  "data:text/html,hi",
  "file:///etc/passwd",
  "blob:http://127.0.0.1:4012/5e2c",
  "about:blank",
  "//127.0.0.1:4012/",
  "",
];
/** Addresses that are not passed to the user's browser either. */
export const NOT_OUTSIDE: readonly string[] = [
  `${ORIGIN}/`,
  "http://developer.android.com/",
  "https://developer.android.com:8443/",
  "https://developer.android.com.evil.example/",
  "https://evil.example/",
  "smb://evil.example/share",
  "ms-msdt:/id",
  "calculator:",
  ...FOREIGN,
];
const OUTSIDE = [
  "https://developer.android.com/privacy-and-security/security-config",
  "https://developer.apple.com/documentation",
];
const ALLOWED = ["clipboard-sanitized-write", "local-network", "local-network-access", "loopback-network"];

const ICON = expect.stringMatching(/icons[\\/]icon\.png$/);

/** A created window and its page. */
export interface Made {
  readonly window: BrowserWindow;
  readonly page: WebContentsStandIn;
}

/** Opens a window like the shell. @param open the shell's factory, or a mutant of it */
export const make = (open: (consoleUrl: string) => unknown): Made => {
  BrowserWindow.made.length = 0;
  opened.length = 0;
  session.defaultSession = new SessionStandIn();
  open(`${ORIGIN}/`);
  const [window, ...more] = BrowserWindow.made;
  if (window === undefined || more.length > 0) throw new Error("not one window was made");
  return { window, page: window.webContents };
};

const goes = ({ page }: Made, event: string, url: string, isMainFrame = true): boolean => {
  const preventDefault = vi.fn();
  page.emit(event, { url, isMainFrame, preventDefault });
  return preventDefault.mock.calls.length === 0;
};

const stays = (event: string) => (made: Made) => {
  for (const url of [`${ORIGIN}/`, `${ORIGIN}/sessions?x=1#y`]) expect(goes(made, event, url), url).toBe(true);
  for (const url of FOREIGN) expect(goes(made, event, url), url).toBe(false);
};

const tries = ({ page }: Made, url: string): unknown => {
  const referrer = { url: "", policy: "default" } as const;
  return page.windowOpen?.({ url, frameName: "", features: "", disposition: "new-window", referrer });
};

/** The decision of one of the two handlers. The names are from electron.d.ts; its own union would have to be repeated. */
const asks = ({ page }: Made, permission: string, asker: string): readonly [asked: unknown, checked: unknown] => {
  const { permissionRequest, permissionCheck } = page.session;
  const answer = vi.fn<(granted: boolean) => void>();
  const details = { requestingUrl: `${asker}/`, isMainFrame: true };
  Reflect.apply(permissionRequest ?? vi.fn(), null, [page, permission, answer, details]);
  const checked = Reflect.apply(permissionCheck ?? vi.fn(), null, [null, permission, asker, { isMainFrame: true }]);
  return [answer.mock.calls[0]?.[0], checked];
};

/**
 * @param permissions all that Electron knows
 * @returns the checks, by checklist row and subject
 */
export const checks = (permissions: readonly string[]): Readonly<Record<string, (made: Made) => void>> => ({
  "2, 3, 4, 6, 8 to 11: the page is sandboxed, and nothing that weakens it is set": ({ window }) =>
    expect(window.options.webPreferences).toEqual({
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      nodeIntegrationInWorker: false,
      nodeIntegrationInSubFrames: false,
      webviewTag: false,
    }),
  "1, 18: the console is loaded over http, and nothing else": ({ window }) =>
    expect(window.loaded).toEqual([`${ORIGIN}/`]),
  "no dictionary is downloaded": ({ page }) => expect(page.session.languages).toEqual([]),
  "12: a webview is never attached": ({ page }) => {
    const preventDefault = vi.fn();
    page.emit("will-attach-webview", { preventDefault });
    expect(preventDefault).toHaveBeenCalledOnce();
  },
  "13: the page does not navigate away": stays("will-navigate"),
  "13: no frame navigates away": stays("will-frame-navigate"),
  "13: no redirect leads away": stays("will-redirect"),
  "13: but a frame shows the stage's phone, from another port of this host": (made) => {
    for (const event of ["will-navigate", "will-frame-navigate", "will-redirect"])
      for (const url of FOREIGN) {
        const isHere = /^http:\/\/127\.0\.0\.1:\d+\/$/.test(url);
        expect(goes(made, event, `${url}emulator/demo/?appId=demo-app`, false), url).toBe(isHere);
        expect(goes(made, event, `${url}emulator/demo/`), url).toBe(false);
        expect(goes(made, event, `${url}emulator/demo`, false), url).toBe(false);
        expect(goes(made, event, url, false), url).toBe(false);
      }
  },
  "14: no window is opened": (made) => {
    for (const url of [...OUTSIDE, ...NOT_OUTSIDE]) expect(tries(made, url), url).toEqual({ action: "deny" });
  },
  "14: but for the newest code, above all other windows, and kept in as its opener is": (made) => {
    for (const path of ["/mini", "/mini?app=demo-app"])
      expect(tries(made, ORIGIN + path)).toEqual({
        action: "allow",
        overrideBrowserWindowOptions: { icon: ICON, alwaysOnTop: true },
        outlivesOpener: true,
      });
    for (const url of FOREIGN) expect(tries(made, `${url}mini`), url).toEqual({ action: "deny" });
    const child = { window: made.window, page: new WebContentsStandIn() };
    const hides = vi.fn();
    made.page.emit("did-create-window", { webContents: child.page, setMenuBarVisibility: hides }, { url: ORIGIN });
    expect(hides.mock.calls).toEqual([[false]]);
    expect(goes(child, "will-navigate", FOREIGN[0] ?? "")).toBe(false);
    for (const path of ["/codes", "/minimal"]) expect(tries(child, ORIGIN + path), path).toEqual({ action: "deny" });
  },
  "15: the user's browser is handed the pages of two hosts, by https": (made) => {
    opened.length = 0;
    for (const url of [...OUTSIDE, ...NOT_OUTSIDE]) tries(made, url);
    expect(opened).toEqual(OUTSIDE);
  },
  "5: of all permissions, the console's origin gets four, asked and checked": (made) => {
    expect(permissions).toEqual(
      expect.arrayContaining([...ALLOWED, "media", "geolocation", "notifications", "openExternal"]),
    );
    for (const name of permissions)
      expect(asks(made, name, ORIGIN), name).toEqual([ALLOWED.includes(name), ALLOWED.includes(name)]);
  },
  "5: no other origin gets one": (made) => {
    for (const asker of ["http://127.0.0.1:4011", "https://evil.example", ""])
      for (const name of permissions) expect(asks(made, name, asker), `${name} of ${asker}`).toEqual([false, false]);
  },
  "5: no device and no screen is handed out": ({ page }) => {
    const { device, displayMedia } = page.session;
    expect(Reflect.apply(device ?? vi.fn(), null, [{ deviceType: "hid", origin: ORIGIN }])).toBe(false);
    const answer = vi.fn();
    Reflect.apply(displayMedia ?? vi.fn(), null, [{ securityOrigin: ORIGIN }, answer]);
    expect(answer.mock.calls).toEqual([[null]]);
  },
});
