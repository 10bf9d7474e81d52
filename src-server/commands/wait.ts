/** `stagedoor wait`: waits until Stagedoor is ready. */
import { setTimeout as pause } from "node:timers/promises";
import { StagedoorError } from "#client/index.ts";
import { type ClientOptions, withEmulator } from "#server/plumbing/emulator.ts";
import { CommandError, type Io, print, TIMED_OUT } from "#server/plumbing/io.ts";
import { durationMs } from "#server/plumbing/options.ts";

/** @see waitUntilReady. `timeout`: a duration; absent: 30 s. */
export interface WaitArguments extends ClientOptions {
  readonly timeout?: string;
}

const USUAL = "30s";
const AGAIN_MS = 100;

const willStay = ({ status }: StagedoorError): boolean => status > 0 && status < 500;

/**
 * Polls until the emulator is ready, re-reading the lock file, which may not exist yet. Prints the console URL.
 * @returns 0. @throws CommandError after a timeout, or if another program responds.
 */
export const waitUntilReady = async (io: Io, options: WaitArguments): Promise<number> => {
  const timeoutMs = durationMs(options.timeout ?? USUAL, "--timeout");
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const found = await withEmulator(options, async (client) => {
      await client.status();
      return client.consoleUrl;
    }).catch((error: unknown) => {
      // Error responses and other programs are final; behind a gateway's error (5xx) there may be nothing yet.
      const isFinal = error instanceof Error && error.cause instanceof StagedoorError && willStay(error.cause);
      if (error instanceof CommandError && !isFinal) return error;
      throw error;
    });
    if (typeof found === "string") return print(io, options.json, { consoleUrl: found }, [found]);
    if (performance.now() + AGAIN_MS > deadline)
      throw new CommandError(`Not ready within ${timeoutMs / 1_000} s. ${found.message}`, TIMED_OUT);
    await pause(AGAIN_MS);
  }
};
