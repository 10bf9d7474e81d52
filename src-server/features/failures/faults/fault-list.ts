/**
 * Faults in order of precedence, by app, so that a request pays for those of its own app and for those of all apps, and
 * not for what others have set.
 */
import type { FaultItem } from "./contract/faults.ts";

/** The app of a fault; undefined: all. */
type Of = string | undefined;

/** @see the file */
export class FaultsByApp {
  /** Each in order of precedence. */
  readonly #byApp = new Map<Of, readonly FaultItem[]>();
  readonly #byId = new Map<string, FaultItem>();
  /** The places of faults in the order, by id. */
  readonly #places = new Map<string, number>();
  #first = 0;
  #last = 0;

  get size(): number {
    return this.#byId.size;
  }

  find(id: string): FaultItem | undefined {
    return this.#byId.get(id);
  }

  /** Adds a fault after the others of its kind: weather comes last. @param isNext whether before all others. */
  add(fault: FaultItem, isNext = false): void {
    this.#places.set(fault.id, isNext ? --this.#first : ++this.#last);
    this.#byId.set(fault.id, fault);
    const { appId } = fault.match;
    this.#byApp.set(appId, [...this.of(appId), fault].sort(this.#order));
  }

  /** Replaces a fault by the same one, counted. */
  put(fault: FaultItem): void {
    const { appId } = fault.match;
    this.#byId.set(fault.id, fault);
    this.#byApp.set(
      appId,
      this.of(appId).map((one) => (one.id === fault.id ? fault : one)),
    );
  }

  remove(faults: readonly FaultItem[]): void {
    const apps = new Set<Of>();
    for (const { id, match } of faults) {
      this.#byId.delete(id);
      this.#places.delete(id);
      apps.add(match.appId);
    }
    for (const appId of apps) {
      const left = this.of(appId).filter(({ id }) => this.#byId.has(id));
      if (left.length > 0) this.#byApp.set(appId, left);
      else this.#byApp.delete(appId);
    }
  }

  /** @returns those that name an app; undefined: those that name none. */
  of(appId: Of): readonly FaultItem[] {
    return this.#byApp.get(appId) ?? [];
  }

  /** @returns those that a request of this app can meet, in order. */
  meeting(appId: string | null): readonly FaultItem[] {
    const [own, all] = [appId === null ? [] : this.of(appId), this.of(undefined)];
    if (all.length === 0) return own;
    return own.length === 0 ? all : [...own, ...all].sort(this.#order);
  }

  /** @returns all, in order. */
  all(): readonly FaultItem[] {
    return [...this.#byId.values()].sort(this.#order);
  }

  readonly #order = (a: FaultItem, b: FaultItem): number =>
    Number(a.weather !== undefined) - Number(b.weather !== undefined) ||
    (this.#places.get(a.id) ?? 0) - (this.#places.get(b.id) ?? 0);
}
