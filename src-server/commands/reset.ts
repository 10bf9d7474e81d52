/**
 * `stagedoor reset`: back to the fixtures (CONTRACT 6, state).
 */
import { accepted, ask, findEmulator, type Whereabouts } from "./emulator.ts";
import { type Io, printable } from "./io.ts";

/** @see reset */
export interface ResetOptions extends Whereabouts {
  readonly app?: string | undefined;
}

/** Takes the world, or one app, back to the fixtures it was started with, else to the demo. @returns 0. @throws CommandError */
export const reset = async (options: ResetOptions, io: Io): Promise<number> => {
  const emulator = await findEmulator(options);
  accepted(await ask(emulator, "DELETE", "state", { query: { appId: options.app } }));
  io.err(`${options.app === undefined ? "Everything" : printable(options.app)} is back to the fixtures.`);
  return 0;
};
