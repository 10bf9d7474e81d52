/** `stagedoor signin TO`: prints a session token, without a passcode. */
import { type ClientOptions, withEmulator } from "#server/plumbing/emulator.ts";
import { type Io, print } from "#server/plumbing/io.ts";
import { durationMs, given } from "#server/plumbing/options.ts";
import { withRecipient } from "./recipient.ts";

/** @see signin. `ttl`: lifetime of the session, such as `10m`; absent: from the app's settings. */
export interface SigninOptions extends ClientOptions {
  readonly ttl?: string | undefined;
}

/**
 * Signs a user in, creating the user if necessary, and prints the token.
 * @param to phone number or email address. @returns 0. @throws CommandError if there is no emulator, or the call fails.
 */
export const signin = async (io: Io, to: string, { app: appId, ttl, json, ...where }: SigninOptions) => {
  const ttlSeconds = ttl === undefined ? undefined : Math.ceil(durationMs(ttl, "--ttl") / 1_000);
  const more = given({ appId, ttlSeconds });
  const signedIn = await withEmulator(where, (client) =>
    withRecipient(to, (who) => client.signInAs({ ...(who.includes("@") ? { email: who } : { phone: who }), ...more })),
  );
  return print(io, json, signedIn, [signedIn.token]);
};
