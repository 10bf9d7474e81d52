/** `stagedoor passcode TO`: the newest active code of a recipient, alone on a line, for scripts (CONTRACT 7). */
import { setTimeout as pause } from "node:timers/promises";
import { StagedoorError } from "#client/index.ts";
import { MAX_WAIT_MS } from "#contract/passcodes.ts";
import { type Whereabouts, withEmulator } from "./emulator.ts";
import { CommandError, type Io, printable } from "./io.ts";

/** @see passcode */
export interface PasscodeOptions extends Whereabouts {
  /** A number and a unit, such as `500ms`, `10s`, `2m`; without a unit seconds; true: 30 s. */
  readonly wait?: string | true | undefined;
  readonly app?: string | undefined;
  readonly after?: string | undefined;
}

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000 };
const DURATION = /^(\d+(?:\.\d+)?)(ms|s|m)?$/;

/** @param option that it was given to, for the error. @returns milliseconds. @throws CommandError if the text is no duration. */
export const durationMs = (text: string | true, option = "--wait"): number => {
  if (text === true) return 30_000;
  const [, number, unit = "s"] = DURATION.exec(text) ?? [];
  if (number === undefined)
    throw new CommandError(`${option} must be seconds, or a time such as 500ms or 2m, not "${printable(text)}".`);
  return Math.round(Number(number) * (UNITS[unit] ?? 0));
};

/**
 * Prints the newest active code that was sent to a recipient, waiting for one if asked to.
 * @param to phone number or email address. @returns 0, or 1 if there is none. @throws CommandError
 */
export const passcode = async (to: string, options: PasscodeOptions, io: Io): Promise<number> => {
  const deadline = performance.now() + (options.wait === undefined ? 0 : durationMs(options.wait));
  const { app: appId, after } = options;
  const query = { to, ...(appId === undefined ? {} : { appId }), ...(after === undefined ? {} : { after }) };
  for (;;) {
    const wait = Math.min(Math.max(0, Math.ceil(deadline - performance.now())), MAX_WAIT_MS);
    const found = await withEmulator(options, (client) =>
      client.passcodes.latest({ ...query, wait }).catch((error: unknown) => {
        if (error instanceof StagedoorError && error.reason === "no_passcode") return undefined;
        throw error;
      }),
    );
    if (found !== undefined) {
      io.out(`${found.code}\n`);
      return 0;
    }
    if (performance.now() < deadline) continue;
    io.err(`No active passcode for ${printable(to)}${options.wait === undefined ? "" : " came in time"}.`);
    return 1;
  }
};

/** @see waitUntilReady */
export interface WaitOptions extends Whereabouts {
  /** A number and a unit, such as `500ms`, `10s`, `2m`; without a unit seconds; absent: 30 s. */
  readonly timeout?: string | undefined;
}

const AGAIN_MS = 100;

const willStay = ({ status }: StagedoorError): boolean => status > 0 && status < 500;

/**
 * Asks again and again, also where to ask: the lock file may not be there yet. Prints the console's URL when it is ready.
 * @returns 0. @throws CommandError when it was not ready in time, or something else answers.
 */
export const waitUntilReady = async (options: WaitOptions, io: Io): Promise<number> => {
  const timeoutMs = durationMs(options.timeout ?? true, "--timeout");
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const found = await withEmulator(options, async (client) => {
      await client.status();
      return client.consoleUrl;
    }).catch((error: unknown) => {
      // A refusal, or the answer of something else, will be the same next time; a gateway's answer (5xx) may mean that nothing runs behind it yet.
      const isFinal = error instanceof Error && error.cause instanceof StagedoorError && willStay(error.cause);
      if (error instanceof CommandError && !isFinal) return error;
      throw error;
    });
    if (typeof found === "string") {
      io.out(`${found}\n`);
      return 0;
    }
    if (performance.now() + AGAIN_MS > deadline)
      throw new CommandError(`Not ready within ${timeoutMs} ms. ${found.message}`);
    await pause(AGAIN_MS);
  }
};
