/** Actions of the menu on a running server, through its control API. */
import { readFile, writeFile } from "node:fs/promises";
import { basename, resolve } from "node:path";
import { clipboard, dialog, shell } from "electron";
import { connect } from "#client/index.ts";

const FILTERS = [{ name: "Fixtures", extensions: ["json", "stagedoor"] }];
/** @param args of a launch. @param folder its working directory. @returns the fixture files to open. */
export const fixtureFiles = (args: readonly string[], folder: string): string[] =>
  args.filter((arg) => /^(?!stagedoor:)[^-].*\.stagedoor(\.json)?$/is.test(arg)).map((arg) => resolve(folder, arg));

/** Opens the server's data folder, if it has one. */
export const openDataFolder = async (consoleUrl: string): Promise<void> => {
  const { dataDir } = await connect(consoleUrl).status();
  const failure = dataDir === null ? "This server keeps no data on disk." : await shell.openPath(dataDir);
  if (failure !== "") throw new Error(failure);
};

/** Copies the newest active passcode. @throws Error if there is none. */
export const copyNewestCode = async (consoleUrl: string): Promise<void> => {
  const { items } = await connect(consoleUrl).passcodes.list({ status: "active", limit: 1 });
  if (items[0] === undefined) throw new Error("No code is active. Request one first.");
  clipboard.writeText(items[0].code);
};

/** Exports the state to a file that the user chooses, as `stagedoor export` does. */
export const exportState = async (consoleUrl: string): Promise<void> => {
  const { canceled, filePath } = await dialog.showSaveDialog({ defaultPath: "stagedoor-state.json", filters: FILTERS });
  if (!canceled) await writeFile(filePath, `${JSON.stringify(await connect(consoleUrl).state.export(), null, 2)}\n`);
};

/** Asks how to import each fixture file, and imports it, all or nothing. */
export const importFiles = async (consoleUrl: string, files: readonly string[]): Promise<void> => {
  for (const file of files) {
    const state = JSON.parse((await readFile(file, "utf8")).replace(/^\uFEFF/, ""));
    const message = `Merge ${basename(file)} into the current data, or replace everything?`;
    const { response } = await dialog.showMessageBox({ message, buttons: ["Merge", "Replace", "Cancel"], cancelId: 2 });
    if (response < 2) await connect(consoleUrl).state.import(state, { mode: response === 0 ? "merge" : "replace" });
  }
};

/** Imports a file that the user chooses. */
export const importState = async (consoleUrl: string): Promise<void> =>
  importFiles(consoleUrl, (await dialog.showOpenDialog({ properties: ["openFile"], filters: FILTERS })).filePaths);
