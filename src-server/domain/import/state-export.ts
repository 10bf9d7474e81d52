/**
 * Exports the world as a fixture: apps, profiles, connections; on request the volatile parts too. A minimal one omits
 * everything that an import adds by itself.
 */
import type { FixtureApp, FixtureConnection, FixtureProfile, WorldState } from "#contract/control/state.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "#contract/scalars.ts";
import { DEFAULT_SETTINGS } from "#contract/service/effective-settings.ts";
import { strategyOf, usernameField } from "#contract/service/strategies.ts";
import { finish, mapInSteps, type Steps } from "#contract/steps.ts";
import { plainJson } from "#contract/words/parsed-json.ts";
import { appFields } from "../apps.ts";
import { extrasOf } from "../profile-fields.ts";
import { profileAnswer } from "../profiles.ts";
import type { AppData, WorldData } from "../world.ts";

/** Replaces `seq` with the position in the export, because an import assigns numbers in this order. */
type Placed = <R extends { readonly seq: number }>(record: R) => R;

/** Assigns positions to passcodes and sessions: one sequence for both, across all apps. */
const places = (apps: readonly AppData[]): Placed => {
  const order = apps
    .flatMap((app) => [...app.passcodes, ...app.sessions])
    .map((record) => record.seq)
    .sort((a, b) => a - b);
  const placeOf = new Map(order.map((seq, i) => [seq, i + 1]));
  return (record) => ({ ...record, seq: placeOf.get(record.seq) ?? record.seq });
};

/** @param placed undefined: omit the volatile parts. */
function* exportApp(app: AppData, placed: Placed | undefined): Steps<FixtureApp> {
  const { steps, weather } = app.app;
  const profiles = yield* mapInSteps(app.profiles, (profile) => {
    const { createdAt, updatedAt, ...shown } = profileAnswer(profile);
    return { ...shown, ...extrasOf(profile), createdAt, updatedAt };
  });
  const connections = yield* mapInSteps(app.connections, ({ seq: _, ...connection }) => connection);
  return {
    ...appFields(app.app),
    ...(weather === undefined ? {} : { weather }),
    profiles,
    connections,
    ...(placed === undefined
      ? {}
      : {
          passcodes: app.passcodes.map(placed),
          sessions: app.sessions.map(placed),
          clock: app.clock,
          ...(steps === undefined ? {} : { steps }),
        }),
  };
}

/**
 * @param moment must not change in the meantime. @param withVolatile with passcodes, sessions, clocks.
 * @returns apps with keys in a stable order; no key (D29).
 */
export function* exportSteps({ apps, clock }: WorldData, withVolatile: boolean): Steps<WorldState> {
  const placed = withVolatile ? places(apps) : undefined;
  const exported: FixtureApp[] = [];
  for (const app of apps) exported.push(yield* exportApp(app, placed));
  return { version: 1, apps: exported, ...(withVolatile ? { clock } : {}) };
}

/** Exports in one step. @see exportSteps */
export const exportState = (...how: Parameters<typeof exportSteps>): WorldState => finish(exportSteps(...how));

/** @returns the settings that differ from their defaults; undefined if none does. */
const ownSettings = (own: JsonObject, defaults: JsonObject): JsonObject | undefined => {
  const kept = Object.entries(own).flatMap(([name, value]): [string, JsonValue][] => {
    const usual = defaults[name];
    const inner = isJsonObject(value) && isJsonObject(usual) ? ownSettings(value, usual) : value;
    return inner === undefined || JSON.stringify(inner) === JSON.stringify(usual) ? [] : [[name, inner]];
  });
  return kept.length === 0 ? undefined : Object.fromEntries(kept);
};

/** @returns the object without fields that are null, undefined or equal to their default. */
const without = <T extends object>(value: T, defaults: Partial<T> = {}): T => {
  const usual = new Map(Object.entries(defaults));
  // Everything omitted here is optional in the fixture schema.
  return Object.fromEntries(
    Object.entries(value).filter(([name, field]) => field !== null && field !== undefined && field !== usual.get(name)),
  ) as T;
};

function* minimalApp(app: FixtureApp): Steps<FixtureApp> {
  const { createdAt: _, settings = {}, profiles = [], connections = [], ...rest } = app;
  const field = usernameField({ strategy: strategyOf(app.strategy) });
  const usernames = new Map(profiles.map((profile) => [profile.userId, profile[field] ?? undefined]));
  const shortConnections = yield* mapInSteps(connections, (connection): FixtureConnection => {
    const { id: _id, createdAt: _at, disabledAt: _then, userId, ...shown } = connection;
    const user = usernames.get(userId);
    const owner = user === undefined ? { userId } : { user };
    return without({ ...owner, ...shown } as FixtureConnection, { managed: true, status: "connected" });
  });
  const named = [...shortConnections, ...(app.passcodes ?? []), ...(app.sessions ?? [])].map(({ userId }) => userId);
  const referred = new Set(named);
  const shortProfiles = yield* mapInSteps(profiles, (profile): FixtureProfile => {
    const { createdAt: _at, updatedAt: _then, userId, ...shown } = profile;
    return without(userId !== undefined && referred.has(userId) ? { userId, ...shown } : shown);
  });
  const own = ownSettings(plainJson(settings), plainJson(DEFAULT_SETTINGS));
  return without<FixtureApp>(
    {
      ...rest,
      ...(own === undefined ? {} : { settings: own }),
      ...(shortProfiles.length === 0 ? {} : { profiles: shortProfiles }),
      ...(shortConnections.length === 0 ? {} : { connections: shortConnections }),
    },
    { name: app.appId, strategy: "phone" },
  );
}

/** @returns an export without nulls, defaults, times, and ids that nothing refers to; volatile parts stay unchanged. */
export function* minimalSteps({ version: _, apps, ...rest }: WorldState): Steps<Omit<WorldState, "version">> {
  const short: FixtureApp[] = [];
  for (const app of apps) short.push(yield* minimalApp(app));
  return { apps: short, ...rest };
}
