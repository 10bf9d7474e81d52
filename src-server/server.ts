/** The composition root: config → store → tokens → the three apps → listening on all of them, or on none. */
import { randomBytes } from "node:crypto";
import { hostname } from "node:os";
import { join } from "node:path";
import type { AppItem } from "#contract/apps.ts";
import type { LoginBundle } from "#contract/bundles.ts";
import type { PasscodeItem } from "#contract/passcodes.ts";
import { usernameField } from "#contract/strategies.ts";
import { Delivery } from "#delivery/delivery.ts";
import { createPrograms, type Programs } from "#delivery/programs.ts";
import { timeOf } from "#domain/clock.ts";
import type { ParsedState } from "#domain/import/parse-state.ts";
import { passcodeItem } from "#domain/passcodes.ts";
import { createAdminApp, createAuthApp, createConsoleApp } from "#http/app.ts";
import { Clients } from "#http/clients.ts";
import { ACCESS_CODE, createAccess } from "#http/console-access.ts";
import type { BackendPort, Deps, Urls } from "#http/deps.ts";
import { EventHub } from "#http/events/sse.ts";
import { Faults } from "#http/faults.ts";
import { adminHostRule, consoleHostRule } from "#http/guard.ts";
import { createAuthHandlers } from "#http/handlers/auth.ts";
import { createConsoleHandlers } from "#http/handlers/console.ts";
import { createProfileHandlers } from "#http/handlers/profiles.ts";
import { Leases } from "#http/leases.ts";
import type { HttpApp } from "#http/message-classes.ts";
import { authOrigins } from "#http/origins.ts";
import { EventBus } from "#http/traffic/event-bus.ts";
import { exchangeFrom } from "#http/traffic/exchange.ts";
import { RequestLog } from "#http/traffic/request-log.ts";
import { createUi } from "#http/ui.ts";
import { createWireReader } from "#http/wire.ts";
import type { FileSystem } from "#store/disk/files.ts";
import { type MachineAddress, machineAddresses } from "./boot/addresses.ts";
import { addressError } from "./boot/check-address.ts";
import { consoleNames } from "./boot/console-names.ts";
import { EVERYWHERE, type Listening, LOOPBACK, listen } from "./boot/listen.ts";
import { Network } from "./boot/network.ts";
import { fixturesNow, openWorld } from "./boot/open-data.ts";
import { packageRoot } from "./boot/package-root.ts";
import { createRandom, type Random } from "./boot/random.ts";
import type { Lookup } from "./boot/reach.ts";
import { StartError } from "./boot/start-error.ts";
import { checkTokens } from "./boot/token-check.ts";
import { FixtureWatch } from "./boot/watch-fixtures.ts";
import type { Config } from "./config.ts";

/** The environment of the server; tests inject time (in milliseconds), randomness, files, programs and addresses. */
export interface ServerHost {
  /** Prints a line for the operator. */
  readonly log: (line: string) => void;
  readonly version: string;
  readonly realNow?: () => number;
  readonly monotonic?: () => number;
  readonly random?: Random;
  readonly files?: FileSystem;
  readonly programs?: Programs;
  readonly addresses?: () => readonly MachineAddress[];
  readonly lookup?: Lookup;
  /** Validates each response against its schema; for tests. */
  readonly checkAnswers?: boolean;
  /** Aborts the start while it waits for another process's lock. */
  readonly signal?: AbortSignal;
  /** The world for a reset, instead of the fixtures. */
  readonly home?: ParsedState;
  /** Requests and faults of another Stagedoor to show. */
  readonly seen?: Pick<LoginBundle, "requests" | "faults">;
  /** Ends the process on request of the control API; absent if the process belongs to another program. */
  readonly stop?: () => void;
}

/** A running server. */
export interface RunningServer {
  readonly urls: Urls;
  /** The TLS URL of auth; null while TLS is off. */
  readonly authTlsUrl: string | null;
  /** Null with durability `memory`. */
  readonly dataDir: string | null;
  /** The access token of a console that is open to other machines. */
  readonly accessToken: string | null;
  /** @returns the console URL to open in a browser, with a one-time code (valid for a minute) if one is needed. */
  browserUrl(): string;
  /** Messages to print at the start. */
  readonly notices: readonly string[];
  readonly apps: readonly (Pick<AppItem, "appId" | "name" | "secret" | "strategy"> & {
    firstUsername: string | null;
  })[];
  /** Calls the listener for each passcode when it is issued. @returns unsubscribe. */
  onPasscode(listener: (item: PasscodeItem) => void): () => void;
  /** Stops within 2 s, even with open streams; everything is on disk then. */
  close(): Promise<void>;
}

/** Timeout of a program for delivery to devices, in milliseconds. */
const PROGRAM_MS = 5_000;
/** How long pending responses may take at a stop, in milliseconds. */
const GRACE_MS = 500;

/** The addresses of a listener: loopback, and what an option opens. */
const hostsOf = (open: string | null): readonly string[] => {
  if (open === null) return LOOPBACK;
  return open === "0.0.0.0" || open === "::" ? EVERYWHERE : [...new Set([...LOOPBACK, open])];
};

/** Errors of a world that comes from no file: path and message. */
const fieldLines = (errors: Readonly<Record<string, readonly string[]>>): readonly string[] =>
  Object.entries(errors).map(([path, texts]) => `${path} ${texts.join(", ")}`);

/** Starts the server. @throws StartError if that fails, for example because of damaged data. */
export const createServer = async (config: Config, host: ServerHost): Promise<RunningServer> => {
  const { realNow = Date.now, monotonic = () => performance.now(), random = createRandom() } = host;
  const { version, log, home, seen, lookup, addresses = machineAddresses } = host;
  const bus = new EventBus();
  if (config.watch && config.fixtures.length === 0)
    throw new StartError("invalid_options", "--watch (or STAGEDOOR_WATCH) needs --fixtures");
  const watch = config.watch ? await FixtureWatch.begin(config.fixtures) : undefined;
  const { store, tokens, notices, refusedSecrets } = await openWorld(config, host, random, realNow, bus.publish);

  let urls: Urls = { admin: "", auth: "", console: "", lan: [] };
  const allowedNames = config.consoleHost === null ? [] : config.allowHosts;
  let consoleHosts: readonly string[] = [];
  let network: Network | undefined;
  const started = (): Network => {
    if (network === undefined) throw new Error("auth does not listen yet");
    return network;
  };
  const env: Deps["env"] = {
    ...random,
    now: (appId) => timeOf(store.world, appId === undefined ? undefined : store.world.app(appId), realNow()),
    retention: config.retention,
  };
  const delivery = new Delivery(host.programs ?? createPrograms({ timeoutMs: PROGRAM_MS }), log, bus.publish);
  const clients = new Clients(realNow, random.uuid, bus.publish);
  const leases = new Leases(store, monotonic, realNow);
  const access = config.consoleHost === null ? null : createAccess(monotonic, config.accessToken, config.joinToken);
  const checkBackend: BackendPort["check"] = (input, defects, sign) => {
    const { http, tls } = started().ports();
    const ownPorts = [http, tls, ...[urls.admin, urls.console].map((url) => new URL(url).port)].map(Number);
    const rule = { ownPorts, hosts: config.checkHosts };
    const allowed = (address: string, name: string, port: number) => addressError(address, name, port, rule);
    return checkTokens(input, { sign, defects, lookup, addressError: allowed });
  };
  const deps: Deps = {
    version,
    store,
    tokens,
    log: new RequestLog(config.retention.requests, bus.publish),
    bus,
    faults: new Faults(store, env, bus.publish),
    devices: delivery,
    network: started,
    backends: config.consoleHost === null ? { check: checkBackend } : null,
    stop: host.stop ?? null,
    clients,
    leases,
    bound: access?.bound ?? null,
    consoleNames: () => consoleNames(consoleHosts, allowedNames, addresses),
    machine: hostname(),
    readWire: createWireReader(store),
    env,
    urls: () => urls,
    realNow,
    monotonic,
    bodyLimitBytes: config.bodyLimitBytes,
    refusedSecrets,
    warn: log,
    checkAnswers: host.checkAnswers ?? false,
  };
  for (const item of seen?.requests ?? []) deps.log.add(exchangeFrom(item));
  deps.faults.takeOver(seen?.faults ?? []);
  const hub = new EventHub(deps, randomBytes(6).toString("hex"));
  const consoleApp = createConsoleApp(
    deps,
    createConsoleHandlers(deps, async () =>
      home === undefined
        ? await fixturesNow(store.fixtures, config.adminHost !== null)
        : { ...home, flawed: false, describe: fieldLines },
    ),
    consoleHostRule(allowedNames),
    { stream: hub.stream, ui: createUi(join(packageRoot(), "dist", "renderer"), () => authOrigins(deps)), access },
  );
  const adminApp = createAdminApp(deps, createProfileHandlers(deps), adminHostRule(hostname(), config.allowHosts));
  const authApp = createAuthApp(deps, createAuthHandlers(deps, join(packageRoot(), "dist", "server", "demo")));

  const listening: Listening[] = [];
  const closeAll = async (): Promise<void> => {
    watch?.stop();
    hub.close();
    delivery.stop();
    clients.stop();
    leases.stop();
    await Promise.all([...listening, network].map((listener) => listener?.close(GRACE_MS)));
    await store.close();
  };
  const open = async (app: HttpApp, host: string | null, port: number, flag: string): Promise<Listening> => {
    const listener = await listen(app, hostsOf(host), port, flag);
    listening.push(listener);
    return listener;
  };
  try {
    const admin = await open(adminApp, config.adminHost, config.adminPort, "--admin-port");
    network = await Network.start({
      app: authApp,
      port: config.authPort,
      tlsPort: config.authTlsPort,
      certificates: async () => {
        const { Certificates } = await import("./boot/certificates.ts");
        return new Certificates(config.caDir, hostname(), realNow, log);
      },
      onFailure: (remote, how) => clients.noteHandshake(remote, how),
      publish: bus.publish,
      warn: log,
      machine: hostname(),
      addresses,
      lookup,
    });
    const consoleAt = await open(consoleApp, config.consoleHost, config.consolePort, "--console-port");
    consoleHosts = consoleAt.hosts;
    urls = {
      admin: `http://127.0.0.1:${admin.port}`,
      auth: `http://127.0.0.1:${network.ports().http}`,
      console: `http://127.0.0.1:${consoleAt.port}`,
      get lan() {
        return started().lanUrls();
      },
    };
    if (config.tls) await network.openTls(true);
    if (config.lan) await network.openLan(true);
    store.setConsoleUrl(urls.console);
    watch?.run({
      store,
      env: { ...env, urls, request: { id: null, device: null } },
      log,
      maySet: (secret) => !refusedSecrets.has(secret),
    });
  } catch (error) {
    await closeAll();
    throw error;
  }

  return {
    urls,
    get authTlsUrl() {
      return started().tlsUrl;
    },
    dataDir: store.dataDir,
    accessToken: access?.token ?? null,
    browserUrl: () => (access === null ? urls.console : `${urls.console}/?${ACCESS_CODE}=${access.codes.make()}`),
    notices,
    apps: store.world.apps.map(({ app, profiles: [first] }) => {
      const { appId, name, secret, strategy } = app;
      return { appId, name, secret, strategy, firstUsername: first?.[usernameField(app)] ?? null };
    }),
    onPasscode: (listener) =>
      store.subscribe((changes) => {
        for (const { seq, change } of changes) {
          const issued = "put" in change && change.put === "passcodes" && change.record.seq === seq;
          if (issued) listener(passcodeItem(change.appId, change.record, undefined, env.now(change.appId)));
        }
      }),
    close: closeAll,
  };
};
