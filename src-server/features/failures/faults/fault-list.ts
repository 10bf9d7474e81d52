/** Faults in order of precedence, by app: a request pays for those of its app and of all, not for those of others. */
import type { Maxima } from "#contract/bounds.ts";
import type { FaultInput } from "#contract/service/faults.ts";
import type { Problem } from "#contract/service/problems.ts";
import { counted, many } from "#contract/words/words.ts";
import type { TokenHolder } from "#http/guards/token-holder.ts";
import type { FaultItem } from "./contract/faults.ts";

/** Who sets a fault, and so in whose room it is: the app of a bound token; null: anyone else. */
export type FaultOwner = string | null;

/** @returns in whose room faults are set. */
export const faultOwnerOf = (holder: TokenHolder | undefined): FaultOwner => holder?.appId ?? null;

/** @returns the bytes of faults. */
export const weightOf = (inputs: readonly FaultInput[]): number =>
  inputs.reduce((sum, input) => sum + Buffer.byteLength(JSON.stringify(input)), 0);

/** The app of a fault; undefined: all. */
type Of = string | undefined;

interface Entry {
  fault: FaultItem;
  readonly place: number;
  readonly owner: FaultOwner;
  readonly bytes: number;
}

/** Weather comes last. */
const inOrder = (a: Entry, b: Entry): number =>
  Number(a.fault.weather !== undefined) - Number(b.fault.weather !== undefined) || a.place - b.place;

const faultsOf = (entries: Iterable<Entry>): readonly FaultItem[] => Array.from(entries, ({ fault }) => fault);

/** Each owner has room of its own, so that no job takes that of another, or of the console's own token. */
export class KnownFaults {
  readonly #maxima: Maxima;
  readonly #byId = new Map<string, Entry>();
  readonly #byApp = new Map<Of, readonly Entry[]>();
  #first = 0;
  #last = 0;

  constructor(maxima: Maxima) {
    this.#maxima = maxima;
  }

  get size(): number {
    return this.#byId.size;
  }

  /** Adds a fault after the others of its kind. @param isNext whether before all others. */
  add(fault: FaultItem, owner: FaultOwner, bytes: number, isNext = false): void {
    const entry = { fault, owner, bytes, place: isNext ? --this.#first : ++this.#last };
    const { appId } = fault.match;
    this.#byId.set(fault.id, entry);
    this.#byApp.set(appId, [...this.#of(appId), entry].sort(inOrder));
  }

  put(fault: FaultItem): void {
    const entry = this.#byId.get(fault.id);
    if (entry !== undefined) entry.fault = fault;
  }

  remove({ id, match: { appId } }: FaultItem): void {
    const entry = this.#byId.get(id);
    if (entry === undefined) return;
    const left = this.#of(appId).filter((one) => one !== entry);
    this.#byId.delete(id);
    if (left.length > 0) this.#byApp.set(appId, left);
    else this.#byApp.delete(appId);
  }

  /** @returns those that name an app; undefined: those that name none. */
  of(appId: Of): readonly FaultItem[] {
    return faultsOf(this.#of(appId));
  }

  meeting(appId: string | null): readonly FaultItem[] {
    const [own, all] = [appId === null ? [] : this.#of(appId), this.#of(undefined)];
    return faultsOf(own.length === 0 || all.length === 0 ? [...own, ...all] : [...own, ...all].sort(inOrder));
  }

  all(): readonly FaultItem[] {
    return faultsOf([...this.#byId.values()].sort(inOrder));
  }

  /** @returns the bytes of all that this owner has set. */
  bytesOf(owner: FaultOwner): number {
    return this.#ownedBy(owner).reduce((sum, { bytes }) => sum + bytes, 0);
  }

  /** @param isKept which of the existing ones stay. @returns the used-up ones to drop for these, or why there is no room. */
  roomFor(
    inputs: readonly FaultInput[],
    owner: FaultOwner,
    isKept: (fault: FaultItem) => boolean,
  ): { readonly drop: ReadonlySet<FaultItem> } | { readonly problem: Problem } {
    const { appFaults, appFaultBytes, faults, faultBytes } = this.#maxima;
    const most = owner === null ? { count: faults, bytes: faultBytes } : { count: appFaults, bytes: appFaultBytes };
    const kept = this.#ownedBy(owner).filter(({ fault }) => isKept(fault));
    const spent = kept.filter(({ fault }) => fault.remaining === 0);
    let count = most.count - inputs.length - kept.length;
    let bytes = most.bytes - weightOf(inputs) - kept.reduce((sum, one) => sum + one.bytes, 0);
    const drop = new Set<FaultItem>();
    while (count < 0 || bytes < 0) {
      const oldest = spent.shift();
      if (oldest === undefined) {
        const who = owner === null ? "Stagedoor keeps" : "The token of an app sets";
        const what = count < 0 ? many(most.count, "fault") : `${counted(most.bytes)} bytes of faults`;
        const instruction = `${who} at most ${what}. Delete some first. Nothing was changed.`;
        return { problem: { code: "too_many_faults", instruction } };
      }
      drop.add(oldest.fault);
      count += 1;
      bytes += oldest.bytes;
    }
    return { drop };
  }

  /** What the token of an app sets names this app. */
  #ownedBy(owner: FaultOwner): readonly Entry[] {
    return (owner === null ? [...this.#byId.values()] : this.#of(owner)).filter((one) => one.owner === owner);
  }

  #of(appId: Of): readonly Entry[] {
    return this.#byApp.get(appId) ?? [];
  }
}
