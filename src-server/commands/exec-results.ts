/** What `stagedoor exec` does once its command has ended: it writes the state, and what features add. */

import type { Closing, FeatureCommands } from "#server/plumbing/define.ts";
import type { Io } from "#server/plumbing/io.ts";
import { tryWhole } from "#server/plumbing/write-whole.ts";
import type { RunningServer } from "#server/server.ts";

/** `exportOnExit`: where to write the state. Features add theirs. */
export interface ResultOptions extends Readonly<Record<string, unknown>> {
  readonly exportOnExit?: string;
}

/** Suppresses success messages, which would mix with the command's own output. */
const quiet = (io: Io): Io => ({ ...io, err: () => undefined });

const exporting =
  (file: string): Closing =>
  async ({ urls }, io) => {
    const { exportState } = await import("./export.ts");
    return await exportState(quiet(io), file, { url: urls.console, volatile: true });
  };

/**
 * Makes the folders of the files to write, and tries whether they can be written.
 * @param added what features and programs add to `exec`. @returns what the options ask for, in order. @throws CommandError
 */
export const resultsOf = async (
  options: ResultOptions,
  added: readonly FeatureCommands[],
): Promise<readonly Closing[]> => {
  const { exportOnExit } = options;
  if (exportOnExit !== undefined) await tryWhole(exportOnExit);
  const ofKits = await Promise.all(added.map(({ exec }) => exec?.closing(options)));
  const own = exportOnExit === undefined ? [] : [exporting(exportOnExit)];
  return [...own, ...ofKits.filter((closing) => closing !== undefined)];
};

/** @returns the status of the command, or 1 if it was 0 and the result failed. */
export const statusWith = async (
  result: (...given: [...Parameters<Closing>, status: number]) => Promise<number>,
  server: RunningServer,
  status: number,
  io: Io,
): Promise<number> => {
  const done = await result(server, io, status).catch((error: unknown) => {
    io.err(error instanceof Error ? error.message : String(error));
    return 1;
  });
  return status === 0 ? done : status;
};
