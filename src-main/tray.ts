/** The tray icon: the newest codes, and the way back to the window. */
import { clipboard, Menu, type MenuItemConstructorOptions, Tray } from "electron";
import { fromLeft, type ShownCode } from "./newest-codes.ts";
import { picture } from "./picture.ts";

/** Referenced here, because Electron removes a garbage-collected tray icon. */
let tray: Tray | undefined;

const itemOf = ({ code, digits, app, user, status }: ShownCode): MenuItemConstructorOptions => ({
  // A single & would underline the next letter.
  label: fromLeft(`${digits}  ${user} (${app})${status === "active" ? "" : `, ${status}`}`).replaceAll("&", "&&"),
  click: () => clipboard.writeText(code),
});

const newTray = (open: () => void): Tray => {
  const made = new Tray(picture("tray"));
  made.setToolTip("Stagedoor");
  // The menu is that of the other button; on macOS of this one, and there is no such event.
  made.on("click", open);
  return made;
};

/** Shows or hides the icon. @param codes newest first. @param open opens the window. */
export const showTray = (wanted: boolean, codes: readonly ShownCode[], open: () => void): void => {
  if (!wanted) {
    tray?.destroy();
    tray = undefined;
    return;
  }
  tray ??= newTray(open);
  const items = codes.length === 0 ? [{ label: "No codes yet", enabled: false }] : codes.map(itemOf);
  const end: MenuItemConstructorOptions[] = [{ type: "separator" }, { label: "Open Stagedoor", click: open }];
  // Linux shows the change only of a new menu.
  tray.setContextMenu(Menu.buildFromTemplate([...items, ...end, { role: "quit" }]));
};
