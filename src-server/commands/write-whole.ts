/** Writes files that users name. */
import { mkdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { CommandError } from "./io.ts";

const besides = (file: string): string => `${file}.${process.pid}.tmp`;

const failure = (file: string, error: unknown): CommandError =>
  new CommandError(`${file} could not be written: ${error instanceof Error ? error.message : String(error)}`);

/** Writes the file atomically, because it may be under version control. @throws CommandError */
export const writeWhole = async (file: string, text: string): Promise<void> => {
  try {
    await writeFile(besides(file), text);
    await rename(besides(file), file);
  } catch (error) {
    await rm(besides(file), { force: true });
    throw failure(file, error);
  }
};

/** Makes the folder of a file, and tries whether `writeWhole` could write the file. @throws CommandError */
export const tryWhole = async (file: string): Promise<void> => {
  try {
    await mkdir(dirname(file), { recursive: true });
    const isFolder = await stat(file).then(
      (found) => found.isDirectory(),
      () => false,
    );
    if (isFolder) throw new Error("it is a folder");
    await writeFile(besides(file), "");
    await rm(besides(file));
  } catch (error) {
    throw failure(file, error);
  }
};
