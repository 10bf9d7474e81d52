/** Whether a tray shows our icon. Electron does not tell: on Linux an icon without a tray is nowhere. */
import { execFile } from "node:child_process";
import { variable } from "#client/environment.ts";
import { isSelectionOwned } from "./x11-selection.ts";

const WATCHER = "org.kde.StatusNotifierWatcher";
const PATH = "/StatusNotifierWatcher";
const PROPERTY = "IsStatusNotifierHostRegistered";
const GET = "org.freedesktop.DBus.Properties.Get";
/** Programs that ask the session bus; a desktop has at least one. */
const QUESTIONS: readonly (readonly [program: string, ...args: string[]])[] = [
  ["gdbus", "call", "--session", `--dest=${WATCHER}`, `--object-path=${PATH}`, `--method=${GET}`, WATCHER, PROPERTY],
  ["busctl", "--user", "get-property", WATCHER, PATH, WATCHER, PROPERTY],
  [
    "dbus-send",
    "--session",
    "--print-reply",
    `--dest=${WATCHER}`,
    PATH,
    GET,
    `string:${WATCHER}`,
    `string:${PROPERTY}`,
  ],
];
const TIMEOUT_MS = 2_000;

const ask = ([program, ...args]: readonly [string, ...string[]]): Promise<boolean> =>
  new Promise((resolve) =>
    execFile(program, args, { timeout: TIMEOUT_MS }, (_error, answer) => resolve(/\btrue\b/.test(answer))),
  );

/** @param platform a `process.platform` value. @returns whether there is a tray: of StatusNotifier, or of X11. */
export const hasTrayHost = async (platform: string): Promise<boolean> => {
  if (platform !== "linux") return true;
  const display = variable("WAYLAND_DISPLAY") === undefined ? variable("DISPLAY") : undefined;
  const [x11, ...answers] = await Promise.all([
    display !== undefined && isSelectionOwned(display, (screen) => `_NET_SYSTEM_TRAY_S${screen}`),
    ...QUESTIONS.map(ask),
  ]);
  return x11 || answers.includes(true);
};
