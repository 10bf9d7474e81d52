/** The actions of the console. Each response is shown immediately, as if its event had already arrived. */
import type {
  AppInput,
  Connection,
  ConnectionInput,
  Passcode,
  Profile,
  ProfilePatch,
  Session,
  StagedoorEvent,
} from "#client/index.ts";
import { readAgain } from "./cache.ts";
import { emulator } from "./emulator.ts";
import { applyEvents } from "./live.ts";

const shown = async <T>(answer: Promise<T>, eventOf: (item: T) => StagedoorEvent): Promise<T> => {
  const item = await answer;
  applyEvents([eventOf(item)]);
  return item;
};
const shownPasscode = (answer: Promise<Passcode>) =>
  shown(answer, (item) => ({ type: "passcode.put", appId: item.appId, seq: item.seq, item }));
const shownSession = <T extends Session>(answer: Promise<T>) =>
  shown(answer, (item) => ({ type: "session.put", appId: item.appId, seq: item.seq, item }));
const shownProfile = (answer: Promise<Profile>) =>
  shown(answer, (item) => ({ type: "profile.put", appId: item.appId, seq: 0, item }));

/** Reloads the queries that an action changes, and waits until they show it. */
export const thenRead = async <T>(answer: Promise<T>, ...keys: readonly string[]): Promise<T> => {
  const item = await answer;
  await readAgain(...keys);
  return item;
};

/** Sends a passcode to a user, as a client's POST would. */
export const requestPasscode = (appId: string, userId: string) =>
  shownPasscode(emulator.passcodes.send({ appId, userId }));

/** Delivers a delayed passcode now. */
export const deliverPasscode = (id: string) => shownPasscode(emulator.passcodes.deliver(id));

/** Expires a passcode now. */
export const expirePasscode = (id: string) => shownPasscode(emulator.passcodes.expire(id));

/** Signs a user in without a passcode. */
export const addSession = (appId: string, userId: string) => shownSession(emulator.sessions.create({ appId, userId }));

/** Ends a session now. */
export const endSession = async (id: string, how: "expire" | "revoke"): Promise<Session> => {
  if (how === "expire") return await shownSession(emulator.sessions.expire(id));
  await emulator.sessions.revoke(id);
  return await shownSession(emulator.sessions.get(id));
};

/** Updates a profile. @param profile its ids; without a user id it is created. */
export const saveProfile = (
  { appId, userId }: { readonly appId: string; readonly userId: string | null },
  fields: ProfilePatch,
): Promise<Profile> =>
  shownProfile(
    userId === null
      ? emulator.profiles.create({ appId, ...fields })
      : emulator.profiles.update(userId, fields, { appId }),
  );

/** Creates an app. */
export const createApp = (input: AppInput) => thenRead(emulator.apps.create(input), "apps");

/** Updates an app; the server validates the values. */
export const updateApp = (...change: Parameters<typeof emulator.apps.update>) =>
  thenRead(emulator.apps.update(...change), "apps");

/** Generates a new app secret. */
export const renewSecret = (appId: string) => thenRead(emulator.apps.renewSecret(appId), "apps");

/** Creates a connection for a profile. */
export const addConnection = (input: ConnectionInput) => thenRead(emulator.connections.create(input), "connections");

/** Disables or enables a connection. */
export const setConnection = (id: string, status: Connection["status"]) =>
  thenRead(emulator.connections.update(id, { status }), "connections");

/** Deletes a connection. */
export const removeConnection = (id: string) => thenRead(emulator.connections.delete(id), "connections");

/** Clears these requests and reloads the log, because events only announce new rows. */
export const clearRequests = (ids: readonly string[]) => thenRead(emulator.requests.clear({ ids }), "requests");

/** Brings the requests back that were cleared last. */
export const recallRequests = () => thenRead(emulator.requests.recall(), "requests");
