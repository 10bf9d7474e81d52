/** Restrictions for pages: https://www.electronjs.org/docs/latest/tutorial/security, items 5 and 11 to 15. */
import { type BrowserWindow, type Session, screen, shell, type WebContents } from "electron";
import { picture } from "./picture.ts";
import { readSettings, saveSettings } from "./settings.ts";

/** The console needs the clipboard and loopback requests; everything else is denied, notifications as the shell has its own. */
const ALLOWED_PERMISSIONS: ReadonlySet<string> = new Set(
  "clipboard-sanitized-write local-network local-network-access loopback-network".split(" "),
);
/** Platform documentation that the console links to. */
const OUTSIDE_HOSTS: ReadonlySet<string> = new Set(["developer.android.com", "developer.apple.com"]);
/** The page of the newest code, whose window stays when the console's is closed. */
const MINI = "/mini";
/** The console's pages that get their own window, with the preferences of its opener. */
const WINDOWS: Record<string, object> = {
  [MINI]: { alwaysOnTop: true },
};
/** The demo app: the phone of Present. */
const FRAMED = "/emulator/demo/";
const parse = (url: string): URL | undefined => (URL.canParse(url) ? new URL(url) : undefined);

/** @returns whether a URL has the console's origin; parsed, because `http://127.0.0.1:1.evil.com` starts like it. */
export const isOwn = (url: string, origin: string): boolean => {
  const parsed = parse(url);
  return parsed?.protocol === "http:" && parsed.origin === origin && parsed.username === "" && parsed.password === "";
};

/** @returns whether a URL may be in a frame: a page of auth, on another port of the console's host. */
const mayBeFramed = (url: string, origin: string): boolean => {
  const { port = "", pathname = "" } = parse(url) ?? {};
  return pathname === FRAMED && isOwn(url, Object.assign(new URL(origin), { port }).origin);
};

/** @returns whether a URL may be opened in the user's browser. */
export const mayOpenOutside = (url: string): boolean => {
  const parsed = parse(url);
  return parsed?.protocol === "https:" && parsed.port === "" && OUTSIDE_HOSTS.has(parsed.hostname);
};

/** From the corner of the screen, in pixels. */
const MARGIN = 16;

/** Puts the mini window where it was last, if that is on a screen, or else in the lower right corner. */
const placeMini = (mini: BrowserWindow): void => {
  const { x, y, width, height } = screen.getPrimaryDisplay().workArea;
  const [ownWidth = 0, ownHeight = 0] = mini.getSize();
  const [left, top] = readSettings().mini ?? [Number.NaN, Number.NaN];
  const isSeen = screen.getAllDisplays().some(({ workArea: area }) => {
    const [right, low] = [left - area.x, top - area.y];
    return right >= 0 && low >= 0 && right < area.width - MARGIN && low < area.height - MARGIN;
  });
  if (isSeen) mini.setPosition(left, top);
  else mini.setPosition(x + width - ownWidth - MARGIN, y + height - ownHeight - MARGIN);
  mini.on("close", () => {
    const [left = 0, top = 0] = mini.getPosition();
    saveSettings({ mini: [left, top] });
  });
};

/** Restricts navigation of a new page. @param origin the console's, the only one allowed, except in the frame of Present */
export const lockContents = (contents: WebContents, origin: string): void => {
  const stay = (event: { url: string; isMainFrame: boolean; preventDefault: () => void }): unknown =>
    !isOwn(event.url, origin) && (event.isMainFrame || !mayBeFramed(event.url, origin)) && event.preventDefault();
  contents.on("will-navigate", stay);
  contents.on("will-frame-navigate", stay);
  contents.on("will-redirect", stay);
  contents.on("will-attach-webview", (event) => event.preventDefault());
  contents.on("did-create-window", (child) => lockContents(child.webContents, origin));
  // Its shortcuts still work.
  contents.on("did-create-window", (child, { url }) => {
    child.setMenuBarVisibility(false);
    if (new URL(url).pathname === MINI) placeMini(child);
  });
  contents.setWindowOpenHandler(({ url }) => {
    const options = isOwn(url, origin) ? WINDOWS[new URL(url).pathname] : undefined;
    const overrideBrowserWindowOptions = { icon: picture("icon"), ...options };
    const outlivesOpener = options === WINDOWS[MINI];
    if (options !== undefined) return { action: "allow", overrideBrowserWindowOptions, outlivesOpener };
    if (mayOpenOutside(url)) shell.openExternal(url).catch(() => {}); // The system shows its own dialog.
    return { action: "deny" };
  });
};

/** Denies all permissions and devices that the console does not need, and requests of Chromium's own. @param origin the console's */
export const lockSession = (session: Session, origin: string): void => {
  // Otherwise Chromium downloads a dictionary as soon as there is a page, whatever the page's own setting.
  session.setSpellCheckerLanguages([]);
  const allows = (permission: string, asker: string) => ALLOWED_PERMISSIONS.has(permission) && isOwn(asker, origin);
  session.setPermissionRequestHandler((_contents, permission, answer, { requestingUrl }) =>
    answer(allows(permission, requestingUrl)),
  );
  session.setPermissionCheckHandler((_contents, permission, asker) => allows(permission, asker));
  session.setDevicePermissionHandler(() => false);
  // null denies; an object without streams would throw.
  session.setDisplayMediaRequestHandler((_request, answer) => answer(null));
};
