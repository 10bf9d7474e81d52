/**
 * Stands in for `electron`, whose binary cannot be had everywhere: what src-main uses of it, recording what it is told.
 * The shapes are Electron's own (`electron.d.ts`); how Electron behaves is not proven here.
 */
import { EventEmitter } from "node:events";
import { PassThrough } from "node:stream";
import type * as Electron from "electron";

type Handler<Name extends keyof Electron.Session> = Electron.Session[Name] extends (handler: infer H) => void
  ? NonNullable<H>
  : never;

/** Keeps the handlers that it is given. */
export class SessionStandIn {
  permissionRequest: Parameters<Electron.Session["setPermissionRequestHandler"]>[0] = null;
  permissionCheck: Parameters<Electron.Session["setPermissionCheckHandler"]>[0] = null;
  device: Handler<"setDevicePermissionHandler"> | null = null;
  displayMedia: Parameters<Electron.Session["setDisplayMediaRequestHandler"]>[0] = null;
  setPermissionRequestHandler(handler: typeof this.permissionRequest): void {
    this.permissionRequest = handler;
  }
  setPermissionCheckHandler(handler: typeof this.permissionCheck): void {
    this.permissionCheck = handler;
  }
  setDevicePermissionHandler(handler: typeof this.device): void {
    this.device = handler;
  }
  setDisplayMediaRequestHandler(handler: typeof this.displayMedia): void {
    this.displayMedia = handler;
  }
}

/** A page: emits what Electron would, keeps the handler of new windows. */
export class WebContentsStandIn extends EventEmitter {
  readonly session = new SessionStandIn();
  windowOpen: Parameters<Electron.WebContents["setWindowOpenHandler"]>[0] | undefined;
  setWindowOpenHandler(handler: NonNullable<typeof this.windowOpen>): void {
    this.windowOpen = handler;
  }
}

/** A window: keeps its options and what it was told, in order. */
export class BrowserWindow extends EventEmitter {
  static readonly made: BrowserWindow[] = [];
  readonly webContents = new WebContentsStandIn();
  readonly loaded: string[] = [];
  readonly calls: string[] = [];
  readonly options: Electron.BrowserWindowConstructorOptions;
  destroyed = false;
  minimized = false;
  constructor(options: Electron.BrowserWindowConstructorOptions) {
    super();
    this.options = options;
    BrowserWindow.made.push(this);
  }
  loadURL(url: string): Promise<void> {
    this.loaded.push(url);
    return Promise.resolve();
  }
  isDestroyed(): boolean {
    return this.destroyed;
  }
  isMinimized(): boolean {
    return this.minimized;
  }
  show(): void {
    this.calls.push("show");
  }
  restore(): void {
    this.calls.push("restore");
  }
  focus(): void {
    this.calls.push("focus");
  }
}

/** A forked process: the test writes its output and ends it. */
export class UtilityProcessStandIn extends EventEmitter {
  readonly stdout = new PassThrough();
  readonly stderr = new PassThrough();
  readonly modulePath: string;
  readonly args: readonly string[];
  readonly options: Electron.ForkOptions;
  kills = 0;
  constructor(modulePath: string, args: readonly string[], options: Electron.ForkOptions) {
    super();
    this.modulePath = modulePath;
    this.args = args;
    this.options = options;
  }
  kill(): boolean {
    this.kills++;
    return true;
  }
}

/** What was forked, in order. */
export const forked: UtilityProcessStandIn[] = [];
export const utilityProcess = {
  fork: (modulePath: string, args: readonly string[], options: Electron.ForkOptions): UtilityProcessStandIn => {
    const child = new UtilityProcessStandIn(modulePath, args, options);
    forked.push(child);
    return child;
  },
};

/** What the user's own programs were asked to open. */
export const opened: string[] = [];
export const shell = {
  openExternal: (url: string): Promise<void> => {
    opened.push(url);
    return Promise.resolve();
  },
};

/** Error boxes shown, as `title: text`. */
export const boxes: string[] = [];
export const dialog = { showErrorBox: (title: string, text: string): number => boxes.push(`${title}: ${text}`) };

class AppStandIn extends EventEmitter {
  readonly calls: string[] = [];
  readonly paths = new Map([["userData", "/data"]]);
  firstInstance = true;
  whenReady = (): Promise<void> => Promise.resolve();
  getPath = (name: string): string => this.paths.get(name) ?? "";
  setPath = (name: string, path: string): Map<string, string> => this.paths.set(name, path);
  enableSandbox = (): number => this.calls.push("enableSandbox");
  quit = (): number => this.calls.push("quit");
  exit = (code: number): number => this.calls.push(`exit ${code}`);
  requestSingleInstanceLock = (): boolean => {
    this.calls.push(`lock ${this.getPath("userData")}`);
    return this.firstInstance;
  };
}
export const app = new AppStandIn();

/** The menu bar that was set last. */
export const menus: Electron.MenuItemConstructorOptions[][] = [];
export const Menu = {
  buildFromTemplate: (template: Electron.MenuItemConstructorOptions[]): Electron.MenuItemConstructorOptions[] =>
    template,
  setApplicationMenu: (menu: Electron.MenuItemConstructorOptions[]): number => menus.push(menu),
};
