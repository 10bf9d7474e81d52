/** `--signing-key FILE`: your own signing key, which is never stored (CONTRACT 11). */
import { readFile } from "node:fs/promises";
import { readKeyFile, type SigningKey } from "#tokens/keys.ts";
import { StartError } from "./start-error.ts";

/** @param file absolute. @returns the key. @throws StartError with the file and what is wrong with it. */
export const readOwnKey = async (file: string): Promise<SigningKey> => {
  try {
    return readKeyFile(await readFile(file, "utf8"));
  } catch (error) {
    const what = error instanceof Error ? error.message : String(error);
    throw new StartError("invalid_options", `--signing-key ${file}: ${what}`);
  }
};
