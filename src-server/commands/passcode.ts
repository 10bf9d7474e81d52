/**
 * `stagedoor passcode TO`: the newest active code of a recipient, alone on a line, for scripts (CONTRACT 7).
 */
import { MAX_WAIT_MS } from "#contract/passcodes.ts";
import { accepted, ask, findEmulator, type Whereabouts } from "./emulator.ts";
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
    throw new CommandError(`${option} takes seconds, or a time such as 500ms or 2m, not "${printable(text)}".`);
  return Math.round(Number(number) * (UNITS[unit] ?? 0));
};

/**
 * Prints the newest active code that was sent to a recipient, waiting for one if asked to.
 * @param to phone number or email address. @returns 0, or 1 if there is none. @throws CommandError
 */
export const passcode = async (to: string, options: PasscodeOptions, io: Io): Promise<number> => {
  const deadline = performance.now() + (options.wait === undefined ? 0 : durationMs(options.wait));
  const emulator = await findEmulator(options);
  const query = { to, appId: options.app, after: options.after };
  for (;;) {
    const left = Math.max(0, Math.ceil(deadline - performance.now()));
    const wait = String(Math.min(left, MAX_WAIT_MS));
    const answer = await ask(emulator, "GET", "passcodes/latest", { query: { ...query, wait }, accept: "text/plain" });
    if (answer.status !== 404) {
      io.out(`${accepted(answer).trim()}\n`);
      return 0;
    }
    if (performance.now() < deadline) continue;
    io.err(`No active passcode for ${printable(to)}${options.wait === undefined ? "" : " came in time"}.`);
    return 1;
  }
};
