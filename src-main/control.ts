/** Actions of the menu on a running server, through its control API. */
import { writeFile } from "node:fs/promises";
import { type BrowserWindow, clipboard, dialog, shell } from "electron";
import { connect } from "#client/index.ts";

/** Opens the server's data folder, if it has one. */
export const openDataFolder = async (consoleUrl: string): Promise<void> => {
  const { dataDir } = await connect(consoleUrl).status();
  const failure = dataDir === null ? "This server keeps no data on disk." : await shell.openPath(dataDir);
  if (failure !== "") throw new Error(failure);
};

/** Copies the newest active passcode. @throws Error if there is none. */
export const copyNewestCode = async (consoleUrl: string): Promise<void> => {
  const { items } = await connect(consoleUrl).passcodes.list({ status: "active", limit: 20 });
  const newest = items.find(({ delivery }) => delivery === "sent");
  if (newest === undefined) throw new Error("No active code. Request one first.");
  clipboard.writeText(newest.code);
};

/** Exports the state to a file that the user chooses, as `stagedoor export` does. */
export const exportState = async (consoleUrl: string, window: BrowserWindow): Promise<void> => {
  const { canceled, filePath } = await dialog.showSaveDialog(window, { defaultPath: "stagedoor-state.json" });
  if (!canceled) await writeFile(filePath, `${JSON.stringify(await connect(consoleUrl).state.export(), null, 2)}\n`);
};
