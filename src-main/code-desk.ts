/** Brings codes to where the user works: what the menu switches, and what shows and copies codes. */
import { BrowserWindow } from "electron";
import { copyNewestCode } from "./control.ts";
import { followCodes, type ShownCode } from "./newest-codes.ts";
import { announcer, notify } from "./notifications.ts";
import { readSettings, type Settings, saveSettings } from "./settings.ts";
import { keysOf, SHORTCUTS, setShortcut } from "./shortcut.ts";
import { showTray } from "./tray.ts";
import { hasTrayHost } from "./tray-host.ts";

/** What the menu shows. */
export interface Choices extends Omit<Settings, "mini"> {
  /** Whether a tray would show the icon. */
  readonly hasTray: boolean;
  /** Whether another program has the shortcut. */
  readonly isTaken: boolean;
}

/** How often an app without a window makes sure that its icon can still be seen, in milliseconds. */
const LOOK_MS = 10_000;

/**
 * @param open opens the window. @param changed is called when the menu must change. @returns what the shell does with it;
 * `start` when Electron is ready.
 */
export const createCodeDesk = (open: () => void, changed: () => void) => {
  let codes: readonly ShownCode[] = [];
  let hasTray = true;
  let isEnded = false;
  let isTaken = false;
  let url: string | undefined;
  let end = (): void => undefined;
  let timer: NodeJS.Timeout | undefined;
  const announce = announcer();
  const show = (): void => showTray(readSettings().tray, codes, open);
  const keys = (accelerator: string): string => keysOf(accelerator, process.platform);
  const copy = (): void => {
    if (url === undefined) return;
    copyNewestCode(url).catch((error) => notify("No code was copied", error instanceof Error ? error.message : ""));
  };
  const look = async (): Promise<boolean> => {
    const before = hasTray;
    hasTray = await hasTrayHost(process.platform);
    if (hasTray !== before && !isEnded) changed();
    return hasTray;
  };
  const isHidden = (): boolean => BrowserWindow.getAllWindows().length === 0;

  return {
    choices: (): Choices => ({ ...readSettings(), hasTray, isTaken }),
    /** @throws Error if another program has the shortcut. */
    choose(change: Partial<Settings>): void {
      const { shortcut: before } = readSettings();
      const { shortcut: wanted = before } = change;
      const isFree = wanted === before || setShortcut(wanted, copy);
      if (isFree) saveSettings(change);
      else isTaken = !setShortcut(before, copy);
      if (isFree && wanted !== before) isTaken = false;
      show();
      void look();
      changed();
      if (!isFree) throw new Error(`Another program uses ${keys(wanted ?? "")}. Choose other keys.`);
    },
    start(): void {
      const { shortcut } = readSettings();
      const known = SHORTCUTS.find((one) => one === shortcut) ?? null;
      isTaken = !setShortcut(known, copy);
      if (isTaken && known !== null)
        notify(
          `${keys(known)} does not copy codes`,
          "Another program uses these keys. Choose others in the menu Codes.",
        );
      show();
      void look();
    },
    /** Looks for a tray. @returns whether there is one. */
    look,
    /** Follows the codes of another server. */
    follow(consoleUrl: string): void {
      if (url === consoleUrl) return;
      url = consoleUrl;
      end();
      end = followCodes(consoleUrl, {
        arrived: (count, last) => readSettings().notify && announce(count, last),
        changed: (newest) => {
          codes = newest;
          show();
        },
      });
    },
    /** Follows and looks no longer. */
    end(): void {
      isEnded = true;
      end();
      clearInterval(timer);
    },
    /** After the last window: quits, or stays only where the icon can be seen, and while it can. */
    async closed(quit: () => void): Promise<void> {
      if (!readSettings().tray) return quit();
      if (!(await look())) return void (isHidden() && quit());
      clearInterval(timer);
      timer = setInterval(async () => {
        const seen = await look();
        if (seen && isHidden()) return;
        clearInterval(timer);
        if (!seen) open();
      }, LOOK_MS);
    },
  };
};
