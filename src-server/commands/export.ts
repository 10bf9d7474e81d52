/** `stagedoor export [FILE]`: exports the data as a fixture; and `reset`. */
import type { ResetTrial } from "#client/records.ts";
import { many } from "#contract/words/words.ts";
import { type ClientOptions, instanceWords, withEmulator } from "#server/plumbing/emulator.ts";
import { type Io, print, printable, report } from "#server/plumbing/io.ts";
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
  // It has the secrets of the apps.
  await writeWhole(file, `${JSON.stringify(state, null, 2)}\n`, undefined, 0o600);
  const apps = state.apps.length;
  return report(io, options.json, { file, apps }, `Wrote ${many(apps, "app")} to ${file}.`);
};

const removedWords = ({ appId, app, profiles }: ResetTrial["removed"][number]): string =>
  printable(app ? `${appId} and its ${many(profiles, "profile")}` : `${many(profiles, "profile")} of ${appId}`);

/** Resets the data, or one app, to the fixtures of the start, or to the demo. @returns 0. @throws CommandError */
export const reset = async (io: Io, options: ClientOptions): Promise<number> => {
  const { app: appId, json } = options;
  const { removed, counts, now } = await withEmulator(options, async (client) => {
    const { removed } = await client.state.tryReset({ appId });
    await client.state.reset({ appId });
    const now = await client.status();
    return { removed, now, counts: appId === undefined ? now.counts : (await client.apps.get(appId)).counts };
  });
  const words = [
    `${appId === undefined ? "Everything" : printable(appId)} was reset to the fixtures: ${many(counts.profiles, "profile")} (${instanceWords(now)}).`,
    ...(removed.length === 0
      ? []
      : [
          `Removed, because the fixtures do not have it: ${removed.map(removedWords).join("; ")}.`,
          `Undo: stagedoor rewind --undo ${now.seq}`,
        ]),
  ];
  const { urls, dataDir, seq } = now;
  const told = { reset: appId ?? null, counts, removed, undo: seq, consoleUrl: urls.console, dataDir };
  return print(io, json, told, words);
};
