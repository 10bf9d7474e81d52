/** The dialog for a failed server: its own message, and what can be done. */
import { app, BrowserWindow, dialog, shell } from "electron";
import { isOwn } from "./lockdown.ts";
import { type End, fork } from "./server-process.ts";

type Way = readonly [label: string, go: () => unknown];

/** Asks the user, and runs the chosen action; one of them is always Quit. */
export const offer = async (message: string, end: End, ways: readonly Way[]): Promise<void> => {
  const buttons = [...ways.map(([label]) => label), "Quit"];
  const box = { type: "error", message, detail: end.words, buttons, cancelId: ways.length, noLink: true } as const;
  const [parent] = BrowserWindow.getAllWindows();
  const { response } = await (parent === undefined ? dialog.showMessageBox(box) : dialog.showMessageBox(parent, box));
  await (ways[response]?.[1] ?? (() => app.quit()))();
};

/** @returns the possible actions after a failed start, best first; only a journal can be repaired. */
export const waysOut = (end: End, start: (...options: string[]) => unknown, show: (url: string) => void): Way[] => {
  const again: Way = ["Try Again", () => start()];
  const { code, file, holder } = end.failed ?? {};
  const running = holder?.consoleUrl ?? "";
  if (isOwn(running, `http://127.0.0.1:${running.split(":").at(-1)}`))
    return [["Open the Running One", () => show(running)], again];
  if (code === "port_in_use" || code === "port_denied")
    return [["Use Free Ports", () => start("--admin-port=0", "--auth-port=0", "--console-port=0")], again];
  if (code !== "data_damaged" || file === undefined) return [again];
  const look = (): Promise<void> => {
    shell.showItemInFolder(file);
    return offer("Stagedoor could not start", end, waysOut(end, start, show));
  };
  const repair: Way = ["Repair", () => fork(["doctor", "--repair"]).ended.then(() => start())];
  return [...(file.endsWith(".ndjson") ? [repair] : []), ["Open Data Folder", look], again];
};
