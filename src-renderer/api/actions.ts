/** The actions of the console. Each response is shown immediately, as if its event had already arrived. */
import type {
  App,
  AppInput,
  Connection,
  ConnectionInput,
  Fault,
  FaultInput,
  Passcode,
  Profile,
  ProfilePatch,
  Session,
  SettingsByPath,
  StagedoorEvent,
} from "#client/index.ts";
import { readAgain } from "./cache.ts";
import { emulator, unlessGone } from "./emulator.ts";
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
/** Reloads the list of apps or connections, and waits until it shows the change. */
const thenRead = async <T>(key: "apps" | "connections", answer: Promise<T>): Promise<T> => {
  const item = await answer;
  await readAgain(key);
  return item;
};

/** Opens auth to the local network, or closes it. */
export const setLan = async (open: boolean): Promise<void> => {
  await (open ? emulator.lan.open() : emulator.lan.close());
  await readAgain("lan", "status", "tls");
};

/** Turns TLS on auth on or off. */
export const setTls = async (on: boolean): Promise<void> => {
  await (on ? emulator.tls.on() : emulator.tls.off());
  await readAgain("tls", "lan");
};

/** Replaces the certificate authority; devices must trust the new one. */
export const renewCa = async (): Promise<void> => {
  await emulator.tls.renewCa();
  await readAgain("tls");
};

/** Sends a passcode to a user, as a client's POST would. */
export const sendPasscode = (appId: string, userId: string): Promise<Passcode> =>
  shownPasscode(emulator.passcodes.send({ appId, userId }));

/** Expires a passcode now. */
export const expirePasscode = (id: string): Promise<Passcode> => shownPasscode(emulator.passcodes.expire(id));

/** Signs a user in without a passcode. @param ttlSeconds absent: the session lifetime of the app. */
export const addSession = (appId: string, userId: string, ttlSeconds?: number): Promise<Session> =>
  shownSession(emulator.sessions.create({ appId, userId, ...(ttlSeconds === undefined ? {} : { ttlSeconds }) }));

/** Expires a session now. */
export const expireSession = (id: string): Promise<Session> => shownSession(emulator.sessions.expire(id));

/** Revokes a session. */
export const revokeSession = async (id: string): Promise<Session> => {
  await emulator.sessions.revoke(id);
  return await shownSession(emulator.sessions.get(id));
};

/**
 * Creates a profile, or updates the one with these ids.
 * @param dropsKeys whether top-level metadata keys were removed: the server merges, and keeps keys that are not sent
 */
export const saveProfile = async (
  { appId, userId }: Pick<Profile, "appId" | "userId"> | { readonly appId: string; readonly userId: null },
  fields: ProfilePatch,
): Promise<Profile> =>
  shownProfile(
    userId === null
      ? emulator.profiles.create({ appId, ...fields })
      : emulator.profiles.update(userId, fields, { appId }),
  );

/** Creates an app. */
export const createApp = (input: AppInput): Promise<App> => thenRead("apps", emulator.apps.create(input));

/** An update of an app: settings by path, `null` for the default. */
export interface AppChange {
  readonly name?: string;
  readonly strategy?: App["strategy"];
  readonly settings: SettingsByPath;
}

/** Updates an app; the server validates the values. */
export const updateApp = (appId: string, change: AppChange): Promise<App> =>
  thenRead("apps", emulator.apps.update(appId, change));

/** Generates a new app secret. */
export const renewSecret = (appId: string): Promise<App> => thenRead("apps", emulator.apps.renewSecret(appId));

/** Creates a connection for a profile. */
export const addConnection = (input: ConnectionInput): Promise<Connection> =>
  thenRead("connections", emulator.connections.create(input));

/** Disables or enables a connection. */
export const setConnection = (id: string, status: Connection["status"]): Promise<Connection> =>
  thenRead("connections", emulator.connections.update(id, { status }));

/** Deletes a connection. */
export const removeConnection = (id: string): Promise<void> => thenRead("connections", emulator.connections.delete(id));

/** Adds a fault after the existing ones. */
export const addFault = (input: FaultInput): Promise<Fault> =>
  shown(emulator.faults.add(input), (item) => ({ type: "fault.put", appId: null, seq: 0, item }));

/** Deletes a fault; does nothing if it is already gone. */
export const removeFault = async (id: string): Promise<void> => {
  await unlessGone(emulator.faults.remove(id));
  applyEvents([{ type: "fault.remove", appId: null, seq: 0, item: { id } }]);
};

/** Clears the request log and reloads it, because events only announce new rows. */
export const clearRequests = async (): Promise<void> => {
  await emulator.requests.clear();
  await readAgain("requests");
};
