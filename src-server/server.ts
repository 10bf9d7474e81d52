/** The composition root: config → store → tokens → the three apps → listening on all of them, or on none. */
import { randomBytes } from "node:crypto";
import { hostname } from "node:os";
import { maximaWith } from "#contract/bounds.ts";
import type { FirstFailure } from "#contract/control/requests.ts";
import type { Listener } from "#contract/control/routes.ts";
import type { PasscodeItem } from "#contract/service/passcodes.ts";
import { usernameField } from "#contract/service/strategies.ts";
import { clockReading, REAL_CLOCK } from "#domain/clock.ts";
import { Listeners } from "#domain/listeners.ts";
import { arrivedWith, passcodeItem } from "#domain/passcodes.ts";
import type { FeatureHandlersOf, Given, Kernel } from "#features/kernel.ts";
import { createPorts } from "#features/ports.ts";
import { beginFeatures } from "#features/setups.ts";
import { createUi } from "#http/answering/ui.ts";
import { createAdminApp, createAuthApp, createConsoleApp } from "#http/app.ts";
import type { Urls } from "#http/deps.ts";
import { EventHub } from "#http/events/sse.ts";
import { ACCESS_CODE, createAccess } from "#http/guards/console-access.ts";
import { adminHostRule, consoleHostRule } from "#http/guards/guard.ts";
import { authOrigins } from "#http/guards/origins.ts";
import { createConsoleHandlers } from "#http/handlers/console.ts";
import { createDiscoveryHandlers } from "#http/handlers/discovery.ts";
import { createProfileHandlers } from "#http/handlers/profiles.ts";
import { createSessionHandlers } from "#http/handlers/sessions.ts";
import type { HttpApp } from "#http/message-classes.ts";
import { createEventBus, type EventBus } from "#http/traffic/event-bus.ts";
import { exchangeFrom } from "#http/traffic/exchange.ts";
import { machineAddresses } from "./boot/addresses.ts";
import { consoleNames, EVERYWHERE, type Listening, LOOPBACK, listen } from "./boot/listen.ts";
import { Network } from "./boot/network.ts";
import { fixturesNow, openWorld } from "./boot/open-data.ts";
import { otherScheme } from "./boot/other-scheme.ts";
import { type PublicUrls, PublishedUrls, unreachableNotices } from "./boot/public-urls.ts";
import { createRandom } from "./boot/random.ts";
import { StartError } from "./boot/start-error.ts";
import { FixtureWatch } from "./boot/watch-fixtures.ts";
import type { Config } from "./config.ts";
import { readProgramFile } from "./program-files.ts";
import type { FilledHost, RunningServer, ServerHost } from "./running-server.ts";
import { createService, type ServiceParts, type Telling } from "./service.ts";

export type { RunningServer, ServerHost };

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

/** The world of a server, opened. */
type Opened = Awaited<ReturnType<typeof openWorld>>;

/** The parts of a server. It is made before it listens, because they need its URLs with the first request. */
class Server implements RunningServer {
  readonly #config: Config;
  readonly #host: FilledHost;
  readonly #opened: Opened;
  readonly #watch: FixtureWatch | undefined;
  readonly #bus: EventBus;
  readonly #service: ServiceParts;
  readonly #access: ReturnType<typeof createAccess> | null;
  readonly #kernel: Kernel;
  readonly #ended = new AbortController();
  readonly #hub: EventHub;
  readonly #listening: Listening[] = [];
  #network: Network | undefined;
  #urls: Urls = { admin: "", auth: "", console: "", lan: [] };
  readonly #published: PublishedUrls;
  #consoleHosts: readonly string[] = [];

  constructor(config: Config, host: FilledHost, opened: Opened, telling: Telling, watch?: FixtureWatch) {
    const { monotonic, lookup, programs, seen } = host;
    this.#config = config;
    this.#published = new PublishedUrls(config);
    this.#host = host;
    this.#opened = opened;
    this.#watch = watch;
    this.#bus = telling.bus;
    this.#access = config.consoleHost === null ? null : createAccess(monotonic, config.accessToken);
    this.#service = createService(config, host, opened, telling, {
      network: () => this.#started(),
      urls: () => this.#published.over(this.#urls),
      publish: (urls) => this.#published.set(urls),
      listening: () => this.#urls,
      consoleNames: () => consoleNames(this.#consoleHosts, config.allowHosts, host.addresses),
    });
    const { consoleHost, checkHosts } = config;
    const given: Given = {
      ...this.#service.base,
      signal: this.#ended.signal,
      clients: this.#service.clients,
      started: { consoleHost, checkHosts, machine: hostname(), lookup, programs, seen },
    };
    this.#kernel = { ...given, ...createPorts(given) };
    for (const item of seen?.requests ?? []) this.#kernel.log.add(exchangeFrom(item));
    this.#hub = new EventHub(this.#kernel, randomBytes(6).toString("hex"));
  }

  get urls(): Urls {
    return this.#urls;
  }

  get publicUrls(): PublicUrls {
    return this.#published.given;
  }

  get authTlsUrl(): string | null {
    return this.#started().tlsUrl;
  }

  get dataDir(): string | null {
    return this.#opened.store.dataDir;
  }

  get accessToken(): string | null {
    return this.#access?.token ?? null;
  }

  get notices(): readonly string[] {
    return [...this.#opened.notices, ...unreachableNotices(this.#config, hostname())];
  }

  get apps(): RunningServer["apps"] {
    return this.#opened.store.world.apps.map(({ app, profiles: [first] }) => {
      const { appId, name, secret, strategy } = app;
      return { appId, name, secret, strategy, firstUsername: first?.[usernameField(app)] ?? null };
    });
  }

  browserUrl(): string {
    const { console: url } = this.#urls;
    return this.#access === null ? url : `${url}/?${ACCESS_CODE}=${this.#access.codes.make()}`;
  }

  onPasscode(listener: (item: PasscodeItem) => void): () => void {
    return this.#opened.store.subscribe((changes) => {
      for (const { seq, change } of changes) {
        const arrived = "put" in change && change.put === "passcodes" && arrivedWith(change.record, seq);
        if (arrived) listener(passcodeItem(change.appId, change.record, undefined, this.#kernel.env.now(change.appId)));
      }
    });
  }

  onFirstFailure(listener: (failure: FirstFailure) => void): void {
    this.#service.failureListeners.push(listener);
  }

  async close(): Promise<void> {
    this.#ended.abort();
    this.#watch?.stop();
    this.#hub.close();
    this.#service.clients.stop();
    this.#kernel.leases.stop();
    await Promise.all([...this.#listening, this.#network].map((listener) => listener?.close(GRACE_MS)));
    await this.#opened.store.close();
  }

  /** Listens on all three, admin first. @throws StartError; what is open then must be closed. */
  async open(): Promise<void> {
    const { adminHost, adminPort, consoleHost, consolePort, tls, lan } = this.#config;
    const { imported } = this.#opened;
    const features = beginFeatures(this.#kernel);
    if (imported !== undefined) this.#kernel.ports.faults.setImported(imported, undefined);
    const admin = await this.#listen(this.#adminApp(features), adminHost, adminPort, "--admin-port");
    this.#network = await this.#openAuth(features);
    const consoleApp = this.#consoleApp(features);
    this.#opened.store.shares.checkWhole();
    const consoleAt = await this.#listen(consoleApp, consoleHost, consolePort, "--console-port");
    this.#consoleHosts = consoleAt.hosts;
    const network = this.#network;
    this.#urls = {
      admin: `http://127.0.0.1:${admin.port}`,
      auth: `http://127.0.0.1:${network.ports().http}`,
      console: `http://127.0.0.1:${consoleAt.port}`,
      get lan() {
        return network.lanUrls();
      },
    };
    if (tls) await network.openTls(true);
    if (lan) await network.openLan(true);
    this.#follow();
  }

  /** What needs the URLs. */
  #follow(): void {
    const { store, refusedSecrets } = this.#opened;
    store.setConsoleUrl(this.#urls.console);
    this.#watch?.run({
      store,
      env: {
        ...this.#kernel.env,
        now: () => clockReading(REAL_CLOCK, this.#kernel.env.realNow()),
        urls: this.#published.over(this.#urls),
        request: { id: null, device: null },
      },
      log: this.#host.log,
      maySet: (secret) => !refusedSecrets.has(secret),
    });
  }

  #started(): Network {
    if (this.#network === undefined) throw new Error("auth does not listen yet");
    return this.#network;
  }

  async #listen(app: HttpApp, host: string | null, port: number, flag: string): Promise<Listening> {
    const name = flag === "--admin-port" ? "admin" : "the console";
    const onOtherScheme = otherScheme(name, "http", this.#host.log);
    const listener = await listen(app, hostsOf(host), port, flag, undefined, undefined, onOtherScheme);
    this.#listening.push(listener);
    return listener;
  }

  #adminApp(features: FeatureHandlersOf<Listener>): HttpApp {
    const rule = adminHostRule(hostname(), this.#config.allowHosts);
    const handlers = { ...createProfileHandlers(this.#kernel), ...features };
    return createAdminApp(this.#kernel, handlers, rule);
  }

  #consoleApp(features: FeatureHandlersOf<Listener>): HttpApp {
    const deps = this.#kernel;
    const own = createConsoleHandlers(deps, async () => {
      const { home } = this.#host;
      if (home !== undefined) return { ...home, flawed: false, notices: [], describe: fieldLines };
      return await fixturesNow(deps.store.fixtures, this.#config.adminHost !== null);
    });
    const handlers = { ...own, ...features };
    const ui = createUi(
      (path) => readProgramFile(`dist/renderer/${path}`),
      () => authOrigins(deps.place),
    );
    const more = { stream: this.#hub.stream, ui, access: this.#access, testOrigins: this.#config.testOrigins };
    return createConsoleApp(deps, handlers, consoleHostRule(this.#config.allowHosts), more);
  }

  #openAuth(features: FeatureHandlersOf<Listener>): Promise<Network> {
    const { log, lookup, addresses, realNow } = this.#host;
    const { authPort, authTlsPort, caDir } = this.#config;
    const handlers = {
      ...createSessionHandlers(this.#kernel),
      ...createDiscoveryHandlers(this.#kernel),
      ...features,
    };
    return Network.start({
      app: createAuthApp(this.#kernel, handlers),
      port: authPort,
      tlsPort: authTlsPort,
      certificates: async () => {
        const { Certificates } = await import("./boot/certificates.ts");
        return new Certificates(caDir, hostname(), realNow, log);
      },
      onFailure: (remote, how) => this.#service.clients.noteHandshake(remote, how),
      publish: this.#bus.publish,
      warn: log,
      machine: hostname(),
      addresses,
      lookup,
    });
  }
}

/** Starts the server. @throws StartError if that fails, for example because of damaged data. */
export const createServer = async (config: Config, given: ServerHost): Promise<RunningServer> => {
  const injectable = { realNow: Date.now, monotonic: () => performance.now(), addresses: machineAddresses };
  const host: FilledHost = { random: createRandom(given.seed), ...injectable, ...given };
  if (config.watch && config.fixtures.length === 0)
    throw new StartError("invalid_options", "--watch (or STAGEDOOR_WATCH) needs --fixtures");
  const watch = config.watch ? await FixtureWatch.begin(config.fixtures) : undefined;
  const listeners = new Listeners(host.log);
  const bus = createEventBus(listeners);
  const opened = await openWorld(
    config,
    { ...host, maxima: maximaWith(host.bounds), onListenerError: listeners.failed },
    host.random,
    host.realNow,
    bus.publish,
  );
  const server = new Server(config, host, opened, { bus, listeners }, watch);
  try {
    await server.open();
    return server;
  } catch (error) {
    await server.close();
    throw error;
  }
};
