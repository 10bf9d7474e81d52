/** `stagedoor passcode TO`: prints only the newest active code of a recipient, for scripts. */
import { setTimeout as pause } from "node:timers/promises";
import { StagedoorError } from "#client/index.ts";
import { MAX_WAIT_MS } from "#contract/service/passcodes.ts";
import { recipientValue } from "#contract/words/phone-words.ts";
import { type ClientOptions, withEmulator } from "#server/plumbing/emulator.ts";
import { CommandError, type Io, print, printable, TIMED_OUT } from "#server/plumbing/io.ts";
import { durationMs, given } from "#server/plumbing/options.ts";

/** @see passcode. `wait`: a duration; true: 30 s. `after`: the id or `seq` of an earlier passcode. */
export interface PasscodeOptions extends ClientOptions {
  readonly wait?: string | true;
  readonly after?: string;
}

const WAIT = "30s";

/** @returns that there is no passcode, and what to look at. */
const noneFor = (to: string, hasWaited: boolean): string => {
  const none = `No active passcode for ${printable(to)}${hasWaited ? " arrived in time" : ""}.`;
  const isRecipient = to.startsWith("+") || to.includes("@");
  if (!isRecipient) return `${none} Use the form +12025550100, or an email address.`;
  return `${none} Has the app requested one? See \`stagedoor requests --why\`.`;
};

/**
 * Prints the newest active code of a recipient, optionally waiting for one.
 * @param to phone number or email address. @returns 0; 1 if there is none, 124 after a timeout. @throws CommandError
 */
export const passcode = async (io: Io, to: string, options: PasscodeOptions): Promise<number> => {
  const { app: appId, after, wait: asked, json } = options;
  const waitMs = asked === undefined ? 0 : durationMs(asked === true ? WAIT : asked, "--wait");
  const deadline = performance.now() + waitMs;
  for (;;) {
    const wait = Math.min(Math.max(0, Math.ceil(deadline - performance.now())), MAX_WAIT_MS);
    const found = await withEmulator(options, (client) =>
      client.passcodes.latest({ to: recipientValue(to), wait, ...given({ appId, after }) }).catch((error: unknown) => {
        if (error instanceof StagedoorError && error.reason === "no_passcode") return undefined;
        throw error;
      }),
    );
    if (found !== undefined) return print(io, json, found, [found.code]);
    if (performance.now() < deadline) continue;
    io.err(noneFor(recipientValue(to), asked !== undefined));
    return asked === undefined ? 1 : TIMED_OUT;
  }
};

/** @see waitUntilReady. `timeout`: a duration; absent: 30 s. */
export interface WaitArguments extends ClientOptions {
  readonly timeout?: string;
}

const AGAIN_MS = 100;

const willStay = ({ status }: StagedoorError): boolean => status > 0 && status < 500;

/**
 * Polls until the emulator is ready, re-reading the lock file, which may not exist yet. Prints the console URL.
 * @returns 0. @throws CommandError after a timeout, or if another program responds.
 */
export const waitUntilReady = async (io: Io, options: WaitArguments): Promise<number> => {
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
    if (typeof found === "string") return print(io, options.json, { consoleUrl: found }, [found]);
    if (performance.now() + AGAIN_MS > deadline)
      throw new CommandError(`Not ready within ${timeoutMs / 1_000} s. ${found.message}`, TIMED_OUT);
    await pause(AGAIN_MS);
  }
};
