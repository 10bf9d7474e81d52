/** `stagedoor passcode TO`: prints only the newest active code of a recipient, for scripts. */
import { StagedoorError } from "#client/index.ts";
import { MAX_WAIT_MS } from "#contract/service/passcodes.ts";
import { errorBody } from "#contract/service/problems.ts";
import { type ClientOptions, withEmulator } from "#server/plumbing/emulator.ts";
import { type Io, print, printable, TIMED_OUT } from "#server/plumbing/io.ts";
import { durationMs, given } from "#server/plumbing/options.ts";
import { withRecipient } from "./recipient.ts";

/** @see passcode. `wait`: a duration; true: 30 s. `after`: the id or `seq` of an earlier passcode. */
export interface PasscodeOptions extends ClientOptions {
  readonly wait?: string | true;
  readonly after?: string;
}

const WAIT = "30s";

/** @returns why there is none, as the server says it. */
const noneIn = (error: unknown): string => {
  if (!(error instanceof StagedoorError) || error.reason !== "no_passcode") throw error;
  return errorBody.parse(error.body).instruction;
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
      withRecipient(to, (who) => client.passcodes.latest({ to: who, wait, ...given({ appId, after }) })).catch(noneIn),
    );
    if (typeof found !== "string") return print(io, json, found, [found.code]);
    if (performance.now() < deadline) continue;
    const when = asked === undefined ? "" : " arrived in time";
    io.err(`No active passcode for ${printable(to)}${when}. ${printable(found)}`);
    return asked === undefined ? 1 : TIMED_OUT;
  }
};
