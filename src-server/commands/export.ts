/** `stagedoor export [FILE]`: exports the data as a fixture; and `reset`. */
import { many } from "#contract/words/words.ts";
import { type ClientOptions, withEmulator } from "#server/plumbing/emulator.ts";
import { type Io, printable, report } from "#server/plumbing/io.ts";
import { writeWhole } from "#server/plumbing/write-whole.ts";

/** @see exportState. The parts of a fixture to include or leave out; `json` is about the message, or stdout. */
export interface ExportOptions extends ClientOptions {
  readonly volatile?: boolean;
  readonly minimal?: boolean;
}

/**
 * Writes the state as JSON, one value per line for small diffs; on stdout with `--json` in one line.
 * @param file the path; absent or `-`: stdout. @returns 0. @throws CommandError
 */
export const exportState = async (io: Io, file: string | undefined, options: ExportOptions): Promise<number> => {
  const { app: appId, volatile = false, minimal = false } = options;
  const state = await withEmulator(options, (client) => client.state.export({ appId, volatile, minimal }));
  if (file === undefined || file === "-") {
    io.json(state, options.json === true ? undefined : 2);
    return 0;
  }
  await writeWhole(file, `${JSON.stringify(state, null, 2)}\n`);
  const apps = state.apps.length;
  return report(io, options.json, { file, apps }, `Wrote ${many(apps, "app")} to ${file}.`);
};

/** Resets the data, or one app, to the fixtures of the start, or to the demo. @returns 0. @throws CommandError */
export const reset = async (io: Io, options: ClientOptions): Promise<number> => {
  const { app: appId, json } = options;
  const counts = await withEmulator(options, async (client) => {
    await client.state.reset({ appId });
    return appId === undefined ? (await client.status()).counts : (await client.apps.get(appId)).counts;
  });
  const what = appId === undefined ? "Everything" : printable(appId);
  const words = `${what} was reset to the fixtures: ${many(counts.profiles, "profile")}.`;
  return report(io, json, { reset: appId ?? null, counts }, words);
};
