/** What the menu does with a running server, by its control API. */
import { readFile, writeFile } from "node:fs/promises";
import { clipboard, dialog, shell } from "electron";

const FILTERS = [{ name: "JSON", extensions: ["json"] }];

const field = (value: unknown, name: string | number): unknown =>
  typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;

/** @returns the answer's body. @throws Error in the server's own words. */
const ask = async (consoleUrl: string, path: string, body?: unknown): Promise<unknown> => {
  const put = { method: "PUT", headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
  const response = await fetch(new URL(`/emulator/v1/${path}`, consoleUrl), body === undefined ? {} : put);
  const answer: unknown = await response.json();
  if (response.ok) return answer;
  const lines = Object.entries(answer ?? {}).map(([name, what]) => `${name}: ${[what].flat().join("; ")}`);
  throw new Error(lines.slice(0, 20).join("\n"));
};

/** Shows the folder that holds the server's data; of a server that keeps nothing there is none. */
export const openDataFolder = async (consoleUrl: string): Promise<void> => {
  const folder = field(await ask(consoleUrl, "status"), "dataDir");
  const failure = typeof folder === "string" ? await shell.openPath(folder) : "This server keeps no data on disk.";
  if (failure !== "") throw new Error(failure);
};

/** Puts the newest passcode that can still be used on the clipboard. */
export const copyNewestCode = async (consoleUrl: string): Promise<void> => {
  const code = field(field(field(await ask(consoleUrl, "passcodes?status=active&limit=1"), "items"), 0), "code");
  if (typeof code === "string") clipboard.writeText(code);
};

/** Writes the state to a file of the user's choice, as `stagedoor export` does. */
export const exportState = async (consoleUrl: string): Promise<void> => {
  const { canceled, filePath } = await dialog.showSaveDialog({ defaultPath: "stagedoor-state.json", filters: FILTERS });
  if (!canceled) await writeFile(filePath, `${JSON.stringify(await ask(consoleUrl, "state"), null, 2)}\n`);
};

/** Takes the state in from a file of the user's choice, all or nothing. */
export const importState = async (consoleUrl: string): Promise<void> => {
  const { filePaths } = await dialog.showOpenDialog({ properties: ["openFile"], filters: FILTERS });
  if (filePaths[0] === undefined) return;
  const state: unknown = JSON.parse((await readFile(filePaths[0], "utf8")).replace(/^\uFEFF/, ""));
  const message = "Merge this file into what is there, or replace everything?";
  const { response } = await dialog.showMessageBox({ message, buttons: ["Merge", "Replace", "Cancel"], cancelId: 2 });
  if (response < 2) await ask(consoleUrl, "state", { mode: response === 0 ? "merge" : "replace", state });
};
