/**
 * `stagedoor export [FILE]`: the world as one would commit it (CONTRACT 6, state).
 */
import { rename, rm, writeFile } from "node:fs/promises";
import { z } from "zod";
import { acceptedJson, ask, findEmulator, type Whereabouts } from "./emulator.ts";
import { CommandError, type Io } from "./io.ts";

/** @see exportState */
export interface ExportOptions extends Whereabouts {
  readonly app?: string | undefined;
  /** Passcodes, sessions and clocks too. */
  readonly volatile?: boolean | undefined;
}

/** The file is there whole or not at all: it may be one that somebody has under version control. */
const writeWhole = async (file: string, text: string): Promise<void> => {
  const beside = `${file}.${process.pid}.tmp`;
  try {
    await writeFile(beside, text);
    await rename(beside, file);
  } catch (error) {
    await rm(beside, { force: true });
    throw new CommandError(`${file} could not be written: ${error instanceof Error ? error.message : String(error)}`);
  }
};

/**
 * Writes the state as JSON, a value a line, so that a small change is a small difference.
 * @param file where to; absent or `-`: standard output. @returns 0. @throws CommandError
 */
export const exportState = async (file: string | undefined, options: ExportOptions, io: Io): Promise<number> => {
  const emulator = await findEmulator(options);
  const query = { appId: options.app, volatile: options.volatile === true ? "1" : undefined };
  const shape = z.looseObject({ version: z.int(), apps: z.array(z.unknown()) });
  const state = acceptedJson(await ask(emulator, "GET", "state", { query }), shape);
  const text = `${JSON.stringify(state, null, 2)}\n`;
  if (file === undefined || file === "-") io.out(text);
  else {
    await writeWhole(file, text);
    io.err(`Wrote ${state.apps.length === 1 ? "1 app" : `${state.apps.length} apps`} to ${file}.`);
  }
  return 0;
};
