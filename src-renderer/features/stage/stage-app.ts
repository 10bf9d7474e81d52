/**
 * The app of a stage: a separate one, with the people and the brand of another. It is leased, so none is left behind, and
 * if lost created again under the same id, so that the audience's phones keep working.
 */
import type { App, World } from "#client/index.ts";
import { usernameField } from "#contract/service/strategies.ts";
import { isPersona } from "#contract/words/personas.ts";
import { emulator, isGone, unlessGone } from "../../api/emulator.ts";
import { hold, keepOn, takeKept } from "./kept.ts";
import { BUILT_IN, type PersonaInput, personasOf } from "./personas.ts";
import { BEGINNING, useStage } from "./stage-store.ts";

/** The lease in seconds: how long the audience's phones wait for a stage. */
const TTL_SECONDS = 600;
/** It is in no list but its own. */
const ASIDE = { ttlSeconds: TTL_SECONDS, hidden: true } as const;
/** Interval of renewals in milliseconds: hidden pages have timers once a minute. */
export const RENEW_MS = 45_000;
/** How many apps are searched for personas. */
const MOST_APPS = 50;

/** A persona on the stage. */
export type Persona = PersonaInput & { readonly userId?: string };

/** The initial app of a stage, for a reset. */
export interface StageApp {
  readonly app: App;
  readonly world: World;
  /** Who can sign in, and who cannot because they have no username. */
  readonly personas: readonly Persona[];
  readonly nameless: readonly Persona[];
  /** Ends its page: the app stays for another one. */
  readonly release: () => void;
}

/** @returns the app whose looks and people the stage takes, and these people; no app: Stagedoor's own. @throws StagedoorError */
const findSource = async (appId: string | null): Promise<[App | undefined, readonly PersonaInput[]]> => {
  if (appId !== null) {
    const [app, personas] = await Promise.all([emulator.apps.get(appId), personasOf(appId)]);
    return [app, personas.length > 0 ? personas : BUILT_IN];
  }
  const { items } = await emulator.apps.list();
  // Leased apps belong to other stages and jobs.
  const lasting = items.filter(({ lease }) => lease === undefined).slice(0, MOST_APPS);
  for (const app of lasting) {
    const personas = await personasOf(app.appId);
    if (personas.length > 0) return [app, personas];
  }
  return [lasting[0], BUILT_IN];
};

/** Removes settings that would disturb a show: real devices, limits, a seed (same codes everywhere), a shared key. */
const settingsOf = (app: App | undefined): App["settings"] => {
  const { delivery: _d, deterministic: _s, limits: _l, token: _t, ...settings } = app?.settings ?? {};
  return settings;
};

/** @returns the state to which a stage returns: its people as they came, with the ids that they have now. */
const beginningOf = async (
  app: App,
  people: readonly PersonaInput[],
): Promise<Pick<StageApp, "world" | "personas" | "nameless">> => {
  const field = usernameField(app);
  const world = await emulator.state.export({ appId: app.appId });
  const now = (world.apps[0]?.profiles ?? []).filter(isPersona);
  const all = people.map((one): Persona => {
    const userId = now.find((other) =>
      one[field] == null ? other.name === one.name : other[field] === one[field],
    )?.userId;
    return userId === undefined ? one : { ...one, userId };
  });
  return {
    world: { ...world, apps: world.apps.map((one) => ({ ...one, profiles: all })) },
    personas: all.filter((one) => one[field] != null),
    nameless: all.filter((one) => one[field] == null),
  };
};

/**
 * Resumes the stage that this browser left, or creates one. @param sourceId the app with the personas; null: the
 * first app that has any. @throws StagedoorError
 */
export const openStageApp = async (sourceId: string | null): Promise<StageApp> => {
  const [found, people] = await findSource(sourceId);
  const { name = "Stagedoor", strategy = "phone" } = found ?? {};
  const settings = settingsOf(found);
  const source = JSON.stringify([name, strategy, settings, people]);
  const [kept, releaseKept] = (await takeKept(sourceId)) ?? [];
  const { own: earlier = [], appId: _id, sourceId: _source, source: _kept, ...page } = kept ?? {};
  useStage.setState({ ...BEGINNING, earlier, ...page });
  const before = kept && (await unlessGone(emulator.apps.get(kept.appId)));
  if (before?.lease !== undefined && kept?.source !== source) await emulator.apps.delete(before.appId);
  const isSame = before?.lease !== undefined && kept?.source === source;
  const make = async (): Promise<App> => {
    const id = kept === undefined ? {} : { appId: kept.appId };
    const app = await emulator.apps.create({ ...id, name, strategy, settings, ...ASIDE });
    await emulator.state.import({ apps: [{ appId: app.appId, profiles: [...people] }] });
    return app;
  };
  const app = isSame && before ? before : await make();
  const release = releaseKept ?? (await hold(app.appId));
  const forget = keepOn({ appId: app.appId, sourceId, source });
  const end = (): void => {
    forget();
    release?.();
  };
  return { app, ...(await beginningOf(app, people)), release: end };
};

/** Resets data, clock and faults of the app. */
export const resetStageApp = async ({ app: { appId }, world }: StageApp): Promise<void> => {
  await emulator.faults.clear({ appId });
  await Promise.all([emulator.state.import(world, { mode: "replace", appId }), emulator.clock.reset({ appId })]);
};

/** Renews the lease. @returns whether the app was lost and created again. */
export const renewStageApp = async (stage: StageApp): Promise<boolean> => {
  const { appId, name, strategy, settings, secret } = stage.app;
  try {
    await emulator.apps.update(appId, {});
    return false;
  } catch (error) {
    if (!isGone(error)) throw error;
  }
  await emulator.apps.create({ appId, name, strategy, settings, secret, ...ASIDE });
  // Not replaced: a phone of the audience may have signed up in between.
  await emulator.state.import(stage.world, { mode: "merge", appId });
  return true;
};
