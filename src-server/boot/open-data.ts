/** Opens the data and its key, and fills it from the fixtures if it is new or reset. */
import { getHeapStatistics } from "node:v8";
import type { Publish } from "#contract/control/events.ts";
import type { FixtureSource } from "#contract/control/fixture-source.ts";
import type { WorldState } from "#contract/control/state.ts";
import { epochMs, isoInstant } from "#contract/scalars.ts";
import type { Steps } from "#contract/steps.ts";
import { dropGone } from "#domain/apps.ts";
import { clockReading, REAL_CLOCK } from "#domain/clock.ts";
import type { Decision } from "#domain/decision.ts";
import { parseSteps } from "#domain/import/parse-state.ts";
import { importSteps } from "#domain/import/state-import.ts";
import { isMessageCut } from "#domain/message.ts";
import type { ShareLimits } from "#domain/shares.ts";
import type { Store } from "#domain/store.ts";
import { hmacSecretOf } from "#domain/tokens.ts";
import type { Env, World } from "#domain/world.ts";
import type { FixturesNow } from "#http/handlers/control-state.ts";
import { type FileSystem, nodeFiles } from "#store/disk/files.ts";
import { errorText, StoreFailure } from "#store/failure.ts";
import { inSlices } from "#store/slices.ts";
import { openStore, type StoreOptions } from "#store/store.ts";
import { openTokens } from "#tokens/jwt.ts";
import { createSigningKey, keyError, readKeyFile, readSigningKey, type SigningKey } from "#tokens/keys.ts";
import type { Config } from "../config.ts";
import { readFixtures } from "../fixtures/read-fixtures.ts";
import { readUserFile } from "../user-file.ts";
import { ignoredFixtures } from "./ignored-fixtures.ts";
import type { Random } from "./random.ts";
import { dataError, StartError } from "./start-error.ts";

/** Well-known secrets, because they ship with the program. */
const DEMO_SECRETS: readonly string[] = ["sk_local_demo", "sk_local_demo_mail"];

const MIB = 1_048_576;

/**
 * Reloads the fixture files that a data directory was created from.
 * @param open whether other machines can reach admin. An app then never gets a well-known secret: it keeps its own, or
 * gets a random one.
 */
export const fixturesNow = async (files: readonly FixtureSource[], open: boolean): Promise<FixturesNow> => {
  const { world, flawed, describe, notices } = await readFixtures(files);
  const { state, ...checked } = await inSlices(parseSteps(world));
  const apps = state.apps.map(({ secret, ...app }) =>
    secret === undefined || (open && DEMO_SECRETS.includes(secret)) ? app : { ...app, secret },
  );
  return { state: { ...state, apps }, ...checked, flawed, describe, notices };
};

/** Gives the demo apps random secrets, for an admin listener that other machines can reach. */
const withOwnSecrets = (state: WorldState, random: Random, notices: string[]): WorldState => ({
  ...state,
  apps: state.apps.map((app) => {
    if (app.secret === undefined || !DEMO_SECRETS.includes(app.secret)) return app;
    const secret = random.secret();
    notices.push(`admin is open to other machines: the secret of ${app.appId} is now ${secret}`);
    return { ...app, secret };
  }),
});

/** Opens the data for a reset: moves damaged data aside, because it is about to be replaced. */
const openAnyway = async (options: StoreOptions & { now: () => number }): Promise<Store> => {
  try {
    return await openStore(options);
  } catch (error) {
    if (!(error instanceof StoreFailure) || error.exitStatus !== 3) throw error;
    const { setDataAside } = await import("../repair/repair.ts");
    const { dir, now, onNotice } = options;
    const stamp = isoInstant(epochMs(now())).replace(/[-:]|\.\d+/g, "");
    await setDataAside(dir, { stamp, say: onNotice, onNotice });
    return await openStore(options);
  }
};

/** @returns what all apps of the join token may keep together; undefined if no one can join. */
const shareLimits = ({ consoleHost, joinToken, shared }: Config): ShareLimits | undefined => {
  if (consoleHost === null || joinToken === null) return undefined;
  const readBytes = getHeapStatistics().heap_size_limit / 4;
  return { apps: shared.apps, bytes: shared.mebibytes === null ? readBytes : shared.mebibytes * MIB, readBytes };
};

/** The files of the request log that earlier versions kept. */
const KEPT = /^requests-[1-9]\d{0,14}\.ndjson(?:\.damaged)?$/;
const NOT_PERSISTED = "The request log is in memory only: save a failed login with `stagedoor requests --save FILE`.";

/** @param file a signing key of the user, which is never stored. */
const readOwnKey = (file: string): SigningKey => {
  try {
    const bytes = readUserFile(file);
    if (typeof bytes === "string") throw new Error(bytes);
    return readKeyFile(bytes.toString("utf8"));
  } catch (error) {
    throw new StartError("invalid_options", `--signing-key ${file}: ${errorText(error)}`);
  }
};

type Fill = (world: World) => Steps<Decision<unknown>>;

/** Replaces data that is there with the fixtures. @throws StartError, and Node errors. */
const reset = async (store: Store, fill: Fill, fixtures: Config["fixtures"]): Promise<void> => {
  store.setFixtures(fixtures);
  const outcome = await store.transactInSteps(fill);
  if (!outcome.ok)
    throw new StartError("data_unusable", `${store.dataDir} could not be reset: ${outcome.problem.code}`);
  await store.writeDocument();
};

/** Drops what only versions before had. @returns what to say about the data, a sentence each. */
const dataNotices = (store: Store, refusedSecrets: ReadonlySet<string>, files: FileSystem): readonly string[] => {
  const { dataDir, world } = store;
  const notices: string[] = [];
  const left = dataDir === null ? [] : files.list(dataDir).filter((name) => KEPT.test(name));
  if (left.length > 0)
    notices.push(`${left.join(", ")} in ${dataDir} can be deleted: --persist-requests was removed. ${NOT_PERSISTED}`);
  const dropped = world.apps.some(({ app }) => "show" in app.settings) ? store.transact(dropGone) : undefined;
  if (dropped?.ok === true)
    notices.push(`The setting "show" of ${dropped.value.join(", ")} was dropped: presenter keys were removed.`);
  for (const { app } of world.apps)
    if (isMessageCut(app))
      notices.push(
        `The message of ${app.appId} is longer than 4,096 characters when it is filled in, and is cut. Shorten message.sms or message.email in its settings.`,
      );
  for (const { app } of world.apps)
    if (refusedSecrets.has(app.secret))
      notices.push(
        `admin is open to other machines: the well-known secret of ${app.appId} is rejected. Give it a new one.`,
      );
  return notices;
};

/**
 * @param host its `log` gets messages of the store while it runs.
 * @returns the open data; `notices` to print at the start; `refusedSecrets`, which apps may have nevertheless: the
 * demo's, while admin is open to other machines; `imported`, the fixtures if they were. @throws StartError
 */
export const openWorld = async (
  config: Config,
  {
    log,
    ...host
  }: { log: (line: string) => void } & Pick<StoreOptions, "signal" | "files" | "maxima" | "onListenerError">,
  random: Random,
  realNow: () => number,
  publish: Publish,
) => {
  const notices: string[] = [];
  if (config.persistRequests) notices.push(`--persist-requests was removed and has no effect. ${NOT_PERSISTED}`);
  const env: Env = {
    ...random,
    now: () => clockReading(REAL_CLOCK, realNow()),
    retention: config.retention,
    urls: { admin: "", auth: "" },
    request: { id: null, device: null },
  };
  let imported: WorldState | undefined;
  /** @returns the rule that fills the world from the fixtures. @throws StartError with all errors in them. */
  const fill = async (): Promise<Fill> => {
    const { state, flawed, describe, notices: said, ...checked } = await fixturesNow(config.fixtures, false);
    notices.push(...said);
    const own = config.adminHost === null ? state : withOwnSecrets(state, random, notices);
    return function* (world) {
      const decided = yield* importSteps(world, { ...checked, state: own }, "replace", env);
      const refused = "problem" in decided ? decided.problem.fields : undefined;
      imported = own;
      if (flawed || refused !== undefined) throw new StartError("invalid_fixtures", describe(refused ?? {}).join("\n"));
      return decided;
    };
  };
  const birth = (seq: number) => ({ createdAt: isoInstant(epochMs(realNow())), seq });
  const options: StoreOptions & { now: () => number } = {
    dir: config.dataDir,
    durability: config.durability,
    onNotice: log,
    publish,
    now: realNow,
    checkKey: keyError,
    maxima: host.maxima,
    onListenerError: host.onListenerError,
    shared: shareLimits(config),
    ...(host.signal && { signal: host.signal }),
    ...(host.files && { files: host.files }),
    initial: async () => ({
      key: (await createSigningKey("ES256", birth(0))).privateJwk,
      fixtures: config.fixtures,
      fill: await fill(),
    }),
  };
  const own = config.signingKey === null ? undefined : readOwnKey(config.signingKey);
  let store: Store | undefined;
  try {
    store = config.reset ? await openAnyway(options) : await openStore(options);
    if (store.isNew || config.reset) {
      if (!store.isNew) await reset(store, await fill(), config.fixtures);
    } else if (config.fixtures.length > 0) {
      const appIds = store.world.apps.map(({ app }) => app.appId);
      notices.push(ignoredFixtures(config.dataDir, config.fixtures, appIds));
    }
    const { world, keys, setKeys } = store;
    const tokens = openTokens({
      stored: keys.map(readSigningKey),
      own,
      store: setKeys,
      birth: () => birth(world.seq),
      hmacSecretOf: (appId) => hmacSecretOf(world, appId),
    });
    const refusedSecrets = new Set(config.adminHost === null ? [] : DEMO_SECRETS);
    notices.push(...dataNotices(store, refusedSecrets, host.files ?? nodeFiles));
    return { store, tokens, notices, refusedSecrets, imported };
  } catch (error) {
    await store?.close();
    throw error instanceof StoreFailure ? dataError(error) : error;
  }
};
