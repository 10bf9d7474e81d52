/**
 * Opens the data with its key, and begins it from the fixtures where it is new or is to start anew (CONTRACT 2, 6, 7).
 */
import { epochMs, isoInstant } from "#contract/scalars.ts";
import type { WorldState } from "#contract/state.ts";
import { clockReading, REAL_CLOCK } from "#domain/clock.ts";
import type { Decision } from "#domain/decision.ts";
import type { Env } from "#domain/env.ts";
import { importState } from "#domain/state-import.ts";
import type { World } from "#domain/world.ts";
import type { StorePort, TokensPort } from "#http/ports.ts";
import { StoreFailure } from "#store/failure.ts";
import { openStore, type Store, type StoreOptions } from "#store/store.ts";
import { openTokens } from "#tokens/jwt.ts";
import { createSigningKey } from "#tokens/keys.ts";
import type { Config } from "./config.ts";
import type { Random } from "./random.ts";
import { StartError } from "./start-error.ts";
import { EMPTY_WORLD, readWorlds } from "./worlds.ts";

/** The secrets that everybody knows, since they come with the program. */
const DEMO_SECRETS = ["sk_local_demo", "sk_local_demo_mail"];

/** The data, open. */
export interface OpenWorld {
  readonly store: StorePort & Pick<Store, "fixtures" | "isNew" | "setConsoleUrl" | "close">;
  readonly tokens: TokensPort;
  /** Lines for people at the start. */
  readonly notices: readonly string[];
  /** Secrets that open nothing, though an app has them: the demo's, when admin is open to other machines. */
  readonly refusedSecrets: ReadonlySet<string>;
}

const readOrFail = async (files: readonly string[]): Promise<WorldState> => {
  const read = await readWorlds(files);
  if ("errors" in read) throw new StartError(read.errors.join("\n"), 1);
  return read.state;
};

/**
 * Takes the secrets that everybody knows out of fixtures, for an admin that others can reach: an app then keeps the one
 * it has, or gets a random one.
 */
export const withoutDemoSecrets = (state: WorldState): WorldState => ({
  ...state,
  apps: state.apps.map(({ secret, ...app }) =>
    secret === undefined || DEMO_SECRETS.includes(secret) ? app : { ...app, secret },
  ),
});

/** Gives the demo apps secrets of their own, as an admin that others can reach needs. */
const withOwnSecrets = (state: WorldState, random: Random, notices: string[]): WorldState => ({
  ...state,
  apps: state.apps.map((app) => {
    if (app.secret === undefined || !DEMO_SECRETS.includes(app.secret)) return app;
    const secret = random.secret();
    notices.push(`admin is open to other machines: the secret of ${app.appId} is now ${secret}`);
    return { ...app, secret };
  }),
});

const fillWith =
  (state: WorldState, env: Env) =>
  (world: World): Decision<unknown> =>
    importState(world, state, "replace", env);

/** The problem of a fixture that breaks a rule, for people. */
const faults = (fields: Readonly<Record<string, readonly string[]>> | undefined): string =>
  Object.entries(fields ?? {})
    .flatMap(([path, texts]) => texts.map((text) => `${path}: ${text}`))
    .join("\n");

/** @throws StartError if a rule refuses the world, so that nothing is begun with it. */
const check = (state: WorldState, env: Env, world: World): void => {
  const decided = importState(world, state, "replace", env);
  if ("problem" in decided) throw new StartError(`The fixtures are refused:\n${faults(decided.problem.fields)}`, 1);
};

/** Opens the data for a reset: what is damaged is set aside, since all of it is to go anyway. */
const openAnyway = async (
  options: StoreOptions,
  realNow: () => number,
  say: (line: string) => void,
): Promise<Store> => {
  try {
    return await openStore(options);
  } catch (error) {
    if (!(error instanceof StoreFailure) || error.exitStatus !== 3) throw error;
    const { setDataAside } = await import("./data-repair.ts");
    const stamp = isoInstant(epochMs(realNow())).replace(/[-:]|\.\d+/g, "");
    await setDataAside(options.dir, stamp, say);
    return await openStore(options);
  }
};

/**
 * @param log takes lines of the store while it runs.
 * @returns the open data. @throws StartError.
 */
export const openWorld = async (
  config: Config,
  { log }: { readonly log: (line: string) => void },
  random: Random,
  realNow: () => number,
): Promise<OpenWorld> => {
  const notices: string[] = [];
  const env: Env = {
    now: () => clockReading(REAL_CLOCK, realNow()),
    uuid: random.uuid,
    digits: random.digits,
    secret: random.secret,
    retention: config.retention,
    urls: { admin: "", auth: "" },
    request: { id: null, device: null },
  };
  const first = async (): Promise<WorldState> => {
    const state = await readOrFail(config.fixtures);
    return config.adminHost === null ? state : withOwnSecrets(state, random, notices);
  };
  const options: StoreOptions = {
    dir: config.dataDir,
    durability: config.durability,
    onNotice: log,
    now: realNow,
    initial: async () => {
      const state = await first();
      check(state, env, EMPTY_WORLD);
      return { key: await createSigningKey(), fixtures: [...config.fixtures], fill: fillWith(state, env) };
    },
  };
  let store: Store | undefined;
  try {
    store = config.reset ? await openAnyway(options, realNow, log) : await openStore(options);
    if (!store.isNew && config.reset) {
      const state = await first();
      check(state, env, store.world);
      const outcome = store.transactBulk(fillWith(state, env), config.fixtures);
      if (!outcome.ok) throw new StartError(`${store.dataDir} could not be reset: ${outcome.problem.code}`, 1);
    } else if (!store.isNew && config.fixtures.length > 0) {
      notices.push(`${store.dataDir} has data already: --fixtures changes nothing. Start anew from them with --reset.`);
    }
    const tokens = await openTokens(store.key);
    const refusedSecrets = new Set(config.adminHost === null ? [] : DEMO_SECRETS);
    const known = store.world.apps.filter(({ app }) => refusedSecrets.has(app.secret));
    for (const { app } of known)
      notices.push(
        `admin is open to other machines: the well-known secret of ${app.appId} is refused. Give it a new one.`,
      );
    return { store, tokens, notices, refusedSecrets };
  } catch (error) {
    await store?.close();
    if (error instanceof StoreFailure) throw new StartError(error.message, error.exitStatus);
    throw error;
  }
};
