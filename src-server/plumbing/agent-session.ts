/** One session of an AI agent: the apps that it may use, and its access to the emulator. */
import type { Client } from "#client/client.ts";
import type { App, AppInput } from "#client/records.ts";
import { type Whereabouts, withEmulator } from "./emulator.ts";

/** A failure that the agent can handle: a code such as `no_app`, what is wrong, and what to do. */
export class ToolError extends Error {
  override readonly name = "ToolError";
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/** The lease of an app in seconds, in case a session cannot delete it; and how often a session renews it. */
const TTL_SECONDS = 600;
const RENEW_MS = 200_000;

/** What a session may use: only `app`, or all apps; by default those that it creates. */
export interface Confines {
  readonly app?: string | undefined;
  readonly all?: boolean | undefined;
}

/** @see the file. The restrictions only prevent accidents: whoever runs an agent can start it without them. */
export class Session {
  readonly #where: Whereabouts;
  readonly #confines: Confines;
  /** The apps that it created, oldest first, and the app-bound token of each, if a join token created it. */
  readonly #own = new Map<string, string | undefined>();
  #renewal: NodeJS.Timeout | undefined;
  /** When it started, in milliseconds since 1970. */
  readonly since = Date.now();

  constructor(where: Whereabouts, confines: Confines) {
    this.#where = where;
    this.#confines = confines;
  }

  /** Calls the emulator. @param appId the app concerned. @throws CommandError if there is none, or the call fails. */
  ask<T>(use: (client: Client) => Promise<T>, appId?: string): Promise<T> {
    return withEmulator({ ...this.#where, accessToken: this.#own.get(appId ?? "") }, use);
  }

  /** @returns the apps that it may see. */
  visible(apps: readonly App[]): App[] {
    const { app, all } = this.#confines;
    return apps.filter(({ appId }) => all === true || appId === app || this.#own.has(appId));
  }

  /** @returns the app for a call; null if there is none yet. @throws ToolError if the session may not use it. */
  async appOrNone(named: string | undefined): Promise<string | null> {
    const { app, all } = this.#confines;
    const known = app === undefined ? [...this.#own.keys()] : [app];
    if (named !== undefined) {
      if (all === true || known.includes(named)) return named;
      const may = known.length === 0 ? "No app yet: call make_app." : `Use ${known.join(" or ")}.`;
      throw new ToolError("not_your_app", `This session is confined to its own apps, so not "${named}". ${may}`);
    }
    const newest = known.at(-1);
    if (newest !== undefined || all !== true) return newest ?? null;
    const { items } = await this.ask(({ apps }) => apps.list());
    const [only, ...others] = items.map(({ appId }) => appId);
    if (others.length === 0) return only ?? null;
    throw new ToolError("app_required", `Pass appId. Apps: ${[only, ...others].join(", ")}.`);
  }

  /** @returns the app for a call. @throws ToolError if there is none, or the session may not use it. */
  async appOf(named: string | undefined): Promise<string> {
    const appId = await this.appOrNone(named);
    if (appId === null) throw new ToolError("no_app", "There is no app yet. Call make_app first.");
    return appId;
  }

  /** Creates an app that lives as long as the session. */
  async makeApp(input: AppInput): Promise<App> {
    const { app } = this.#confines;
    if (app !== undefined)
      throw new ToolError("not_your_app", `This session is confined to ${app} and creates no apps.`);
    const made = await this.ask(({ apps }) => apps.create({ ...input, ttlSeconds: TTL_SECONDS }));
    this.#own.set(made.appId, made.accessToken);
    this.#renewal ??= setInterval(() => {
      for (const appId of this.#own.keys())
        this.ask(({ clock }) => clock.read({ appId }), appId).catch(() => undefined);
    }, RENEW_MS).unref();
    return made;
  }

  /** Deletes an app that it created. */
  async deleteApp(appId: string): Promise<void> {
    if (!this.#own.has(appId)) return;
    await this.ask(({ apps }) => apps.delete(appId), appId);
    this.#own.delete(appId);
  }

  /** Deletes the apps that it created. Unreachable ones end with their lease. */
  async end(): Promise<void> {
    clearInterval(this.#renewal);
    await Promise.allSettled([...this.#own.keys()].map((appId) => this.deleteApp(appId)));
  }
}
