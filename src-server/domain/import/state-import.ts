/**
 * Imports a world: fixtures at a first start, PUT state, and reset. All or nothing; errors are listed by path.
 */

import { timeInFixture } from "#contract/control/fixture-time.ts";
import { MOST_USERS_IN_ALL } from "#contract/control/generate.ts";
import type { FixtureApp, FixtureProfile, WorldState } from "#contract/control/state.ts";
import { foldUsername, isoInstant } from "#contract/scalars.ts";
import type { AllCounts, UserCounts } from "#contract/service/apps.ts";
import { invalid } from "#contract/service/problems.ts";
import { type AppRecord, COLLECTIONS, countsOf, idOf } from "#contract/service/records.ts";
import { usernameField } from "#contract/service/strategies.ts";
import { inSteps, type Steps } from "#contract/steps.ts";
import { generateUsers } from "#people/users.ts";
import { appErrors } from "../apps.ts";
import { clockErrors, clockGiven, clockReading, isSameClock, REAL_CLOCK } from "../clock.ts";
import { type Change, Changes, type Decision } from "../decision.ts";
import { FIRST_INSTANT, isDeterministic, withoutSteps, withSteps } from "../deterministic.ts";
import { settingClashes } from "../setting-clashes.ts";
import type { AppWorld, Env, World } from "../world.ts";
import { FewErrors } from "./few-errors.ts";
import { type AppImport, holders, type Import, refuse, refuseAll, takenIds } from "./import-context.ts";
import { importProfiles } from "./import-profiles.ts";
import { importConnections, importVolatile } from "./import-records.ts";
import { importStanding } from "./import-standing.ts";
import { allErrors, type ParsedState } from "./parse-state.ts";

/** What an import holds, and what becomes of the users. */
export interface ImportCounts extends AllCounts {
  readonly users: UserCounts;
}

/** `merge` adds to the current data and updates it, `replace` deletes the current data first. */
export type ImportMode = "merge" | "replace";

/** Changing the strategy can make usernames collide among profiles outside the import. */
const strategyCollides = (before: AppWorld, app: AppRecord): boolean => {
  if (before.app.strategy === app.strategy) return false;
  const field = usernameField(app);
  const names = before.profiles.map((profile) => profile[field]).filter((name) => name !== null);
  return new Set(names.map(foldUsername)).size < names.length;
};

/** Removes all records of an app, which keeps its position. */
const empty = (changes: Changes, app: AppWorld): void => {
  const { appId } = app.app;
  for (const noun of COLLECTIONS.toReversed()) changes.remove(noun, appId, app[noun].map(idOf));
  if (app.clock !== null) changes.putClock(appId, null);
};

/** @returns the generated users of an app, without those whose username another profile has. */
const generatedFor = (app: AppRecord, { generate, profiles = [] }: FixtureApp): readonly FixtureProfile[] => {
  if (generate === undefined) return [];
  const field = usernameField(app);
  const written = new Set(profiles.map((profile) => foldUsername(profile[field] ?? "")));
  return generateUsers(generate.count, generate.seed ?? "1", generate.locale ?? "en").filter(
    (profile) => !written.has(foldUsername(profile[field] ?? "")),
  );
};

/** How an existing app is imported: merged, emptied, or deleted and created again. */
type Way = "merge" | "in place" | "anew";

/** @param sent the exported count: after the import, which itself counts, it equals that of the exported app. */
const importedSteps = (before: AppRecord | undefined, app: AppRecord, sent: number | undefined): AppRecord =>
  sent === undefined || !isDeterministic(app) ? withSteps(before, app) : { ...app, steps: sent - 1 };

/** The path of an app in the input, and its imported state. */
interface Imported {
  readonly app: AppRecord;
  readonly path: string;
  readonly generated: number;
}

/** An app as it is before an import: as it is stored, and what of it is merged with; undefined: nothing. */
interface Earlier {
  readonly stored: AppWorld | undefined;
  readonly before: AppWorld | undefined;
}

/** Clears what is stored, as far as the way asks for it. @returns what an app was before. */
const makeRoom = ({ world, changes }: Import, way: Way, appId: string): Earlier => {
  const stored = world.app(appId);
  if (stored !== undefined && way === "in place") empty(changes, stored);
  if (stored !== undefined && way === "anew") changes.removeApp(appId);
  return { stored, before: way === "merge" ? stored : undefined };
};

/** @returns what an app keeps that no import names: how long it lives, who made it, and whether it is hidden. */
const unnamed = (stored: AppRecord | undefined): Partial<AppRecord> =>
  Object.fromEntries(
    (["ttlSeconds", "joined", "hidden"] as const).flatMap((key) =>
      stored?.[key] === undefined ? [] : [[key, stored[key]]],
    ),
  );

/** @returns the app as it is stored; a time before 1970 is refused. */
const appIn = (
  into: Import,
  way: Way,
  sent: FixtureApp,
  { stored, before }: Earlier,
  of: Pick<AppImport, "path" | "clock">,
): AppRecord => {
  const settings = sent.settings ?? before?.app.settings ?? {};
  const weather = sent.weather ?? before?.app.weather;
  const now = isDeterministic({ settings }) ? FIRST_INSTANT : clockReading(of.clock, into.env.now());
  const createdAt = sent.createdAt === undefined ? undefined : timeInFixture(sent.createdAt, now);
  if (sent.createdAt !== undefined && createdAt === undefined) refuse(into, `${of.path}.createdAt`, "is before 1970");
  const made: AppRecord = {
    appId: sent.appId,
    seq: (way === "anew" ? undefined : stored?.app.seq) ?? into.changes.seq,
    name: sent.name ?? before?.app.name ?? sent.appId,
    secret: sent.secret ?? stored?.app.secret ?? into.env.secret(),
    strategy: sent.strategy ?? before?.app.strategy ?? "phone",
    settings,
    createdAt: createdAt ?? stored?.app.createdAt ?? isoInstant(now),
    ...unnamed(stored?.app),
    ...(weather === undefined ? {} : { weather }),
  };
  return importedSteps(before?.app, made, sent.steps);
};

function* importApp(into: Import, way: Way, sent: FixtureApp, path: string): Steps<Imported> {
  const earlier = makeRoom(into, way, sent.appId);
  const { before } = earlier;
  const clock = sent.clock ? clockGiven(sent.clock) : (sent.clock === undefined && before?.clock) || into.clock;
  const app = appIn(into, way, sent, earlier, { path, clock });
  if (before !== undefined && strategyCollides(before, app))
    refuse(into, `${path}.strategy`, "would make usernames of this app collide");
  refuseAll(into, path, { ...appErrors(app, sent), ...settingClashes(app, before?.app) });
  into.changes.putApp(app);
  const of: AppImport = { app, before, path, clock, holderOf: holders(before, app), isTaken: takenIds(before, sent) };
  const { profiles = [] } = sent;
  const generated = generatedFor(app, sent);
  const written = { count: profiles.length, areStrict: into.strict.has(profiles) };
  const all = generated.length === 0 ? profiles : [...profiles, ...generated];
  const users = yield* importProfiles(into, of, all, written);
  yield* importConnections(into, of, users, sent.connections ?? []);
  yield* importStanding(into, of, users, profiles);
  yield* importVolatile(into, of, users, sent);
  return { app, path, generated: generated.length };
}

const refuseSecrets = (into: Import, imported: readonly Imported[], gone: ReadonlySet<string>): void => {
  const holdersOfSecrets = new Set<string>();
  const named = new Set(imported.map(({ app }) => app.appId));
  for (const { app } of into.world.apps)
    if (!named.has(app.appId) && !gone.has(app.appId)) holdersOfSecrets.add(app.secret);
  for (const { app, path } of imported) {
    if (holdersOfSecrets.has(app.secret)) refuse(into, `${path}.secret`, "has already been taken");
    holdersOfSecrets.add(app.secret);
  }
};

/** So many apps are named. */
const MOST_NAMES = 5;
const namesOf = (apps: readonly FixtureApp[]): string => {
  const names = apps.slice(0, MOST_NAMES).map(({ appId }) => appId);
  return [...names, ...(apps.length > MOST_NAMES ? [`${apps.length - MOST_NAMES} more`] : [])].join(", ");
};

/** @returns the apps; if they would generate too many users, that is refused, and they generate none. */
const withinLimit = (into: Import, apps: readonly FixtureApp[]): readonly FixtureApp[] => {
  let count = 0;
  const excess = apps.findIndex(({ generate }) => {
    count += generate?.count ?? 0;
    return count > MOST_USERS_IN_ALL;
  });
  if (excess < 0) return apps;
  const text = `generates more than ${MOST_USERS_IN_ALL} users, together with the apps before it`;
  refuse(into, `apps[${excess}].generate.count`, text);
  return apps.map(({ generate: _, ...app }) => app);
};

/** Begins an import: the clock, and in a whole new world without the apps that are not sent. @returns those. */
const removeOthers = (into: Import, { apps }: WorldState, isAnew: boolean): ReadonlySet<string> => {
  if (!isAnew) return new Set();
  const kept = new Set(apps.map(({ appId }) => appId));
  const gone = new Set(into.world.apps.flatMap(({ app }) => (kept.has(app.appId) ? [] : [app.appId])));
  for (const appId of gone) into.changes.removeApp(appId);
  return gone;
};

/** Imports the apps that are meant, each once. */
function* importApps(
  into: Import,
  way: Way,
  sent: readonly FixtureApp[],
  only: string | undefined,
): Steps<ReadonlyMap<string, Imported>> {
  const imported = new Map<string, Imported>();
  for (const [i, app] of withinLimit(into, sent).entries()) {
    if (only !== undefined && app.appId !== only) continue;
    const path = `apps[${i}]`;
    if (imported.has(app.appId)) refuse(into, `${path}.appId`, "appears twice");
    else imported.set(app.appId, yield* importApp(into, way, app, path));
  }
  return imported;
}

/** Imports a world. @param only this app; undefined: all. @returns counts, or a 422 with all errors by path. */
export function* importSteps(
  world: World,
  { state: sent, errors, strict, fit = false }: ParsedState,
  mode: ImportMode,
  env: Env,
  only?: string,
): Steps<Decision<ImportCounts>> {
  const isWhole = Object.keys(errors).length === 0;
  const users: UserCounts = { new: 0, changed: 0, same: 0 };
  const isAnew = mode === "replace" && only === undefined;
  const clock = only === undefined && sent.clock !== undefined ? clockGiven(sent.clock) : undefined;
  const into: Import = {
    world,
    env,
    clock: clock ?? (isAnew ? REAL_CLOCK : world.clock),
    changes: new Changes(world),
    errors: new FewErrors(),
    users,
    fit,
    strict,
    volatile: [],
  };
  const gone = removeOthers(into, sent, isAnew);
  if (clock !== undefined) refuseAll(into, "clock", clockErrors(clock, env.now()));
  if (isAnew || clock !== undefined) into.changes.putClock(null, into.clock);

  const way: Way = mode === "merge" ? "merge" : only === undefined ? "anew" : "in place";
  const imported = yield* importApps(into, way, sent.apps, only);
  for (const [i, { match }] of (sent.faults ?? []).entries())
    if (match.appId !== undefined && !imported.has(match.appId) && (isAnew || world.app(match.appId) === undefined))
      refuse(into, `faults[${i}].match.appId`, "does not match any app");
  if (only !== undefined && imported.size === 0 && isWhole)
    refuse(into, "apps", `must have the app "${only}"; it has ${namesOf(sent.apps) || "none"}`);
  into.volatile.sort((a, b) => a.seq - b.seq);
  yield* inSteps(into.volatile, ({ put }) => put());
  refuseSecrets(into, [...imported.values()], gone);
  if (!isWhole || !into.errors.isEmpty) return invalid(allErrors(errors, into.errors.errors));
  const counts = countsOf({ apps: sent.apps.filter((app) => imported.has(app.appId)) });
  const generated = [...imported.values()].reduce((sum, app) => sum + app.generated, 0);
  return into.changes.decided({ ...counts, profiles: counts.profiles + generated, users });
}

/** Resets all apps or one to the fixtures. An app that is not in the fixtures is emptied. */
export function* resetSteps(
  world: World,
  fixtures: ParsedState,
  env: Env,
  only?: AppWorld,
): Steps<Decision<AllCounts>> {
  if (only === undefined) return yield* importSteps(world, fixtures, "replace", env);
  const { state, errors, strict } = fixtures;
  const { appId } = only.app;
  // This app returns to the time of the fixtures, which is real time unless they have a clock.
  const ofAll = state.clock === undefined ? REAL_CLOCK : clockGiven(state.clock);
  const clock = isSameClock(ofAll, world.clock) ? null : ofAll;
  if (Object.keys(errors).length > 0 || state.apps.some((app) => app.appId === appId)) {
    const apps = state.apps.map((app) => (app.appId === appId ? { ...app, clock: app.clock ?? clock } : app));
    return yield* importSteps(world, { state: { ...state, apps }, errors, strict }, "replace", env, appId);
  }
  const changes = new Changes(world);
  empty(changes, only);
  if (isDeterministic(only.app)) changes.putApp(withoutSteps(only.app));
  if (clock !== null) changes.putClock(appId, clock);
  return changes.decided(countsOf({ apps: [] }));
}

/** What a reset removes of an app that the fixtures do not have. */
interface RemovedOfApp {
  readonly appId: string;
  /** Whether the app itself goes. */
  readonly app: boolean;
  readonly profiles: number;
}

/** @returns what a decided reset removes for good: apps, and more profiles than come back. @param only of this app */
export const removedBy = ({ apps }: World, changes: readonly Change[], only?: AppWorld): readonly RemovedOfApp[] => {
  const back = new Map<string, number>();
  for (const change of changes)
    if ("put" in change && change.put === "app") back.set(change.record.appId, back.get(change.record.appId) ?? 0);
    else if ("put" in change && change.put === "profiles") back.set(change.appId, (back.get(change.appId) ?? 0) + 1);
  return (only === undefined ? apps : [only])
    .map(({ app: { appId }, profiles }) => ({
      appId,
      app: only === undefined && !back.has(appId),
      profiles: profiles.length - (back.get(appId) ?? 0),
    }))
    .filter(({ app, profiles }) => app || profiles > 0);
};
