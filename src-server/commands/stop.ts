/** `stagedoor stop`: stops the running emulator. */
import { setTimeout as pause } from "node:timers/promises";
import { StagedoorError } from "#client/index.ts";
import { findHolder } from "#server/boot/holder.ts";
import { type ClientOptions, instanceWords, withEmulator } from "#server/plumbing/emulator.ts";
import { CommandError, type Io, print } from "#server/plumbing/io.ts";

const STOP_MS = 10_000;
const AGAIN_MS = 20;

/** Stops the running emulator, and waits until it has exited. @returns 0. @throws CommandError if it stays. */
export const stop = async (io: Io, options: ClientOptions): Promise<number> => {
  const last = await withEmulator(options, async (client) => {
    const stopping = await client.stop();
    const { pid, dataDir } = stopping;
    const deadline = performance.now() + STOP_MS;
    const answers = (): Promise<boolean> =>
      client.status().then(
        (now) => now.pid === pid,
        (error: unknown) => !(error instanceof StagedoorError && error.reason === "unreachable"),
      );
    // The lock is released last, when everything is on disk. Not visible if it runs in a container or elsewhere.
    const holds = (): boolean => {
      const holder = dataDir === null ? undefined : findHolder(dataDir);
      return holder?.pid === pid && holder.standing !== "gone";
    };
    while ((await answers()) || holds()) {
      if (performance.now() > deadline)
        throw new CommandError(`Process ${pid} has not stopped within ${STOP_MS / 1_000} s.`);
      await pause(AGAIN_MS);
    }
    return stopping;
  });
  return print(io, options.json, last, [`Stopped Stagedoor at ${instanceWords(last)} (process ${last.pid}).`]);
};
