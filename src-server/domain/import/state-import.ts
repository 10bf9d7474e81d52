/**
 * Imports a world: fixtures at a first start, PUT state, and reset. All or nothing; errors are listed by path.
 */

import { MOST_USERS_IN_ALL } from "#contract/control/generate.ts";
import type { FixtureApp, FixtureProfile } from "#contract/control/state.ts";
import { foldUsername, isoInstant } from "#contract/scalars.ts";
import type { AllCounts, UserCounts } from "#contract/service/apps.ts";
import { invalid } from "#contract/service/problems.ts";
import { type AppRecord, COLLECTIONS, countsOf, idOf } from "#contract/service/records.ts";
import { usernameField } from "#contract/service/strategies.ts";
import { inSteps, type Steps } from "#contract/steps.ts";
import { generateUsers } from "#people/users.ts";
import { appErrors, collisionIn } from "../apps.ts";
import { clockErrors, clockGiven, clockReading, isSameClock, REAL_CLOCK } from "../clock.ts";
import { type Change, Changes, type Decision } from "../decision.ts";
import { FIRST_INSTANT, isDeterministic, withoutSteps, withSteps } from "../deterministic.ts";
import { settingClashes } from "../setting-clashes.ts";
import type { AppWorld, Env, World } from "../world.ts";
import { FewErrors } from "./few-errors.ts";
import { type AppImport, holders, type Import, importedTime, takenIds } from "./import-context.ts";
import { importProfiles } from "./import-profiles.ts";
import { importConnections, importStanding, importVolatile } from "./import-records.ts";
import { areStrict, type ParsedState } from "./parse-state.ts";

/** What an import holds, and what becomes of the users. */
export interface ImportCounts extends AllCounts {
  readonly users: UserCounts;
}

/** `merge` adds to the current data and updates it, `replace` deletes the current data first. */
export type ImportMode = "merge" | "replace";

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

/** @returns what an app keeps that no import names: how long it lives, who made it, and whether it is hidden. */
export const unnamed = (stored: AppRecord | undefined): Partial<AppRecord> =>
  Object.fromEntries(
    (["ttlSeconds", "joined", "hidden"] as const).flatMap((key) =>
      stored?.[key] === undefined ? [] : [[key, stored[key]]],
    ),
  );

/** @returns the app after the import. @param stored as it is, if it is there; `before`: what of it is merged with. */
const appIn = (
  { env, changes, errors }: Import,
  way: Way,
  sent: FixtureApp,
  stored: AppWorld | undefined,
  { path, clock, before }: Pick<AppImport, "path" | "clock" | "before">,
): AppRecord => {
  const settings = sent.settings ?? before?.app.settings ?? {};
  const weather = sent.weather ?? before?.app.weather;
  const nowMs = isDeterministic({ settings }) ? FIRST_INSTANT : clockReading(clock, env.now());
  const createdAt = importedTime({ errors, nowMs }, sent.createdAt, `${path}.createdAt`);
  const app: AppRecord = {
    appId: sent.appId,
    seq: (way === "anew" ? undefined : stored?.app.seq) ?? changes.seq,
    name: sent.name ?? before?.app.name ?? sent.appId,
    secret: sent.secret ?? stored?.app.secret ?? env.secret(),
    strategy: sent.strategy ?? before?.app.strategy ?? "phone",
    settings,
    createdAt: createdAt ?? stored?.app.createdAt ?? isoInstant(nowMs),
    ...unnamed(stored?.app),
    ...(weather === undefined ? {} : { weather }),
  };
  return importedSteps(before?.app, app, sent.steps);
};

function* importApp(into: Import, way: Way, sent: FixtureApp, path: string): Steps<Imported> {
  const { changes, errors, env } = into;
  const stored = into.world.app(sent.appId);
  if (stored !== undefined && way === "in place") empty(changes, stored);
  if (stored !== undefined && way === "anew") changes.removeApp(sent.appId);
  const before = way === "merge" ? stored : undefined;
  const clock = sent.clock ? clockGiven(sent.clock) : (sent.clock === undefined && before?.clock) || into.clock;
  const app = appIn(into, way, sent, stored, { path, clock, before });
  // Another strategy can make usernames collide among profiles outside the import.
  if (before !== undefined && before.app.strategy !== app.strategy && collisionIn(before.profiles, app.strategy))
    errors.add(`${path}.strategy`, "would make usernames of this app collide");
  errors.addAll({ ...appErrors(app, sent), ...settingClashes(app, before?.app) }, path);
  changes.putApp(app);
  const nowMs = clockReading(clock, env.now(), app);
  const ids = { holderOf: holders(before, app), isTaken: takenIds(before, sent) };
  const of: AppImport = { ...into, app, before, path, clock, nowMs, ...ids };
  const { profiles = [] } = sent;
  const generated = generatedFor(app, sent);
  const written = { count: profiles.length, areStrict: areStrict(profiles) };
  const all = generated.length === 0 ? profiles : [...profiles, ...generated];
  const users = yield* importProfiles(of, all, written);
  yield* importConnections(of, users, sent.connections ?? []);
  yield* importStanding(of, users, profiles);
  yield* importVolatile(of, users, sent);
  return { app, path, generated: generated.length };
}

/** @param others the apps that stay as they are. */
const checkSecrets = (errors: FewErrors, imported: Iterable<Imported>, others: readonly AppWorld[]): void => {
  const taken = new Set(others.map(({ app }) => app.secret));
  for (const { app, path } of imported) {
    if (taken.has(app.secret)) errors.add(`${path}.secret`, "has already been taken");
    taken.add(app.secret);
  }
};

/** So many apps are named. */
const MOST_NAMES = 5;
const namesOf = (apps: readonly FixtureApp[]): string => {
  const names = apps.slice(0, MOST_NAMES).map(({ appId }) => appId);
  return [...names, ...(apps.length > MOST_NAMES ? [`${apps.length - MOST_NAMES} more`] : [])].join(", ");
};

/** @returns the apps; if they would generate too many users, that is refused, and they generate none. */
const withinLimit = ({ errors }: Import, apps: readonly FixtureApp[]): readonly FixtureApp[] => {
  let count = 0;
  const excess = apps.findIndex(({ generate }) => {
    count += generate?.count ?? 0;
    return count > MOST_USERS_IN_ALL;
  });
  if (excess < 0) return apps;
  const text = `generates more than ${MOST_USERS_IN_ALL} users, together with the apps before it`;
  errors.add(`apps[${excess}].generate.count`, text);
  return apps.map(({ generate: _, ...app }) => app);
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
    if (imported.has(app.appId)) into.errors.add(`${path}.appId`, "appears twice");
    else imported.set(app.appId, yield* importApp(into, way, app, path));
  }
  return imported;
}

/** Imports a world. @param only this app; undefined: all. @returns counts, or a 422 with all errors by path. */
export function* importSteps(
  world: World,
  { state: sent, errors: ofForm, fit = false }: ParsedState,
  mode: ImportMode,
  env: Env,
  only?: string,
): Steps<Decision<ImportCounts>> {
  const isAnew = mode === "replace" && only === undefined;
  const clock = only === undefined && sent.clock !== undefined ? clockGiven(sent.clock) : undefined;
  const changes = new Changes(world);
  const errors = new FewErrors(ofForm);
  const into: Import = {
    world,
    env,
    clock: clock ?? (isAnew ? REAL_CLOCK : world.clock),
    changes,
    errors,
    users: { new: 0, changed: 0, same: 0 },
    fit,
    volatile: [],
  };
  const ids = new Set(sent.apps.map(({ appId }) => appId));
  const others = world.apps.filter(({ app }) => !ids.has(app.appId));
  if (isAnew) for (const { app } of others) changes.removeApp(app.appId);
  if (clock !== undefined) errors.addAll(clockErrors(clock, env.now()), "clock");
  if (isAnew || clock !== undefined) changes.putClock(null, into.clock);

  const way: Way = mode === "merge" ? "merge" : only === undefined ? "anew" : "in place";
  const imported = yield* importApps(into, way, sent.apps, only);
  for (const [i, { match }] of (sent.faults ?? []).entries())
    if (match.appId !== undefined && !imported.has(match.appId) && (isAnew || world.app(match.appId) === undefined))
      errors.add(`faults[${i}].match.appId`, "does not match any app");
  if (only !== undefined && imported.size === 0 && ofForm.isEmpty)
    errors.add("apps", `must have the app "${only}"; it has ${namesOf(sent.apps) || "none"}`);
  into.volatile.sort((a, b) => a.seq - b.seq);
  yield* inSteps(into.volatile, ({ put }) => put());
  const kept = isAnew ? [] : world.apps.filter(({ app }) => !imported.has(app.appId));
  checkSecrets(errors, imported.values(), kept);
  if (!errors.isEmpty) return invalid(errors.errors);
  const counts = countsOf({ apps: sent.apps.filter((app) => imported.has(app.appId)) });
  const generated = [...imported.values()].reduce((sum, app) => sum + app.generated, 0);
  return changes.decided({ ...counts, profiles: counts.profiles + generated, users: into.users });
}

/** Resets all apps or one to the fixtures. An app that is not in the fixtures is emptied. */
export function* resetSteps(
  world: World,
  fixtures: ParsedState,
  env: Env,
  only?: AppWorld,
): Steps<Decision<AllCounts>> {
  if (only === undefined) return yield* importSteps(world, fixtures, "replace", env);
  const { state, errors } = fixtures;
  const { appId } = only.app;
  // This app returns to the time of the fixtures, which is real time unless they have a clock.
  const ofAll = state.clock === undefined ? REAL_CLOCK : clockGiven(state.clock);
  const clock = isSameClock(ofAll, world.clock) ? null : ofAll;
  if (!errors.isEmpty || state.apps.some((app) => app.appId === appId)) {
    const apps = state.apps.map((app) => (app.appId === appId ? { ...app, clock: app.clock ?? clock } : app));
    return yield* importSteps(world, { state: { ...state, apps }, errors }, "replace", env, appId);
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
