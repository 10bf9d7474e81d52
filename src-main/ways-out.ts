/** A dialog for a server that is not there: what it said itself, and what can be done. */
import { app, dialog, shell } from "electron";
import { type End, fork } from "./server-process.ts";

type Way = readonly [label: string, go: () => unknown];
const HOLDER = /\(console at (http:\/\/(?:127\.0\.0\.1|localhost|\[::1\]):\d+)\)/;

/** Goes the way that the user takes; to quit is always one. */
export const offer = async (message: string, end: End, ways: readonly Way[]): Promise<void> => {
  const buttons = [...ways.map(([label]) => label), "Quit"];
  const box = { type: "error", message, detail: end.words, buttons, cancelId: ways.length, noLink: true } as const;
  const { response } = await dialog.showMessageBox(box);
  const way = ways[response];
  if (way === undefined) app.quit();
  else await way[1]();
};

/** @returns what can be done about a start that failed, the best first. */
export const waysOut = (end: End, start: (...options: string[]) => unknown, show: (url: string) => void): Way[] => {
  const again: Way = ["Try Again", () => start()];
  const holder = HOLDER.exec(end.words)?.[1];
  if (holder !== undefined) return [["Open the Running One", () => show(holder)], again];
  if (/^Port \d+ /m.test(end.words))
    return [["Use Free Ports", () => start("--admin-port=0", "--auth-port=0", "--console-port=0")], again];
  // Of damaged data the last line begins with the file.
  const file = /(?:^|\n)([^\n]+?)(?:, byte \d+)?: [^\n]*$/.exec(end.words)?.[1];
  if (end.status !== 3 || file === undefined) return [again];
  const look = (): Promise<void> => {
    shell.showItemInFolder(file);
    return offer("Stagedoor could not start", end, waysOut(end, start, show));
  };
  const repair = (): Promise<unknown> => fork("doctor", "--repair").ended.then(() => start());
  return [["Repair", repair], ["Open Data Folder", look], again];
};
