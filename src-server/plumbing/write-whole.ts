/** Writes files that users name. */
import { randomUUID } from "node:crypto";
import { mkdir, open, rename, rm, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { CommandError } from "./io.ts";

const failure = (file: string, error: unknown): CommandError =>
  new CommandError(`${file} could not be written: ${error instanceof Error ? error.message : String(error)}`);

/** Writes a temporary file next to a file, then does something with it; nothing of it stays. A file or link that has its name is left alone. */
const withBeside = async (
  file: string,
  text: string,
  unique: string,
  use: (path: string) => Promise<void>,
  mode?: number,
): Promise<void> => {
  const path = `${file}.${unique}.tmp`;
  const handle = await open(path, "wx", mode);
  try {
    try {
      await handle.writeFile(text);
    } finally {
      await handle.close();
    }
    await use(path);
  } finally {
    await rm(path, { force: true });
  }
};

/**
 * Writes the file atomically, because it may be under version control.
 * @param unique part of the name of the temporary file. @param mode who may read it; absent: as usual. @throws CommandError
 */
export const writeWhole = async (
  file: string,
  text: string,
  unique: string = randomUUID(),
  mode?: number,
): Promise<void> => {
  try {
    await withBeside(file, text, unique, (path) => rename(path, file), mode);
  } catch (error) {
    throw failure(file, error);
  }
};

/** Makes the folder of a file, and tries whether `writeWhole` could write the file. @throws CommandError */
export const tryWhole = async (file: string, unique: string = randomUUID()): Promise<void> => {
  try {
    await mkdir(dirname(file), { recursive: true });
    const isFolder = await stat(file).then(
      (found) => found.isDirectory(),
      () => false,
    );
    if (isFolder) throw new Error("it is a folder");
    await withBeside(file, "", unique, () => Promise.resolve());
  } catch (error) {
    throw failure(file, error);
  }
};
