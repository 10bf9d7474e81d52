/** Fixture files that the user opens: from a file manager, a second launch, the menu, or macOS's event. */
import { basename, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { type BrowserWindow, dialog } from "electron";
import { fork } from "./server-process.ts";

/** For dialogs. */
export const FILTERS = [{ name: "Fixtures", extensions: ["json", "stagedoor"] }];

/** @returns the path in an argument of a launch: Linux's file managers give `file:` URIs. Undefined for another machine's. */
const pathIn = (argument: string, folder: string): string | undefined => {
  if (!/^file:/i.test(argument)) return resolve(folder, argument);
  try {
    return fileURLToPath(argument);
  } catch {
    return undefined;
  }
};

/** @param args of a launch. @param folder its working directory. @returns the fixture files to open. */
export const fixtureFiles = (args: readonly string[], folder: string): string[] =>
  args
    .filter((argument) => !/^(-|stagedoor:)/i.test(argument))
    .flatMap((argument) => pathIn(argument, folder) ?? [])
    .filter((path) => /\.stagedoor(\.json)?$/i.test(path));

/** Imports a file as `stagedoor seed` does, all or nothing. @returns what is wrong with it; empty if it was imported. */
const seed = async (consoleUrl: string, file: string, ...options: string[]): Promise<string> => {
  const { origin, searchParams } = new URL(consoleUrl);
  const token = searchParams.get("access_token");
  const env = { STAGEDOOR_CONSOLE_URL: origin, ...(token === null ? {} : { STAGEDOOR_ACCESS_TOKEN: token }) };
  const { status, words } = await fork(["seed", ...options, "--", file], env).ended;
  return status === 0 ? "" : words;
};

/**
 * Asks how to import each fixture file, and imports it.
 * @throws Error with what is wrong with some of them, which names each; the others are imported.
 */
export const importFiles = async (
  consoleUrl: string,
  window: BrowserWindow,
  files: readonly string[],
): Promise<void> => {
  const flaws: string[] = [];
  for (const file of files) {
    const message = `Merge ${basename(file)} into the current data, or replace everything?`;
    const box = { message, buttons: ["Merge", "Replace", "Cancel"], defaultId: 0, cancelId: 2 };
    const { response } = await dialog.showMessageBox(window, box);
    if (response === 2) continue;
    const flaw = await seed(consoleUrl, file, ...(response === 1 ? ["--replace"] : []));
    if (flaw !== "") flaws.push(`${basename(file)} was not imported.\n${flaw}`);
  }
  if (flaws.length > 0) throw new Error(flaws.join("\n\n"));
};

/** Imports a file that the user chooses. */
export const importState = async (consoleUrl: string, window: BrowserWindow): Promise<void> => {
  const { filePaths } = await dialog.showOpenDialog(window, { properties: ["openFile"], filters: FILTERS });
  await importFiles(consoleUrl, window, filePaths);
};
