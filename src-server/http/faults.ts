/** The faults that are set, with their counters: in memory, in order of making. */
import type { EventInput, Publish } from "#contract/events.ts";
import { FAULT_LIMITS, type FaultInput, type FaultItem } from "#contract/faults.ts";
import { type Problem, problem } from "#contract/problems.ts";
import { isoInstant } from "#contract/scalars.ts";
import { type FaultSubject, faultFor, usedOnce } from "#domain/faults.ts";
import type { Store } from "#domain/store.ts";
import type { Env } from "#domain/world.ts";

/** Keeps the faults of one process. */
export class Faults {
  readonly #env: Pick<Env, "now" | "uuid">;
  #list: readonly FaultItem[] = [];
  readonly #publish: Publish;

  /** @param publish told of each fault that is put or removed. */
  constructor(store: Store, env: Pick<Env, "now" | "uuid">, publish: Publish) {
    this.#publish = publish;
    this.#env = env;
    // The faults of an app go with it.
    store.subscribe((changes) => {
      if (this.#list.length === 0) return;
      if (!changes.some(({ change }) => "remove" in change && change.remove === "app")) return;
      this.#drop(({ match }) => match.appId !== undefined && store.world.app(match.appId) === undefined);
    });
  }

  /** Whether there are any, so that a request costs nothing more where there are none. */
  get any(): boolean {
    return this.#list.length > 0;
  }

  /** @returns all, or those of one app, in order of making. */
  list(appId?: string): readonly FaultItem[] {
    return appId === undefined ? this.#list : this.#list.filter(({ match }) => match.appId === appId);
  }

  /** @returns the fault with this id. */
  find(id: string): FaultItem | undefined {
    return this.#list.find((fault) => fault.id === id.toLowerCase());
  }

  /** Sets a fault, behind those that are set. */
  add({ match, effect, times }: FaultInput): { readonly fault: FaultItem } | { readonly problem: Problem } {
    if (this.#list.length >= FAULT_LIMITS.faults) {
      // The oldest that is used up gives way.
      const spent = this.#list.find(({ remaining }) => remaining === 0);
      if (spent === undefined) return problem("too_many_faults");
      this.remove(spent.id);
    }
    const createdAt = isoInstant(this.#env.now(match.appId));
    const fault: FaultItem = { id: this.#env.uuid(), match, effect, times, used: 0, remaining: times, createdAt };
    this.#list = [...this.#list, fault];
    this.#tell("fault.put", fault, fault);
    return { fault };
  }

  /** @returns whether there was one with this id. */
  remove(id: string): boolean {
    return this.#drop((fault) => fault.id === id.toLowerCase()) > 0;
  }

  /** Removes all, or those of one app. */
  clear(appId?: string): void {
    this.#drop(({ match }) => appId === undefined || match.appId === appId);
  }

  /** @returns the fault that meets this request, which is counted by that. */
  take(subject: FaultSubject): FaultItem | undefined {
    const found = faultFor(this.#list, subject);
    if (found === undefined) return undefined;
    const used = usedOnce(found);
    this.#list = this.#list.map((fault) => (fault === found ? used : fault));
    this.#tell("fault.put", used, used);
    return used;
  }

  #drop(which: (fault: FaultItem) => boolean): number {
    const gone = this.#list.filter(which);
    if (gone.length > 0) this.#list = this.#list.filter((fault) => !gone.includes(fault));
    for (const fault of gone) this.#tell("fault.remove", fault, { id: fault.id });
    return gone.length;
  }

  #tell(type: EventInput["type"], { match }: FaultItem, item: unknown): void {
    this.#publish({ type, appId: match.appId ?? null, item });
  }
}
