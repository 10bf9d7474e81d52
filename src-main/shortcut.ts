/** One global shortcut, which works in any program; Electron's accelerators. */
import { globalShortcut } from "electron";

/** The choices: what few programs use, and what no keyboard layout needs for a letter comes first. */
export const SHORTCUTS: readonly string[] = ["CmdOrCtrl+Shift+Alt+C", "CmdOrCtrl+Shift+F9", "CmdOrCtrl+Alt+C"];

/** @param platform a `process.platform` value. @returns the keys as the user's keyboard names them. */
export const keysOf = (accelerator: string, platform: string): string =>
  platform === "darwin"
    ? accelerator.replace("CmdOrCtrl", "Cmd").replace("Alt", "Option")
    : accelerator.replace("CmdOrCtrl", "Ctrl");

/** Replaces the shortcut; null: none. @returns whether it works; false if another program has it. */
export const setShortcut = (accelerator: string | null, press: () => void): boolean => {
  globalShortcut.unregisterAll();
  return accelerator === null || globalShortcut.register(accelerator, press);
};
