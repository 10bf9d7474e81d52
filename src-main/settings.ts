/** What the user has chosen in the menu, remembered in the window's folder, next to its position. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { app } from "electron";

/** The choices in the menu. */
export interface Settings {
  /** Whether there is a tray icon, in which the app stays when its window is closed. */
  readonly tray: boolean;
  /** Whether new codes are announced while no window has the focus. */
  readonly notify: boolean;
  /** The accelerator that copies the newest code from any program; null: none. */
  readonly shortcut: string | null;
  /** Where the mini window was last, x and y in pixels; null: nowhere yet. */
  readonly mini: readonly [x: number, y: number] | null;
}

const file = (): string => join(app.getPath("userData"), "settings.json");

const stored = (): object => {
  try {
    const parsed: unknown = JSON.parse(readFileSync(file(), "utf8"));
    return typeof parsed === "object" && parsed !== null ? parsed : {};
  } catch {
    return {}; // Not there yet, or damaged: the defaults.
  }
};

/** @returns the current settings; the default for each that is missing or invalid. */
export const readSettings = (): Settings => {
  const { tray, notify, shortcut, mini }: { readonly [K in keyof Settings]?: unknown } = stored();
  const [x, y]: unknown[] = Array.isArray(mini) ? mini : [];
  return {
    tray: tray === true,
    notify: notify !== false,
    shortcut: typeof shortcut === "string" ? shortcut : null,
    mini: typeof x === "number" && typeof y === "number" ? [x, y] : null,
  };
};

/** Changes some settings and saves all of them. @throws Error if the file cannot be written. */
export const saveSettings = (change: Partial<Settings>): void =>
  writeFileSync(file(), `${JSON.stringify({ ...readSettings(), ...change }, null, 2)}\n`);
