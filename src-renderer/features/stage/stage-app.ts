/**
 * The app of a stage: a new one, with the personas and the brand of another. It is leased, so none is left behind, and
 * if lost created again under the same id, so that the audience's phones keep working (CONTRACT 10, 13).
 */
import { type App, StagedoorError, type World } from "#client/index.ts";
import { usernameField } from "#contract/strategies.ts";
import { emulator } from "../../api/emulator.ts";
import { BUILT_IN, isPersona, type PersonaInput, personasOf } from "./personas.ts";

/** The lease in seconds, for a page that is closed without deleting its app. */
const TTL_SECONDS = 180;
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
  readonly personas: readonly Persona[];
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

/** Creates the app of a new stage. @param sourceId the app with the personas; null: the first app that has any. */
export const makeStageApp = async (sourceId: string | null): Promise<StageApp> => {
  const [source, people] = await findSource(sourceId);
  const { name = "Stagedoor", strategy = "phone" } = source ?? {};
  const settings = settingsOf(source);
  const app = await emulator.apps.create({ name, strategy, settings, ttlSeconds: TTL_SECONDS });
  const { appId } = app;
  await emulator.state.import({ apps: [{ appId, profiles: [...people] }] });
  const world = await emulator.state.export({ appId });
  const personas = (world.apps[0]?.profiles ?? []).filter((one) => isPersona(one) && one[usernameField(app)] != null);
  return { app, world, personas };
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
    if (!(error instanceof StagedoorError) || error.status !== 404) throw error;
  }
  await emulator.apps.create({ appId, name, strategy, settings, secret, ttlSeconds: TTL_SECONDS });
  await resetStageApp(stage);
  return true;
};
