/** Signs a user in without a passcode, in one call. */
import { StagedoorError } from "./error.ts";
import { invalidOptions } from "./options.ts";
import { appsOf, USERNAME_FIELDS } from "./recipient.ts";
import type { App, List, Profile, ProfileInput, Session } from "./records.ts";
import { segment, type Transport } from "./transport.ts";

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

/** @returns the profiles with this phone or email as username, at most one per app. */
const findUsers = async (transport: Transport, input: ProfileInput): Promise<Profile[]> => {
  const inApp = async ({ appId, strategy }: App): Promise<Profile[]> => {
    const [field = "phone"] = USERNAME_FIELDS[strategy].filter((one) => (input[one] ?? null) !== null);
    const username = input[field] ?? "";
    const query = { appId, q: username, limit: 100 };
    const { items } = await transport.ask<List<Profile>>("GET", "profiles", { query });
    return items.filter((profile) => profile[field]?.toLowerCase() === username.toLowerCase()).slice(0, 1);
  };
  return (await Promise.all((await appsOf(transport, input.appId)).map(inApp))).flat();
};

/** @returns the user, created if necessary, otherwise updated with the given fields. */
const provideUser = async (transport: Transport, input: ProfileInput): Promise<Profile> => {
  const { ask } = transport;
  const update = async (profile: Profile): Promise<Profile> => {
    const { appId: _, ...change } = input;
    const current: Readonly<Record<string, unknown>> = { ...profile };
    if (Object.entries(change).every(([name, value]) => current[name] === value)) return profile;
    const query = { appId: profile.appId };
    return await ask("PATCH", `profiles/${segment(profile.userId)}`, { body: change, query });
  };
  const [known, another] = await findUsers(transport, input);
  if (known !== undefined && another !== undefined)
    throw invalidOptions("signInAs", {
      appId: [`can't be blank: the user exists in several apps (${known.appId}, ${another.appId})`],
    });
  if (known !== undefined) return await update(known);
  try {
    return await ask("POST", "profiles", { body: input });
  } catch (error) {
    // Another test may have created the user in the meantime.
    const [made] = error instanceof StagedoorError && error.status === 422 ? await findUsers(transport, input) : [];
    if (made === undefined) throw error;
    return await update(made);
  }
};

/** @see Client.signInAs */
export const signInAs = async (transport: Transport, { ttlSeconds, ...input }: SignInInput): Promise<SignedIn> => {
  if ((input.phone ?? input.email ?? null) === null)
    throw invalidOptions("signInAs", { phone: ["can't be blank, unless email is given"] });
  const { appId, userId } = await provideUser(transport, input);
  const body = { appId, userId, ttlSeconds };
  const { token, ...session } = await transport.ask<Session & { token: string }>("POST", "sessions", { body });
  return { userId, session, token };
};
