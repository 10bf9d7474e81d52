/** `stagedoor export [FILE]`: the world as one would commit it (CONTRACT 6, state). */

import { rename, rm, writeFile } from "node:fs/promises";
import { many } from "#contract/words.ts";
import { type Whereabouts, withEmulator } from "./emulator.ts";
import { CommandError, type Io, printable } from "./io.ts";

/** @see exportState */
export interface ExportOptions extends Whereabouts {
  readonly app?: string | undefined;
  /** Passcodes, sessions and clocks too. */
  readonly volatile?: boolean | undefined;
  /** Without nulls, defaults, times, and ids that nothing refers to. */
  readonly minimal?: boolean | undefined;
  /** Says what was written as one line of JSON; standard output is JSON anyway. */
  readonly json?: boolean | undefined;
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
  const { app: appId, volatile = false, minimal = false } = options;
  const state = await withEmulator(options, (client) => client.state.export({ appId, volatile, minimal }));
  const text = `${JSON.stringify(state, null, 2)}\n`;
  if (file === undefined || file === "-") io.json(text);
  else {
    await writeWhole(file, text);
    if (options.json === true) io.json(`${JSON.stringify({ file, apps: state.apps.length })}\n`);
    else io.err(`Wrote ${many(state.apps.length, "app")} to ${file}.`);
  }
  return 0;
};

/** @see reset */
export interface ResetOptions extends Whereabouts {
  readonly app?: string | undefined;
  readonly json?: boolean | undefined;
}

/** Takes the world, or one app, back to the fixtures it was started with, else to the demo. @returns 0. @throws CommandError */
export const reset = async (options: ResetOptions, io: Io): Promise<number> => {
  await withEmulator(options, (client) => client.state.reset({ appId: options.app }));
  if (options.json === true) io.json(`${JSON.stringify({ reset: options.app ?? null })}\n`);
  else io.err(`${options.app === undefined ? "Everything" : printable(options.app)} was reset to the fixtures.`);
  return 0;
};
