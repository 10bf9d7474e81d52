/** Signs a user in without a passcode, in one call. */
import { invalidOptions } from "./options.ts";
import { storedRecipient } from "./recipient.ts";
import type { Profile, ProfileInput, Session } from "./records.ts";
import type { Transport } from "./transport.ts";

/** The user: `phone` or `email`. All other fields are stored in the profile. */
export interface SignInInput extends ProfileInput {
  /** Lifetime of the session in seconds of the app's clock. Absent: from the app's settings. */
  readonly ttlSeconds?: number | undefined;
}

/** A signed-in user. */
export interface SignedIn {
  readonly userId: string;
  readonly session: Session;
  /** For `Authorization: Bearer …`. */
  readonly token: string;
}

/** @see Client.signInAs */
export const signInAs = async (transport: Transport, { ttlSeconds, ...input }: SignInInput): Promise<SignedIn> => {
  if ((input.phone ?? input.email ?? null) === null)
    throw invalidOptions("signInAs", { phone: ["can't be blank, unless email is given"] });
  const body = typeof input.phone === "string" ? { ...input, phone: storedRecipient(input.phone) } : input;
  // One call, so that many at once make one user.
  const { appId, userId } = await transport.ask<Profile>("PUT", "profiles", { body });
  const { token, ...session } = await transport.ask<Session & { token: string }>("POST", "sessions", {
    body: { appId, userId, ttlSeconds },
  });
  return { userId, session, token };
};
