/** `stagedoor export [FILE]`: exports the data as a fixture (CONTRACT 6, state). */

import { rename, rm, writeFile } from "node:fs/promises";
import { many } from "#contract/words.ts";
import { type Whereabouts, withEmulator } from "./emulator.ts";
import { CommandError, type Io, printable } from "./io.ts";

/** @see exportState */
export interface ExportOptions extends Whereabouts {
  readonly app?: string | undefined;
  /** Include passcodes, sessions and clocks. */
  readonly volatile?: boolean | undefined;
  /** Omit nulls, defaults, times, and ids that nothing refers to. */
  readonly minimal?: boolean | undefined;
  /** Prints one line of JSON about the export, which itself is always JSON. */
  readonly json?: boolean | undefined;
}

/** Writes the file atomically, because it may be under version control. */
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
 * Writes the state as JSON, one value per line for small diffs.
 * @param file the path; absent or `-`: stdout. @returns 0. @throws CommandError
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

/** Resets the data, or one app, to the fixtures of the start, or to the demo. @returns 0. @throws CommandError */
export const reset = async (options: ResetOptions, io: Io): Promise<number> => {
  await withEmulator(options, (client) => client.state.reset({ appId: options.app }));
  if (options.json === true) io.json(`${JSON.stringify({ reset: options.app ?? null })}\n`);
  else io.err(`${options.app === undefined ? "Everything" : printable(options.app)} was reset to the fixtures.`);
  return 0;
};
