/** `stagedoor passcode TO`: prints only the newest active code of a recipient, for scripts (CONTRACT 7). */
import { setTimeout as pause } from "node:timers/promises";
import { StagedoorError } from "#client/index.ts";
import { MAX_WAIT_MS } from "#contract/passcodes.ts";
import { durationMs } from "./duration.ts";
import { type Whereabouts, withEmulator } from "./emulator.ts";
import { CommandError, type Io, printable, TIMED_OUT } from "./io.ts";

/** @see passcode */
export interface PasscodeOptions extends Whereabouts {
  /** A number and a unit, such as `500ms`, `10s`, `2m`; seconds without a unit; true: 30 s. */
  readonly wait?: string | true | undefined;
  readonly app?: string | undefined;
  readonly after?: string | undefined;
  /** Prints the whole passcode as one line of JSON. */
  readonly json?: boolean | undefined;
}

/** The default timeout. */
const WAIT = "30s";

/**
 * Prints the newest active code of a recipient, optionally waiting for one.
 * @param to phone number or email address. @returns 0; 1 if there is none, 124 after a timeout. @throws CommandError
 */
export const passcode = async (to: string, options: PasscodeOptions, io: Io): Promise<number> => {
  const deadline =
    performance.now() +
    (options.wait === undefined ? 0 : durationMs(options.wait === true ? WAIT : options.wait, "--wait"));
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
      if (options.json === true) io.json(`${JSON.stringify(found)}\n`);
      else io.out(`${found.code}\n`);
      return 0;
    }
    if (performance.now() < deadline) continue;
    io.err(`No active passcode for ${printable(to)}${options.wait === undefined ? "" : " came in time"}.`);
    return options.wait === undefined ? 1 : TIMED_OUT;
  }
};

/** @see waitUntilReady */
export interface WaitOptions extends Whereabouts {
  /** A number and a unit, such as `500ms`, `10s`, `2m`; seconds without a unit; absent: 30 s. */
  readonly timeout?: string | undefined;
  readonly json?: boolean | undefined;
}

const AGAIN_MS = 100;

const willStay = ({ status }: StagedoorError): boolean => status > 0 && status < 500;

/**
 * Polls until the emulator is ready, re-reading the lock file, which may not exist yet. Prints the console URL.
 * @returns 0. @throws CommandError after a timeout, or if another program responds.
 */
export const waitUntilReady = async (options: WaitOptions, io: Io): Promise<number> => {
  const timeoutMs = durationMs(options.timeout ?? WAIT, "--timeout");
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
    if (typeof found === "string") {
      if (options.json === true) io.json(`${JSON.stringify({ consoleUrl: found })}\n`);
      else io.out(`${found}\n`);
      return 0;
    }
    if (performance.now() + AGAIN_MS > deadline)
      throw new CommandError(`Not ready within ${timeoutMs} ms. ${found.message}`, TIMED_OUT);
    await pause(AGAIN_MS);
  }
};
