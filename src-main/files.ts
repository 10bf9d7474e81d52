/** Files that the user opens: from a file manager, a second launch, the menu, or macOS's event. */
import { readFile, stat } from "node:fs/promises";
import { basename, extname, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { type BrowserWindow, dialog } from "electron";

/** What can be in a file that the console takes: fixtures, users, a saved login. */
const EXTENSIONS = ["stagedoor", "json", "jsonc", "ndjson", "jsonl", "csv", "tsv", "txt"];
const isOurs = (path: string): boolean => EXTENSIONS.includes(extname(path).slice(1).toLowerCase());
const FILTERS = [{ name: "Fixtures, users, logins", extensions: EXTENSIONS }];
const MOST_BYTES = 67_108_864;

/** @returns the path in an argument of a launch: Linux's file managers give `file:` URIs. Undefined for another machine's. */
const pathIn = (argument: string, folder: string): string | undefined => {
  if (!/^file:/i.test(argument)) return resolve(folder, argument);
  try {
    return fileURLToPath(argument);
  } catch {
    return undefined;
  }
};

/** @param args of a launch. @param folder its working directory. @returns the files to open. */
export const filesIn = (args: readonly string[], folder: string): string[] =>
  args
    .filter((argument) => !/^(-|stagedoor:)/i.test(argument))
    .flatMap((argument) => pathIn(argument, folder) ?? [])
    .filter(isOurs);

/** @throws Error that names the file */
const read = async (path: string): Promise<readonly [name: string, base64: string]> => {
  const name = basename(path);
  try {
    const { size } = await stat(path);
    if (size > MOST_BYTES) throw new Error(`it is larger than ${MOST_BYTES / 1_048_576} MiB.`);
    return [name, (await readFile(path)).toString("base64")];
  } catch (error) {
    throw new Error(`${name} cannot be opened: ${error instanceof Error ? error.message : error}`);
  }
};

/** Runs in the page: drops the files there, as soon as the page takes what is dropped. */
const dropped = (files: string): string => `(async () => {
  const dataTransfer = new DataTransfer();
  for (const [name, text] of ${files})
    dataTransfer.items.add(new File([Uint8Array.from(atob(text), (char) => char.charCodeAt(0))], name));
  const drop = () => window.dispatchEvent(new DragEvent("drop", { dataTransfer, cancelable: true }));
  for (let tries = 0; tries < 100 && drop(); tries++) await new Promise((resolve) => setTimeout(resolve, 100));
})()`;

/**
 * Takes files to the console's page as if they were dropped there: it shows the plan of each.
 * @throws Error with what is wrong with some of them, which names each; the others are taken.
 */
export const openFiles = async ({ webContents }: BrowserWindow, paths: readonly string[]): Promise<void> => {
  const found = await Promise.allSettled(paths.map(read));
  const files = found.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
  if (files.length > 0) await webContents.executeJavaScript(dropped(JSON.stringify(files)));
  const flaws = found.flatMap((one) => (one.status === "rejected" ? [String(one.reason?.message)] : []));
  if (flaws.length > 0) throw new Error(flaws.join("\n\n"));
};

/** Takes files that the user chooses to the page. */
export const chooseFiles = async (_consoleUrl: string, window: BrowserWindow): Promise<void> => {
  const { filePaths } = await dialog.showOpenDialog(window, {
    properties: ["openFile", "multiSelections"],
    filters: FILTERS,
  });
  await openFiles(window, filePaths);
};
