/**
 * A world taken in: fixtures at a first start, PUT state, reset. All or nothing, each bad entry named by its path
 * (CONTRACT 6, state and Fixtures).
 */
import { type AppCounts, appSecret, effectiveSettings } from "#contract/apps.ts";
import { invalid } from "#contract/problems.ts";
import type { AppRecord, ConnectionRecord, PasscodeRecord, ProfileRecord, SessionRecord } from "#contract/records.ts";
import { foldUsername, isoInstant, type JsonObject } from "#contract/scalars.ts";
import type { FixtureApp, FixtureConnection, FixtureProfile, WorldState } from "#contract/state.ts";
import type { FieldErrors } from "#contract/validation.ts";
import { Changes } from "./changes.ts";
import { REAL_CLOCK } from "./clock.ts";
import type { Decision } from "./decision.ts";
import type { Env } from "./env.ts";
import { readProfileFields } from "./profile-fields.ts";
import type { AppWorld, World } from "./world.ts";

/** `merge` adds to what is there and updates it, `replace` makes the world be what is sent. */
export type ImportMode = "merge" | "replace";

/** Everything that one import needs at hand. */
interface Import {
  readonly world: World;
  readonly env: Env;
  readonly changes: Changes;
  readonly errors: FieldErrors;
}

const refuse = (into: Import, path: string, text: string): void => {
  const list = into.errors[path];
  if (list === undefined) into.errors[path] = [text];
  else list.push(text);
};

/** An app before its import, or nothing where it is new or is replaced. */
type Before = AppWorld | undefined;

const importProfile = (
  into: Import,
  app: AppRecord,
  stored: ProfileRecord | undefined,
  sent: FixtureProfile,
  path: string,
): ProfileRecord | undefined => {
  const { userId, testPasscode, createdAt, updatedAt, ...attributes } = sent;
  const read = readProfileFields(app, attributes as JsonObject, stored?.metadata ?? null);
  if ("errors" in read) {
    for (const [field, list] of Object.entries(read.errors))
      for (const text of list) refuse(into, `${path}.${field}`, text);
    return undefined;
  }
  const now = isoInstant(into.env.now(app.appId));
  const code = testPasscode === undefined ? stored?.testPasscode : testPasscode;
  const { fields } = read;
  return {
    userId: stored?.userId ?? userId ?? into.env.uuid(),
    seq: stored?.seq ?? into.changes.seq,
    name: fields.name === undefined ? (stored?.name ?? null) : fields.name,
    phone: fields.phone === undefined ? (stored?.phone ?? null) : fields.phone,
    email: fields.email === undefined ? (stored?.email ?? null) : fields.email,
    metadata: fields.metadata === undefined ? (stored?.metadata ?? null) : fields.metadata,
    createdAt: createdAt ?? stored?.createdAt ?? now,
    updatedAt: updatedAt ?? createdAt ?? now,
    ...(typeof code === "string" ? { testPasscode: code } : {}),
  };
};

/** Which profile has which username once the import is done; a username may move between profiles of one import. */
class Usernames {
  readonly #claimed = new Map<string, string>();
  readonly #touched = new Map<string, string | null>();
  readonly #before: Before;

  constructor(before: Before) {
    this.#before = before;
  }

  /** @returns whether the profile was in this import already. */
  seen(userId: string): boolean {
    return this.#touched.has(userId);
  }

  /** Notes what a profile is called after the import. @returns false if another entry of the import is called so. */
  claim(userId: string, username: string | null): boolean {
    this.#touched.set(userId, username);
    if (username === null) return true;
    const folded = foldUsername(username);
    if (this.#claimed.has(folded)) return false;
    this.#claimed.set(folded, userId);
    return true;
  }

  /** @returns whether a profile that the import does not touch has this username. */
  heldByOther(username: string): boolean {
    const holder = this.#before?.profileByUsername(username);
    return holder !== undefined && !this.#touched.has(holder.userId);
  }
}

const importProfiles = (
  into: Import,
  app: AppRecord,
  before: Before,
  sent: readonly FixtureProfile[],
  path: string,
): readonly ProfileRecord[] => {
  const usernames = new Usernames(before);
  const imported: { profile: ProfileRecord; at: string }[] = [];
  for (const [i, entry] of sent.entries()) {
    const at = `${path}.profiles[${i}]`;
    const username = entry[app.strategy];
    const stored =
      (entry.userId === undefined ? undefined : before?.find("profiles", entry.userId)) ??
      (entry.userId === undefined && typeof username === "string" ? before?.profileByUsername(username) : undefined);
    const profile = importProfile(into, app, stored, entry, at);
    if (profile === undefined) continue;
    if (usernames.seen(profile.userId)) {
      refuse(into, `${at}.userId`, "stands twice in this app");
      continue;
    }
    if (!usernames.claim(profile.userId, profile[app.strategy]))
      refuse(into, `${at}.${app.strategy}`, "has already been taken");
    into.changes.put("profiles", app.appId, profile);
    imported.push({ profile, at });
  }
  for (const { profile, at } of imported) {
    const username = profile[app.strategy];
    if (username !== null && usernames.heldByOther(username))
      refuse(into, `${at}.${app.strategy}`, "has already been taken");
  }
  return imported.map(({ profile }) => profile);
};

const importConnections = (
  into: Import,
  app: AppRecord,
  before: Before,
  profiles: readonly ProfileRecord[],
  sent: readonly FixtureConnection[],
  path: string,
): void => {
  const ids = new Set(profiles.map((profile) => profile.userId));
  const byUsername = new Map(profiles.map((profile) => [foldUsername(profile[app.strategy] ?? ""), profile.userId]));
  const seen = new Set<string>();
  for (const [i, entry] of sent.entries()) {
    const at = `${path}.connections[${i}]`;
    const named =
      entry.user === undefined
        ? undefined
        : (byUsername.get(foldUsername(entry.user)) ?? before?.profileByUsername(entry.user)?.userId);
    const userId = entry.userId ?? named;
    // A deletion leaves disabled connections behind (D14): these may name a profile that is gone.
    const known =
      userId !== undefined &&
      (ids.has(userId) || before?.find("profiles", userId) !== undefined || entry.status === "disabled");
    if (userId === undefined || !known) {
      refuse(into, entry.userId === undefined ? `${at}.user` : `${at}.userId`, "names no profile of this app");
      continue;
    }
    const stored = entry.id === undefined ? undefined : before?.find("connections", entry.id);
    const id = entry.id ?? into.env.uuid();
    if (seen.has(id)) {
      refuse(into, `${at}.id`, "stands twice in this app");
      continue;
    }
    seen.add(id);
    const now = isoInstant(into.env.now(app.appId));
    const status = entry.status ?? stored?.status ?? "connected";
    const connection: ConnectionRecord = {
      id,
      seq: stored?.seq ?? into.changes.seq,
      userId,
      name: entry.name,
      managed: entry.managed ?? stored?.managed ?? true,
      status,
      createdAt: entry.createdAt ?? stored?.createdAt ?? now,
      disabledAt: status === "connected" ? null : (entry.disabledAt ?? stored?.disabledAt ?? now),
    };
    into.changes.put("connections", app.appId, connection);
  }
};

const importVolatile = (into: Import, app: AppRecord, before: Before, sent: FixtureApp): void => {
  sent.passcodes?.forEach((passcode: PasscodeRecord) => {
    into.changes.put("passcodes", app.appId, {
      ...passcode,
      seq: before?.find("passcodes", passcode.id)?.seq ?? into.changes.seq,
    });
  });
  sent.sessions?.forEach((session: SessionRecord) => {
    into.changes.put("sessions", app.appId, {
      ...session,
      seq: before?.find("sessions", session.id)?.seq ?? into.changes.seq,
    });
  });
  if (sent.clock !== undefined) into.changes.putClock(app.appId, sent.clock);
};

/** Usernames of profiles that the import leaves alone may collide when it changes the strategy. */
const strategyCollides = (before: AppWorld, app: AppRecord): boolean => {
  if (before.app.strategy === app.strategy) return false;
  const names = before.profiles.map((profile) => profile[app.strategy]).filter((name) => name !== null);
  return new Set(names.map(foldUsername)).size < names.length;
};

const importApp = (
  into: Import,
  stored: AppWorld | undefined,
  mode: ImportMode,
  sent: FixtureApp,
  path: string,
): AppRecord => {
  const before = mode === "merge" ? stored : undefined;
  const secret = sent.secret ?? stored?.app.secret ?? into.env.secret();
  const app: AppRecord = {
    appId: sent.appId,
    seq: before?.app.seq ?? into.changes.seq + (mode === "replace" && stored !== undefined ? 1 : 0),
    name: sent.name ?? before?.app.name ?? sent.appId,
    secret,
    strategy: sent.strategy ?? before?.app.strategy ?? "phone",
    settings: sent.settings ?? before?.app.settings ?? {},
    createdAt: sent.createdAt ?? stored?.app.createdAt ?? isoInstant(into.env.now(sent.appId)),
  };
  effectiveSettings(app.settings);
  if (before !== undefined && strategyCollides(before, app))
    refuse(into, `${path}.strategy`, "would make usernames of this app collide");
  if (mode === "replace" && stored !== undefined) into.changes.removeApp(sent.appId);
  into.changes.putApp(app);
  const profiles = importProfiles(into, app, before, sent.profiles ?? [], path);
  importConnections(into, app, before, profiles, sent.connections ?? [], path);
  importVolatile(into, app, before, sent);
  return app;
};

const secretErrors = (into: Import, apps: readonly AppRecord[], gone: ReadonlySet<string>): void => {
  const holders = new Map<string, string>();
  const named = new Set(apps.map((app) => app.appId));
  for (const { app } of into.world.apps)
    if (!named.has(app.appId) && !gone.has(app.appId)) holders.set(app.secret, app.appId);
  apps.forEach((app, i) => {
    if (holders.has(app.secret) || !appSecret.safeParse(app.secret).success)
      refuse(into, `apps[${i}].secret`, "has already been taken");
    holders.set(app.secret, app.appId);
  });
};

/** What an import came to. */
export type ImportCounts = { readonly apps: number } & AppCounts;

const counts = (sent: WorldState): ImportCounts => {
  const sum = (count: (app: FixtureApp) => number): number => sent.apps.reduce((total, app) => total + count(app), 0);
  return {
    apps: sent.apps.length,
    profiles: sum((app) => app.profiles?.length ?? 0),
    passcodes: sum((app) => app.passcodes?.length ?? 0),
    sessions: sum((app) => app.sessions?.length ?? 0),
    connections: sum((app) => app.connections?.length ?? 0),
  };
};

/**
 * Takes a world in.
 * @param sent parsed by the contract. @param only the one app that may be touched; undefined: all.
 * @returns how much was taken in, or 422 with every bad entry by its path.
 */
export const importState = (
  world: World,
  sent: WorldState,
  mode: ImportMode,
  env: Env,
  only?: string,
): Decision<ImportCounts> => {
  const into: Import = { world, env, changes: new Changes(world), errors: {} };
  const gone = new Set<string>();
  if (mode === "replace" && only === undefined) {
    const kept = new Set(sent.apps.map((app) => app.appId));
    for (const { app } of world.apps) if (!kept.has(app.appId)) gone.add(app.appId);
    for (const appId of gone) into.changes.removeApp(appId);
    into.changes.putClock(null, sent.clock ?? REAL_CLOCK);
  }
  const seen = new Set<string>();
  const apps = sent.apps.map((app, i) => {
    const path = `apps[${i}]`;
    if (only !== undefined && app.appId !== only)
      refuse(into, `${path}.appId`, `must be "${only}", the app that was asked for`);
    if (seen.has(app.appId)) refuse(into, `${path}.appId`, "stands twice");
    seen.add(app.appId);
    return importApp(into, world.app(app.appId), mode, app, path);
  });
  secretErrors(into, apps, gone);
  return Object.keys(into.errors).length > 0 ? invalid(into.errors) : into.changes.decided(counts(sent));
};

/** Empties an app: its settings stay, all else goes. */
export const emptyApp = (world: World, app: AppWorld): Decision<null> => {
  const changes = new Changes(world);
  const { appId } = app.app;
  changes.removeApp(appId);
  changes.putApp({ ...app.app, seq: changes.seq });
  return changes.decided(null);
};
