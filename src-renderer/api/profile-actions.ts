/**
 * What the console does to profiles: create, change, delete, and take a deletion back.
 */
import { routes } from "#contract/routes.ts";
import type { JsonObject } from "#contract/scalars.ts";
import { ask } from "./client.ts";
import type { Connection, Profile } from "./records.ts";
import { RequestFailed } from "./request-failed.ts";

/** Attributes as they are sent; an absent one stays as it is, null clears it. */
export interface ProfileChange {
  readonly name?: string | null;
  readonly phone?: string | null;
  readonly email?: string | null;
  readonly metadata?: JsonObject | null;
  readonly testPasscode?: string | null;
}

/** Creates a profile. */
export const createProfile = (appId: string, fields: ProfileChange): Promise<Profile> =>
  ask(routes.addProfile, { body: { appId, ...fields } });

/**
 * Changes a profile. The server merges metadata and keeps keys that are not sent: where some are to go, what is sent is
 * tried first, so that a refusal leaves all as it was, and then the metadata is cleared and set.
 *
 * @param dropsKeys whether top-level keys of the metadata are to go
 */
export const changeProfile = async (
  { appId, userId }: Profile,
  change: ProfileChange,
  dropsKeys: boolean,
): Promise<Profile> => {
  const patch = (body: ProfileChange) => ask(routes.changeProfile, { params: { userId }, query: { appId }, body });
  const changed = await patch(change);
  if (!dropsKeys || change.metadata === undefined || change.metadata === null) return changed;
  await patch({ metadata: null });
  return await patch({ metadata: change.metadata });
};

/** What a deletion took that can be put back. */
export interface Deleted {
  readonly profiles: readonly Profile[];
  readonly connections: readonly Connection[];
}

const MOST_READ_SINGLY = 50;
const appIdsOf = (profiles: readonly Profile[]): string[] => [...new Set(profiles.map(({ appId }) => appId))];

const connectionsOf = async (profiles: readonly Profile[]): Promise<Connection[]> => {
  const lists =
    profiles.length <= MOST_READ_SINGLY
      ? profiles.map(({ appId, userId }) => ask(routes.listConnections, { query: { appId, userId } }))
      : appIdsOf(profiles).map((appId) => ask(routes.listConnections, { query: { appId } }));
  const names = new Set(profiles.map(({ appId, userId }) => `${appId} ${userId}`));
  const all = (await Promise.all(lists)).flatMap(({ items }) => items);
  return all.filter(({ appId, userId }) => names.has(`${appId} ${userId}`));
};

/** Deletes profiles, of one app or of several. @returns what is needed to put them back. */
export const deleteProfiles = async (profiles: readonly Profile[]): Promise<Deleted> => {
  const connections = await connectionsOf(profiles);
  for (const appId of appIdsOf(profiles)) {
    const userIds = profiles.filter((profile) => profile.appId === appId).map(({ userId }) => userId);
    await ask(routes.removeProfiles, { body: { appId, userIds } });
  }
  return { profiles, connections };
};

// A merge finds a profile by its username too: it would change whoever took that username meanwhile.
const refuseTaken = async (profiles: readonly Profile[]): Promise<void> => {
  if (profiles.length > MOST_READ_SINGLY) return;
  for (const { appId, userId, phone, email } of profiles) {
    const { strategy } = await ask(routes.readApp, { params: { appId } });
    const username = strategy === "phone" ? phone : email;
    if (username === null) continue;
    const { items } = await ask(routes.searchProfiles, { query: { appId, q: username } });
    const holder = items.find((one) => one[strategy]?.toLowerCase() === username.toLowerCase());
    if (holder !== undefined && holder.userId !== userId)
      throw new RequestFailed(409, `${username} has been taken by another profile meanwhile. Nothing was put back.`);
  }
};

/** Puts deleted profiles back, with the same ids, test codes, times and connections. Sessions and passcodes are gone. */
export const restoreProfiles = async ({ profiles, connections }: Deleted): Promise<void> => {
  await refuseTaken(profiles);
  const apps = await Promise.all(
    appIdsOf(profiles).map(async (appId) => {
      // A merge would make an app that is gone anew.
      await ask(routes.readApp, { params: { appId } });
      return {
        appId,
        profiles: profiles.filter((one) => one.appId === appId).map(({ appId: _, ...profile }) => profile),
        connections: connections.filter((one) => one.appId === appId).map(({ appId: _, ...connection }) => connection),
      };
    }),
  );
  await ask(routes.writeState, { body: { mode: "merge", state: { version: 1, apps } } });
};
