/** Active faults and their counters: in memory, in order of creation. Those of scenarios follow the profiles. */
import { type Maxima, maximaWith } from "#contract/bounds.ts";
import type { EventInput, Publish } from "#contract/control/events.ts";
import { isoInstant } from "#contract/scalars.ts";
import type { FaultInput } from "#contract/service/faults.ts";
import type { Problem } from "#contract/service/problems.ts";
import type { AppRecord, ProfileRecord } from "#contract/service/records.ts";
import { faultOfScenario } from "#contract/service/scenarios.ts";
import { usernameField } from "#contract/service/strategies.ts";
import type { Change } from "#domain/decision.ts";
import type { Store } from "#domain/store.ts";
import type { Deps } from "#http/deps.ts";
import type { FaultItem } from "./contract/faults.ts";
import { type FaultOwner, KnownFaults, weightOf } from "./fault-list.ts";
import { canMeet, type DrawnEffect, type FaultSubject, isByChance, metBy } from "./meeting.ts";

/** Who sets faults, and how. */
export interface FaultOrder {
  readonly by: FaultOwner;
  readonly instead?: (fault: FaultItem) => boolean;
  readonly weather?: FaultItem["weather"];
  /** Whether they go before all others. */
  readonly isNext?: boolean;
}

const userKey = (appId: string, userId: string): string => `${appId} ${userId}`;

/** @returns what tells a fault from another, apart from its id, its counters and its scenario. */
export const meaning = ({ match, effect, times, probability, cycle, repetitions }: FaultInput): string =>
  JSON.stringify([match, effect, times, probability, cycle, repetitions]);

/** @returns whether a fault is weather of the app, or of any. */
export const isWeatherOf =
  (appId: string | undefined) =>
  ({ weather, match }: FaultItem): boolean =>
    weather !== undefined && (appId === undefined || match.appId === appId);

/** Weather is everywhere, so what was set for a purpose goes before it. */
const withBefore = (list: readonly FaultItem[], faults: Iterable<FaultItem>): readonly FaultItem[] => {
  const at = list.findIndex(({ weather }) => weather !== undefined);
  return at < 0 ? [...list, ...faults] : [...list.slice(0, at), ...faults, ...list.slice(at)];
};

type FaultEnv = Pick<Deps["env"], "now" | "uuid" | "digits" | "random" | "realNow">;

/** The faults of one process. */
export class Faults {
  readonly #env: FaultEnv;
  readonly #store: Store;
  /** Without scenarios. */
  readonly #list: KnownFaults;
  /** When the next weather ends, in milliseconds since 1970. */
  #dueMs = Infinity;
  readonly #publish: Publish;
  readonly #scenarios = new Map<string, FaultItem>();
  readonly #strategies = new Map<string, AppRecord["strategy"]>();
  /** When each fault with a cycle was set, by its id; milliseconds since 1970. */
  readonly #since = new Map<string, number>();
  /** Events to publish once the change of the profile is durable. */
  #untold: (() => void)[] = [];

  constructor(store: Store, env: FaultEnv, publish: Publish, maxima: Maxima = maximaWith()) {
    this.#publish = publish;
    this.#list = new KnownFaults(maxima);
    this.#env = env;
    this.#store = store;
    for (const { app } of store.world.apps) this.#followStrategy(app);
    store.watch((changes) => {
      for (const { change } of changes) this.#hear(change);
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
    return this.#list.size > 0 || this.#scenarios.size > 0;
  }

  list(appId?: string): readonly FaultItem[] {
    this.#endDue();
    if (appId === undefined) return withBefore(this.#list.all(), this.#scenarios.values());
    const own = [...this.#scenarios.values()].filter(({ match }) => match.appId === appId);
    return withBefore(this.#list.of(appId), own);
  }

  bytesOf(appId: string): number {
    return this.#list.bytesOf(appId);
  }

  refusal(inputs: readonly FaultInput[], order: FaultOrder): Problem | undefined {
    const room = this.#roomFor(inputs, order);
    return "problem" in room ? room.problem : undefined;
  }

  #roomFor(inputs: readonly FaultInput[], { by, instead = () => false }: FaultOrder) {
    const room = this.#list.roomFor(inputs, by, (fault) => !instead(fault));
    const refused = by === null || "problem" in room ? undefined : this.#store.shares.refusal(by, weightOf(inputs));
    return refused === undefined ? room : { problem: refused };
  }

  /** Adds faults after the others, but before weather; all or none. The oldest that are used up make room. */
  add(
    inputs: readonly FaultInput[],
    order: FaultOrder,
  ): { readonly faults: readonly FaultItem[] } | { readonly problem: Problem } {
    const { by, instead, weather, isNext = false } = order;
    const room = this.#roomFor(inputs, order);
    if ("problem" in room) return room;
    this.#drop((fault) => instead?.(fault) === true || room.drop.has(fault));
    const faults = inputs.map((input) => {
      const fault: FaultItem = { ...this.#unused(input, this.#env.uuid()), ...(weather && { weather }) };
      this.#list.add(fault, by, weightOf([input]), isNext);
      this.#tell("fault.put", fault, fault);
      return fault;
    });
    // A request that comes a moment earlier ends it as well.
    if (weather?.until) this.#dueMs = Math.min(this.#dueMs, Date.parse(weather.until));
    if (weather?.until) setTimeout(() => this.#endDue(), Date.parse(weather.until) - this.#env.realNow()).unref();
    return { faults };
  }

  #unused(input: FaultInput, id: string, userId: string | null = null, scenario: string | null = null): FaultItem {
    const { times, match } = input;
    const createdAt = isoInstant(this.#env.now(match.appId));
    if (input.cycle !== undefined) this.#since.set(id, this.#env.realNow());
    const seed = input.seed === undefined && isByChance(input) ? { seed: this.drawSeed(match.appId) } : {};
    return { ...input, ...seed, id, userId, scenario, used: 0, remaining: times, createdAt };
  }

  /** @returns a new seed; in a deterministic app it follows from what is set. @param instead what it replaces. */
  drawSeed(appId: string | undefined, instead: FaultOrder["instead"] = () => false): string {
    const app = appId === undefined ? undefined : this.#store.world.app(appId)?.app;
    const count = this.list(appId).filter((fault) => !instead(fault)).length;
    return app === undefined ? this.#env.digits(9) : this.#env.random(app).digits(9, `fault ${count}`);
  }

  #isDue({ id, cycle }: FaultItem): boolean {
    if (cycle === undefined) return true;
    const now = this.#env.realNow();
    return (now - (this.#since.get(id) ?? now)) % cycle.everyMs < cycle.forMs;
  }

  /** Imports faults from another Stagedoor, with their ids and counters. */
  takeOver(items: readonly FaultItem[]): void {
    for (const item of items) {
      if (item.userId === null) this.#list.add(item, null, 0);
      else this.#scenarios.set(userKey(item.match.appId ?? "", item.userId), item);
    }
  }

  remove(id: string): void {
    this.#drop((fault) => fault.id === id);
  }

  endWeather(appId: string | undefined): void {
    this.#drop(isWeatherOf(appId));
  }

  /** Ends weather whose time is over. Each request asks. */
  #endDue(): void {
    const now = this.#dueMs === Infinity ? 0 : this.#env.realNow();
    if (now < this.#dueMs) return;
    const endOf = ({ weather }: FaultItem): number => (weather?.until ? Date.parse(weather.until) : Infinity);
    this.#drop((fault) => endOf(fault) <= now);
    this.#dueMs = Math.min(...this.#list.all().map(endOf), Infinity);
  }

  /** Removes all faults, or those of one app; scenarios stay with their profiles. */
  clear(appId?: string): void {
    this.#drop(({ match }) => appId === undefined || match.appId === appId);
  }

  /** @returns the fault that applies to this request, after counting the use. @param userId the user of the request. */
  take(
    subject: FaultSubject,
    userId: string | undefined,
  ): { readonly id: string; readonly effect: DrawnEffect } | undefined {
    this.#endDue();
    const key = userKey(subject.appId ?? "", userId ?? "");
    const own = this.#scenarios.get(key);
    const met = new Map<FaultItem, FaultItem>();
    let taken: ReturnType<Faults["take"]>;
    const list = this.#list.meeting(subject.appId);
    for (const found of own === undefined ? list : withBefore(list, [own])) {
      if (!canMeet(found, subject) || !this.#isDue(found)) continue;
      const { fault, effect } = metBy(this.#env, found);
      met.set(found, fault);
      if (effect === undefined) continue;
      taken = { id: fault.id, effect };
      break;
    }
    if (met.size === 0) return undefined;
    const counted = own && met.get(own);
    for (const [found, fault] of met) if (found !== own) this.#list.put(fault);
    if (counted !== undefined) this.#scenarios.set(key, counted);
    for (const fault of met.values()) this.#tell("fault.put", fault, fault);
    return taken;
  }

  #hear(change: Change): void {
    if ("put" in change) {
      if (change.put === "app") this.#followStrategy(change.record);
      // Most profiles of an import have no scenario, before and after.
      if (change.put !== "profiles" || (change.record.scenario === undefined && this.#scenarios.size === 0)) return;
      const app = this.#store.world.app(change.appId);
      if (app !== undefined) this.#follow(app.app, change.record);
    } else if (change.remove === "profiles") for (const id of change.ids) this.#leave(userKey(change.appId, id));
    else if (change.remove === "app") {
      this.#strategies.delete(change.appId);
      for (const key of [...this.#scenarios.keys()]) if (key.startsWith(userKey(change.appId, ""))) this.#leave(key);
    }
  }

  /** Updates the fault of a profile's scenario; an unchanged one keeps its counters. */
  #follow(app: AppRecord, profile: ProfileRecord): void {
    const { appId } = app;
    const { userId, scenario, [usernameField(app)]: to } = profile;
    const key = userKey(appId, userId);
    if (scenario === undefined || to === null) {
      this.#leave(key);
      return;
    }
    const before = this.#scenarios.get(key);
    const name = typeof scenario === "string" ? scenario : "custom";
    const input = faultOfScenario(scenario, { appId, to });
    const fault = this.#unused(input, before?.id ?? this.#env.uuid(), userId, name);
    if (before?.scenario === name && meaning(before) === meaning(fault)) return;
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

  #leave(key: string): void {
    const gone = this.#scenarios.get(key);
    if (gone === undefined) return;
    this.#scenarios.delete(key);
    this.#untold.push(() => this.#tell("fault.remove", gone, { id: gone.id }));
  }

  /** @param when calls what publishes a removal; absent: at once. */
  #drop(which: (fault: FaultItem) => boolean, when = (tell: () => void): unknown => tell()): void {
    const gone = this.#list.all().filter(which);
    for (const fault of gone) {
      this.#list.remove(fault);
      this.#since.delete(fault.id);
    }
    for (const fault of gone) when(() => this.#tell("fault.remove", fault, { id: fault.id }));
  }

  #tell(type: EventInput["type"], { match }: FaultItem, item: unknown): void {
    this.#publish({ type, appId: match.appId ?? null, item });
  }
}
