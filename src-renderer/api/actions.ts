/**
 * What the console does, as plain calls; the events that follow bring the cache up to date.
 */
import { routes } from "#contract/routes.ts";
import { ask, tell } from "./client.ts";
import type { Passcode } from "./records.ts";

/** Sends a passcode to a user, as a POST of the client would. */
export const sendPasscode = (appId: string, userId: string): Promise<Passcode> =>
  ask(routes.sendPasscode, { body: { appId, userId } });

/** Lets a passcode expire now. */
export const expirePasscode = (id: string): Promise<Passcode> => ask(routes.expirePasscode, { params: { id } });

/** @returns the token of a session, signed again. */
export const readToken = async (id: string): Promise<string> =>
  (await ask(routes.readSessionToken, { params: { id } })).token;

/** Revokes a session. */
export const revokeSession = (id: string): Promise<void> => tell(routes.revokeSession, { params: { id } });

/** Lets a session expire now. */
export const expireSession = async (id: string): Promise<void> => {
  await ask(routes.expireSession, { params: { id } });
};
