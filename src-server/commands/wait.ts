/**
 * `stagedoor wait`: until the emulator is ready, for scripts that started it in the background.
 */
import { setTimeout as pause } from "node:timers/promises";
import { accepted, ask, findEmulator, type Whereabouts } from "./emulator.ts";
import { CommandError, type Io } from "./io.ts";
import { durationMs } from "./passcode.ts";

/** @see waitUntilReady */
export interface WaitOptions extends Whereabouts {
  /** A number and a unit, such as `500ms`, `10s`, `2m`; without a unit seconds; absent: 30 s. */
  readonly timeout?: string | undefined;
}

const AGAIN_MS = 100;

/**
 * Asks again and again, also where to ask: the lock file may not be there yet. Prints the console's URL when it is ready.
 * @returns 0. @throws CommandError when it was not ready in time, or something else answers.
 */
export const waitUntilReady = async (options: WaitOptions, io: Io): Promise<number> => {
  const timeoutMs = durationMs(options.timeout ?? true, "--timeout");
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const attempt = async () => {
      const emulator = await findEmulator(options);
      return { emulator, answer: await ask(emulator, "GET", "status") };
    };
    const found = await attempt().catch((error: unknown) => {
      if (error instanceof CommandError) return error;
      throw error;
    });
    if (!(found instanceof CommandError)) {
      accepted(found.answer);
      io.out(`${found.emulator.url}\n`);
      return 0;
    }
    if (performance.now() + AGAIN_MS > deadline)
      throw new CommandError(`Not ready within ${timeoutMs} ms. ${found.message}`);
    await pause(AGAIN_MS);
  }
};
