/**
 * Deleting profiles, and putting them back.
 */
import type { Connection, Profile } from "#client/index.ts";
import { emulator } from "./emulator.ts";

/** What a deletion took that can be put back. */
export interface Deleted {
  readonly profiles: readonly Profile[];
  readonly connections: readonly Connection[];
}

/** Above so many profiles all connections of their apps are read, rather than those of each. */
const MOST_READ_SINGLY = 50;
const appIdsOf = (profiles: readonly Profile[]): string[] => [...new Set(profiles.map(({ appId }) => appId))];

const connectionsOf = async (profiles: readonly Profile[]): Promise<Connection[]> => {
  const queries =
    profiles.length <= MOST_READ_SINGLY
      ? profiles.map(({ appId, userId }) => ({ appId, userId }))
      : appIdsOf(profiles).map((appId) => ({ appId }));
  const lists = await Promise.all(queries.map((query) => emulator.connections.list(query)));
  const names = new Set(profiles.map(({ appId, userId }) => `${appId} ${userId}`));
  return lists.flatMap(({ items }) => items).filter(({ appId, userId }) => names.has(`${appId} ${userId}`));
};

/** Deletes profiles, of one app or of several. @returns what is needed to put them back. */
export const deleteProfiles = async (profiles: readonly Profile[]): Promise<Deleted> => {
  const connections = await connectionsOf(profiles);
  for (const appId of appIdsOf(profiles)) {
    const userIds = profiles.filter((profile) => profile.appId === appId).map(({ userId }) => userId);
    await emulator.profiles.deleteMany(appId, userIds);
  }
  return { profiles, connections };
};

// A merge finds a profile by its username too: it would change whoever took that username meanwhile.
const refuseTaken = async (profiles: readonly Profile[]): Promise<void> => {
  if (profiles.length > MOST_READ_SINGLY) return;
  for (const { appId, userId, phone, email } of profiles) {
    const { strategy } = await emulator.apps.get(appId);
    const username = strategy === "phone" ? phone : email;
    if (username === null) continue;
    const { items } = await emulator.profiles.list({ appId, q: username });
    const holder = items.find((one) => one[strategy]?.toLowerCase() === username.toLowerCase());
    if (holder !== undefined && holder.userId !== userId)
      throw new Error(`Another profile has taken ${username} since. Nothing was restored.`);
  }
};

/** Puts deleted profiles back, with the same ids, test codes, times and connections. Sessions and passcodes are gone. */
export const restoreProfiles = async ({ profiles, connections }: Deleted): Promise<void> => {
  await refuseTaken(profiles);
  const apps = await Promise.all(
    appIdsOf(profiles).map(async (appId) => {
      // A merge would create an app that is gone.
      await emulator.apps.get(appId);
      return {
        appId,
        profiles: profiles.filter((one) => one.appId === appId).map(({ appId: _, ...profile }) => profile),
        connections: connections.filter((one) => one.appId === appId).map(({ appId: _, ...connection }) => connection),
      };
    }),
  );
  await emulator.state.import({ version: 1, apps });
};
