/**
 * Stands in for `electron`, whose binary is not available everywhere: the parts that src-main uses, with every call
 * recorded. The types are Electron's own (`electron.d.ts`); this does not prove how Electron behaves.
 */
import { EventEmitter } from "node:events";
import { PassThrough } from "node:stream";
import type * as Electron from "electron";

type Handler<Name extends keyof Electron.Session> = Electron.Session[Name] extends (handler: infer H) => void
  ? NonNullable<H>
  : never;

/** Keeps the handlers it is given. */
export class SessionStandIn {
  permissionRequest: Parameters<Electron.Session["setPermissionRequestHandler"]>[0] = null;
  permissionCheck: Parameters<Electron.Session["setPermissionCheckHandler"]>[0] = null;
  device: Handler<"setDevicePermissionHandler"> | null = null;
  displayMedia: Parameters<Electron.Session["setDisplayMediaRequestHandler"]>[0] = null;
  /** Chromium's own until they are set. */
  languages: readonly string[] = ["en-US"];
  setSpellCheckerLanguages(languages: readonly string[]): void {
    this.languages = languages;
  }
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

/** The only session. */
export const session = { defaultSession: new SessionStandIn() };

/** A page: emits Electron's events and keeps the handler for new windows. */
export class WebContentsStandIn extends EventEmitter {
  readonly session = session.defaultSession;
  windowOpen: Parameters<Electron.WebContents["setWindowOpenHandler"]>[0] | undefined;
  /** Scripts that the shell ran in it. */
  readonly scripts: string[] = [];
  crashes = 0;
  loading = false;
  isLoadingMainFrame(): boolean {
    return this.loading;
  }
  executeJavaScript(code: string): Promise<void> {
    this.scripts.push(code);
    return Promise.resolve();
  }
  /** Like Electron: the process is gone, which is reported. */
  forcefullyCrashRenderer(): void {
    this.crashes++;
    this.emit("render-process-gone", {}, { reason: "killed", exitCode: 9 });
  }
  setWindowOpenHandler(handler: NonNullable<typeof this.windowOpen>): void {
    this.windowOpen = handler;
  }
}

/** A window: keeps its options and the calls, in order. */
export class BrowserWindow extends EventEmitter {
  static readonly made: BrowserWindow[] = [];
  /** Whether one of them has the focus. */
  static focused = false;
  static getFocusedWindow(): BrowserWindow | null {
    return BrowserWindow.focused ? (BrowserWindow.made.at(-1) ?? null) : null;
  }
  static getAllWindows(): BrowserWindow[] {
    return BrowserWindow.made.filter(({ destroyed }) => !destroyed);
  }
  readonly webContents = new WebContentsStandIn();
  readonly loaded: string[] = [];
  readonly calls: string[] = [];
  readonly options: Electron.BrowserWindowConstructorOptions;
  destroyed = false;
  minimized = false;
  constructor(options: Electron.BrowserWindowConstructorOptions) {
    super();
    this.options = options;
    // Like Electron 45.
    if (options.name !== undefined && BrowserWindow.getAllWindows().some((one) => one.options.name === options.name))
      throw new Error(`Window name "${options.name}" is already in use.`);
    BrowserWindow.made.push(this);
  }
  loadURL(url: string): Promise<void> {
    this.loaded.push(url);
    queueMicrotask(() => this.emit("ready-to-show"));
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
  destroy(): void {
    this.destroyed = true;
    this.calls.push("destroy");
    // Like Electron, immediately, when no window is left.
    if (BrowserWindow.made.every(({ destroyed }) => destroyed)) app.emit("window-all-closed");
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
  /** Ends it as Electron reports it: on exit all listeners are removed, and output written later still arrives. */
  end(status: number): void {
    this.emit("exit", status);
    this.stdout.removeAllListeners();
    this.stderr.removeAllListeners();
  }
}

/** The forked processes, in order. */
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
  openPath: (path: string): Promise<string> => {
    opened.push(path);
    return Promise.resolve("");
  },
  showItemInFolder: (path: string): number => opened.push(`beside ${path}`),
};

/** The error boxes shown, as `title: text`. */
export const boxes: string[] = [];
/** The questions asked, in order. */
export const questions: Electron.MessageBoxOptions[] = [];
/** The windows to which they belong, in order. */
export const parents: (BrowserWindow | undefined)[] = [];
/** The user's next answers: a button's label, or a path; without one: cancelled, or a question that stays open. */
export const answers: string[] = [];
export const dialog = {
  showErrorBox: (title: string, text: string): number => boxes.push(`${title}: ${text}`),
  /** An error without buttons is one of the boxes. @param given the window, if there is one, and the options. */
  showMessageBox: (
    ...given: [Electron.MessageBoxOptions] | [BrowserWindow, Electron.MessageBoxOptions]
  ): Promise<Electron.MessageBoxReturnValue> => {
    const [parent, options] = given.length === 2 ? given : [undefined, given[0]];
    if (options.type === "error" && options.buttons === undefined) boxes.push(`Stagedoor: ${options.message}`);
    else {
      questions.push(options);
      parents.push(parent);
    }
    const answer = answers.shift();
    if (answer === undefined) return new Promise(() => {});
    return Promise.resolve({ response: options.buttons?.indexOf(answer) ?? -1, checkboxChecked: false });
  },
  /** Blocks everything until it is answered; without an answer it is cancelled. */
  showMessageBoxSync: (_window: unknown, options: Electron.MessageBoxSyncOptions): number => {
    questions.push(options);
    return options.buttons?.indexOf(answers.shift() ?? "") ?? -1;
  },
  showSaveDialog: (
    _window: BrowserWindow,
    _options: Electron.SaveDialogOptions,
  ): Promise<Electron.SaveDialogReturnValue> => {
    const filePath = answers.shift();
    return Promise.resolve({ canceled: filePath === undefined, filePath: filePath ?? "" });
  },
  showOpenDialog: (
    _window: BrowserWindow,
    _options: Electron.OpenDialogOptions,
  ): Promise<Electron.OpenDialogReturnValue> => {
    const filePath = answers.shift();
    return Promise.resolve({ canceled: filePath === undefined, filePaths: filePath === undefined ? [] : [filePath] });
  },
};

/** What was copied. */
export const copied: string[] = [];
export const clipboard = { writeText: (text: string): number => copied.push(text) };

/** A native notification: keeps its words, and emits Electron's events. */
export class Notification extends EventEmitter {
  static readonly shown: Notification[] = [];
  readonly options: Electron.NotificationConstructorOptions;
  constructor(options: Electron.NotificationConstructorOptions) {
    super();
    this.options = options;
  }
  show(): void {
    Notification.shown.push(this);
  }
}

/** Keys that another program has. */
export const taken: string[] = [];
/** The registered keys, with what they do. */
export const shortcuts = new Map<string, () => void>();
export const globalShortcut = {
  register: (accelerator: string, press: () => void): boolean =>
    !taken.includes(accelerator) && shortcuts.set(accelerator, press).has(accelerator),
  unregisterAll: (): void => shortcuts.clear(),
};

class AppStandIn extends EventEmitter {
  readonly calls: string[] = [];
  readonly paths = new Map<string, string>();
  firstInstance = true;
  isPackaged = false;
  userAgentFallback = "Electron/45";
  setAsDefaultProtocolClient = (scheme: string): boolean => this.calls.push(`links ${scheme}`) > 0;
  whenReady = (): Promise<void> => Promise.resolve();
  getPath = (name: string): string => this.paths.get(name) ?? "";
  setPath = (name: string, path: string): Map<string, string> => this.paths.set(name, path);
  enableSandbox = (): number => this.calls.push("enableSandbox");
  setAppUserModelId = (id: string): Map<string, string> => this.paths.set("id", id);
  quit = (): void => {
    let prevented = false;
    this.emit("will-quit", {
      preventDefault: () => {
        prevented = true;
      },
    });
    this.calls.push(prevented ? "quit later" : "quit");
  };
  exit = (code: number): number => this.calls.push(`exit ${code}`);
  requestSingleInstanceLock = (): boolean => {
    this.calls.push(`lock ${this.getPath("userData")}`);
    return this.firstInstance;
  };
}
export const app = new AppStandIn();

/** The current menu bar. */
export const menus: Electron.MenuItemConstructorOptions[][] = [];
export const Menu = {
  buildFromTemplate: (template: Electron.MenuItemConstructorOptions[]): Electron.MenuItemConstructorOptions[] =>
    template,
  setApplicationMenu: (menu: Electron.MenuItemConstructorOptions[]): number => menus.push(menu),
};

/** A tray icon. */
export class Tray extends EventEmitter {
  static readonly made: Tray[] = [];
  readonly image: string;
  menu: Electron.MenuItemConstructorOptions[] = [];
  destroyed = false;
  constructor(image: string) {
    super();
    this.image = image;
    Tray.made.push(this);
  }
  setToolTip(_text: string): void {}
  setContextMenu(menu: Electron.MenuItemConstructorOptions[]): void {
    this.menu = menu;
  }
  destroy(): void {
    this.destroyed = true;
  }
}

/** Restores the state before the first launch. @param appData the directory for application data */
export const renew = (appData: string): void => {
  app.emit("quit");
  app.removeAllListeners();
  app.firstInstance = true;
  app.isPackaged = false;
  BrowserWindow.focused = false;
  shortcuts.clear();
  app.paths.clear();
  app.paths.set("appData", appData);
  const lists = [
    app.calls,
    BrowserWindow.made,
    Tray.made,
    boxes,
    questions,
    parents,
    answers,
    opened,
    copied,
    forked,
    menus,
  ];
  for (const list of [Notification.shown, taken]) list.length = 0;
  for (const list of lists) list.length = 0;
};
