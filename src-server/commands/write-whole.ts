/** Writes files that users name. */
import { rename, rm, writeFile } from "node:fs/promises";
import { CommandError } from "./io.ts";

/** Writes the file atomically, because it may be under version control. @throws CommandError */
export const writeWhole = async (file: string, text: string): Promise<void> => {
  const beside = `${file}.${process.pid}.tmp`;
  try {
    await writeFile(beside, text);
    await rename(beside, file);
  } catch (error) {
    await rm(beside, { force: true });
    throw new CommandError(`${file} could not be written: ${error instanceof Error ? error.message : String(error)}`);
  }
};
