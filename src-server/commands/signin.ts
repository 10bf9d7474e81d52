/** `stagedoor signin TO`: prints a session token, without a passcode (CONTRACT 13). */
import { durationMs } from "./duration.ts";
import { type Whereabouts, withEmulator } from "./emulator.ts";
import { type Io, print } from "./io.ts";

/** @see signin */
export interface SigninOptions extends Whereabouts {
  readonly app?: string | undefined;
  /** Lifetime of the session, such as `10m`; absent: from the app's settings. */
  readonly ttl?: string | undefined;
  /** Prints user, session and token as one line of JSON. */
  readonly json?: boolean | undefined;
}

/**
 * Signs a user in, creating the user if necessary, and prints the token.
 * @param to phone number or email address. @returns 0. @throws CommandError if there is no emulator, or the call fails.
 */
export const signin = async (to: string, options: SigninOptions, io: Io): Promise<number> => {
  const { app: appId, ttl } = options;
  const who = {
    ...(to.includes("@") ? { email: to } : { phone: to }),
    ...(appId === undefined ? {} : { appId }),
    ...(ttl === undefined ? {} : { ttlSeconds: Math.ceil(durationMs(ttl, "--ttl") / 1_000) }),
  };
  const signedIn = await withEmulator(options, (client) => client.signInAs(who));
  return print(io, options.json, signedIn, [signedIn.token]);
};
