/** Active faults and their counters: in memory, in order of creation. Those of scenarios follow the profiles. */
import type { EventInput, Publish } from "#contract/events.ts";
import { FAULT_LIMITS, type FaultInput, type FaultItem } from "#contract/faults.ts";
import { type Problem, problem } from "#contract/problems.ts";
import type { AppRecord, ProfileRecord } from "#contract/records.ts";
import { isoInstant } from "#contract/scalars.ts";
import { faultOfScenario } from "#contract/scenarios.ts";
import { usernameField } from "#contract/strategies.ts";
import type { Change } from "#domain/decision.ts";
import { type FaultSubject, faultFor, usedOnce } from "#domain/faults.ts";
import type { Store } from "#domain/store.ts";
import type { Env } from "#domain/world.ts";

const keyOf = (appId: string, userId: string): string => `${appId} ${userId}`;

/** From this many changes on, a transaction is an import. */
const MANY = 200;

/** What tells a fault from another, apart from its id and counters. */
const meaning = ({ scenario, match, effect, times }: FaultItem): string =>
  JSON.stringify([scenario, match, effect, times]);

/** The faults of one process. */
export class Faults {
  readonly #env: Pick<Env, "now" | "uuid">;
  readonly #store: Store;
  #list: readonly FaultItem[] = [];
  readonly #publish: Publish;
  /** The faults of scenarios, by app and user. */
  readonly #scenarios = new Map<string, FaultItem>();
  readonly #strategies = new Map<string, AppRecord["strategy"]>();
  /** Events to publish once the change of the profile is durable. */
  #untold: (() => void)[] = [];

  /** @param publish called for each fault that is stored or removed. */
  constructor(store: Store, env: Pick<Env, "now" | "uuid">, publish: Publish) {
    this.#publish = publish;
    this.#env = env;
    this.#store = store;
    for (const { app } of store.world.apps) this.#followStrategy(app);
    store.watch((changes) => {
      // Most profiles of an import have no scenario, before and after.
      const users =
        changes.length < MANY ? undefined : new Set([...this.#scenarios.values()].map(({ userId }) => userId));
      for (const { change } of changes) {
        const isProfile = users !== undefined && "put" in change && change.put === "profiles";
        if (isProfile && change.record.scenario === undefined && !users.has(change.record.userId)) continue;
        this.#hear(change);
      }
      // Deleting an app deletes its faults, at once: the next change can create an app with its id.
      if (changes.some(({ change }) => "remove" in change && change.remove === "app"))
        this.#drop(
          ({ match }) => match.appId !== undefined && store.world.app(match.appId) === undefined,
          (tell) => this.#untold.push(tell),
        );
    });
    store.subscribe(() => {
      for (const tell of this.#untold.splice(0)) tell();
    });
  }

  /** Whether there are any; without faults requests pay nothing. */
  get any(): boolean {
    return this.#list.length > 0 || this.#scenarios.size > 0;
  }

  /** @returns all faults, or those of one app, in order of precedence. */
  list(appId?: string): readonly FaultItem[] {
    const all = [...this.#list, ...this.#scenarios.values()];
    return appId === undefined ? all : all.filter(({ match }) => match.appId === appId);
  }

  /** Adds a fault after the existing ones. */
  add(input: FaultInput): { readonly fault: FaultItem } | { readonly problem: Problem } {
    if (this.#list.length >= FAULT_LIMITS.faults) {
      // Makes room by dropping the oldest one that is used up.
      const spent = this.#list.find(({ remaining }) => remaining === 0);
      if (spent === undefined) return problem("too_many_faults");
      this.remove(spent.id);
    }
    const fault = this.#unused(input, this.#env.uuid());
    this.#list = [...this.#list, fault];
    this.#tell("fault.put", fault, fault);
    return { fault };
  }

  /** @returns a new fault with its counters. */
  #unused(
    { match, effect, times }: FaultInput,
    id: string,
    userId: string | null = null,
    scenario: string | null = null,
  ) {
    const createdAt = isoInstant(this.#env.now(match.appId));
    return { id, match, userId, scenario, effect, times, used: 0, remaining: times, createdAt } satisfies FaultItem;
  }

  /** Imports faults from another Stagedoor, with their ids and counters. */
  takeOver(items: readonly FaultItem[]): void {
    for (const item of items) {
      if (item.userId === null) this.#list = [...this.#list, item];
      else this.#scenarios.set(keyOf(item.match.appId ?? "", item.userId), item);
    }
  }

  /** Removes an added fault. */
  remove(id: string): void {
    this.#drop((fault) => fault.id === id);
  }

  /** Removes all faults, or those of one app; scenarios stay with their profiles. */
  clear(appId?: string): void {
    this.#drop(({ match }) => appId === undefined || match.appId === appId);
  }

  /** @returns the fault that applies to this request, after counting the use. @param userId the user of the request. */
  take(subject: FaultSubject, userId: string | undefined): FaultItem | undefined {
    const key = keyOf(subject.appId ?? "", userId ?? "");
    const own = this.#scenarios.get(key);
    const found = faultFor(own === undefined ? this.#list : [...this.#list, own], subject);
    if (found === undefined) return undefined;
    const used = usedOnce(found);
    if (found === own) this.#scenarios.set(key, used);
    else this.#list = this.#list.map((fault) => (fault === found ? used : fault));
    this.#tell("fault.put", used, used);
    return used;
  }

  #hear(change: Change): void {
    if ("put" in change) {
      if (change.put === "app") this.#followStrategy(change.record);
      const app = change.put === "profiles" ? this.#store.world.app(change.appId) : undefined;
      if (change.put === "profiles" && app !== undefined) this.#follow(app.app, change.record);
    } else if (change.remove === "profiles") for (const id of change.ids) this.#leave(keyOf(change.appId, id));
    else if (change.remove === "app") {
      this.#strategies.delete(change.appId);
      for (const key of [...this.#scenarios.keys()]) if (key.startsWith(keyOf(change.appId, ""))) this.#leave(key);
    }
  }

  /** Updates the fault of a profile's scenario; an unchanged one keeps its counters. */
  #follow(app: AppRecord, profile: ProfileRecord): void {
    const { appId } = app;
    const { userId, scenario, [usernameField(app)]: to } = profile;
    const key = keyOf(appId, userId);
    if (scenario === undefined || to === null) {
      this.#leave(key);
      return;
    }
    const before = this.#scenarios.get(key);
    const name = typeof scenario === "string" ? scenario : "custom";
    const input = faultOfScenario(scenario, { appId, to });
    const fault = this.#unused(input, before?.id ?? this.#env.uuid(), userId, name);
    if (before !== undefined && meaning(before) === meaning(fault)) return;
    this.#scenarios.set(key, fault);
    this.#untold.push(() => this.#tell("fault.put", fault, fault));
  }

  /** Updates all users of an app that is new or has another strategy, which changes their usernames. */
  #followStrategy(app: AppRecord): void {
    if (this.#strategies.get(app.appId) === app.strategy) return;
    this.#strategies.set(app.appId, app.strategy);
    // An import can bring 100,000 profiles without one.
    for (const profile of this.#store.world.app(app.appId)?.profiles ?? [])
      if (profile.scenario !== undefined) this.#follow(app, profile);
  }

  /** Removes the fault of a profile without a scenario. */
  #leave(key: string): void {
    const gone = this.#scenarios.get(key);
    if (gone === undefined) return;
    this.#scenarios.delete(key);
    this.#untold.push(() => this.#tell("fault.remove", gone, { id: gone.id }));
  }

  /** @param when calls what publishes a removal; absent: at once. */
  #drop(which: (fault: FaultItem) => boolean, when = (tell: () => void): unknown => tell()): void {
    const gone = this.#list.filter(which);
    this.#list = this.#list.filter((fault) => !gone.includes(fault));
    for (const fault of gone) when(() => this.#tell("fault.remove", fault, { id: fault.id }));
  }

  #tell(type: EventInput["type"], { match }: FaultItem, item: unknown): void {
    this.#publish({ type, appId: match.appId ?? null, item });
  }
}
