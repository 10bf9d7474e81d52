/**
 * Remembers in memory what the newest transactions changed: references, because records are never mutated. Each app has a
 * share of its own, so that what is dropped is the oldest of the app that holds the most, never another's.
 */
import { type Maxima, maximaWith } from "#contract/bounds.ts";
import type { Change, Decision } from "#domain/decision.ts";
import type { Cut, Extent, History, HistoryEntry } from "#domain/history/history.ts";
import { type Load, loadsOf } from "#domain/history/memory.ts";
import type { Cause } from "#domain/store.ts";

/** The global clock has a share as an app has, as null. */
type Owner = string | null;

/** A transaction; `entry` loses the changes of the apps whose part is dropped. */
interface Kept {
  entry: HistoryEntry;
  readonly loads: ReadonlyMap<Owner, Load>;
}

/** What the timeline has of one app. */
interface Share {
  readonly appId: Owner;
  /** In order. */
  readonly entries: Kept[];
  bytes: number;
  /** Whether the app exists. */
  isThere: boolean;
  /** Whether the app is one of the join token: these have bounds of their own, apart from those of all others. */
  isJoined: boolean;
  /** The newest transaction that was dropped, and why. */
  dropped: { readonly seq: number; readonly cut: Cut } | undefined;
}

/** What several apps hold together. */
interface Sum {
  bytes: number;
  transactions: number;
}

/** Memory of a transaction without its records, in bytes. */
const TRANSACTION = 400;

/** A part of a transaction that was dropped. */
interface Drop extends Extent {
  readonly first: number;
}

/** @returns the place of the first kept whose number is not below `seq`. */
const indexFrom = (entries: readonly Kept[], seq: number): number => {
  let low = 0;
  let high = entries.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((entries[middle]?.entry.seq ?? Infinity) < seq) low = middle + 1;
    else high = middle;
  }
  return low;
};

/** @see History */
export class KeptHistory implements History {
  readonly #maxima: Maxima;
  readonly #startSeq: number;
  readonly #entries: Kept[] = [];
  readonly #shares = new Map<Owner, Share>();
  /** Deleted leased apps, the oldest first: their past is dropped before that of others. */
  readonly #gone = new Set<Owner>();
  /** Kept up to date, as they are looked at with each transaction, and there may be thousands of apps. */
  readonly #joined: Sum = { bytes: 0, transactions: 0 };
  readonly #others: Sum = { bytes: 0, transactions: 0 };
  /** Of the joined ones, those that are gone. */
  readonly #left: Sum = { bytes: 0, transactions: 0 };
  readonly #isJoined: (appId: Owner) => boolean;
  /** The newest parts that were dropped. */
  readonly #drops: Drop[] = [];
  /** When the newest transactions came, also those that were dropped. */
  readonly #times: { readonly seq: number; readonly realMs: number }[];
  #items: readonly HistoryEntry[] | undefined = [];

  /**
   * @param seq the number of the last change before. @param realMs real time in milliseconds since 1970.
   * @param isJoined whether an app is now one of the join token.
   */
  constructor(
    seq: number,
    realMs: number,
    maxima: Maxima = maximaWith(),
    isJoined: (appId: Owner) => boolean = () => false,
  ) {
    this.#isJoined = isJoined;
    this.#startSeq = seq;
    this.#times = [{ seq, realMs }];
    this.#maxima = maxima;
  }

  get latest(): HistoryEntry | undefined {
    return this.#entries.at(-1)?.entry;
  }

  get items(): readonly HistoryEntry[] {
    this.#items ??= this.#entries.map(({ entry }) => entry);
    return this.#items;
  }

  after(seq: number): readonly HistoryEntry[] {
    return this.#entries.slice(indexFrom(this.#entries, seq + 1)).map(({ entry }) => entry);
  }

  at(seq: number): HistoryEntry | undefined {
    const entry = this.#entries[indexFrom(this.#entries, seq)]?.entry;
    return entry?.seq === seq ? entry : undefined;
  }

  extent(appId?: string): Extent {
    let extent: Extent = { oldestSeq: this.#startSeq };
    const shares = appId === undefined ? this.#shares.values() : [this.#shares.get(appId), this.#shares.get(null)];
    for (const share of shares)
      if (share?.dropped !== undefined && share.dropped.seq > extent.oldestSeq) {
        const { seq, cut } = share.dropped;
        extent = { oldestSeq: seq, cut: { ...cut, appId: share.appId } };
      }
    return extent;
  }

  dropped(seq: number): Extent | undefined {
    if (seq <= this.#startSeq) return { oldestSeq: this.#startSeq };
    return this.#drops.findLast(({ first, oldestSeq }) => first <= seq && seq <= oldestSeq);
  }

  msAt(seq: number): number {
    const [oldest] = this.#times;
    return (this.#times.findLast((one) => one.seq <= seq) ?? oldest)?.realMs ?? 0;
  }

  holds(loads: Parameters<History["holds"]>[0]): boolean {
    return [...loads.values()].every(({ bytes }) => bytes <= this.#maxima.timelineBytes);
  }

  /** Adds a transaction that was made; drops what is beyond the bounds. */
  add(entry: Omit<HistoryEntry, "appIds">): void {
    const byApp = loadsOf(entry.differences);
    const { timelineTransactions, timelineBytes, timelineAllTransactions, timelineAllBytes, timelineLeftBytes } =
      this.#maxima;
    const kept: Kept = { entry: { ...entry, appIds: [...byApp.keys()] }, loads: byApp };
    this.#times.push({ seq: entry.seq, realMs: entry.realMs });
    if (this.#times.length > 2 * timelineAllTransactions) this.#times.splice(0, timelineAllTransactions);
    this.#entries.push(kept);
    this.#items = undefined;
    for (const [appId, load] of byApp) {
      const share = this.#shareOf(appId);
      this.#follow(share, load);
      share.entries.push(kept);
      share.bytes += load.bytes;
      this.#count(share, 1, load.bytes);
      const ofBytes = { of: "app", unit: "bytes", most: timelineBytes } as const;
      // Always the oldest first: what came of a change is counted as what was before the next one.
      while (share.bytes > timelineBytes) this.#drop(share, ofBytes);
      while (share.entries.length > timelineTransactions)
        this.#drop(share, { of: "app", unit: "transactions", most: timelineTransactions });
    }
    this.#trim(this.#left, "bytes", timelineLeftBytes);
    for (const sum of [this.#joined, this.#others]) {
      this.#trim(sum, "bytes", timelineAllBytes);
      this.#trim(sum, "transactions", timelineAllTransactions);
    }
  }

  /** @returns what the timeline holds of an app, estimated in bytes. */
  bytesOf(appId: string): number {
    const share = this.#shares.get(appId);
    return share === undefined ? 0 : share.bytes + share.entries.length * TRANSACTION;
  }

  /** Drops the oldest transactions of an app until so many bytes are free, or none are left. */
  release(appId: string, bytes: number): void {
    const share = this.#shares.get(appId);
    if (share === undefined) return;
    const least = this.bytesOf(appId) - bytes;
    while (share.entries.length > 0 && this.bytesOf(appId) > least)
      this.#drop(share, { of: "shared", unit: "bytes", most: bytes });
  }

  #shareOf(appId: Owner): Share {
    const known = this.#shares.get(appId);
    if (known !== undefined) return known;
    const share: Share = {
      appId,
      entries: [],
      bytes: 0,
      isThere: true,
      isJoined: this.#isJoined(appId),
      dropped: undefined,
    };
    this.#shares.set(appId, share);
    return share;
  }

  #sumsOf({ isJoined, isThere }: Share): readonly Sum[] {
    if (!isJoined) return [this.#others];
    return isThere ? [this.#joined] : [this.#joined, this.#left];
  }

  #count(share: Share, transactions: number, bytes: number): void {
    for (const sum of this.#sumsOf(share)) {
      sum.transactions += transactions;
      sum.bytes += bytes;
    }
  }

  #follow(share: Share, { isBirth, removed }: Load): void {
    if (removed === undefined && !isBirth) return;
    // With what the app has become, all that is held of it counts there.
    const { bytes, entries } = share;
    this.#count(share, -entries.length, -bytes);
    share.isThere = removed === undefined;
    share.isJoined = removed === "joined" || (removed === undefined && this.#isJoined(share.appId));
    this.#count(share, entries.length, bytes);
    this.#gone.delete(share.appId);
    if (removed === "leased" || removed === "joined") this.#gone.add(share.appId);
  }

  /** Drops what these apps together hold beyond a bound. */
  #trim(sum: Sum, unit: Cut["unit"], most: number): void {
    while (sum[unit] > most) {
      const share = this.#nextOf(sum, unit);
      if (share === undefined) return;
      this.#drop(share, { of: "all", unit, most });
    }
  }

  /** @returns a leased app that is gone, the oldest, else the app that holds the most; of those in a sum. */
  #nextOf(sum: Sum, unit: Cut["unit"]): Share | undefined {
    for (const appId of this.#gone) {
      const gone = this.#shares.get(appId);
      if (gone !== undefined && this.#sumsOf(gone).includes(sum)) return gone;
    }
    const held = ({ bytes, entries }: Share): number => (unit === "bytes" ? bytes : entries.length);
    let greediest: Share | undefined;
    for (const share of this.#shares.values())
      if (this.#sumsOf(share).includes(sum) && (greediest === undefined || held(share) > held(greediest)))
        greediest = share;
    return greediest;
  }

  #drop(share: Share, cut: Cut): void {
    const { appId, entries } = share;
    const [kept] = entries;
    if (kept === undefined) return;
    const load = kept.loads.get(appId);
    entries.shift();
    const bytes = load?.bytes ?? 0;
    share.bytes -= bytes;
    this.#count(share, -1, -bytes);
    const { first, seq, differences, lost = [], appIds } = kept.entry;
    share.dropped = { seq, cut };
    this.#drops.push({ first, oldestSeq: seq, cut: { ...cut, appId } });
    if (this.#drops.length > 2 * this.#maxima.timelineAllTransactions)
      this.#drops.splice(0, this.#maxima.timelineAllTransactions);
    this.#items = undefined;
    if (lost.length + 1 < appIds.length)
      kept.entry = {
        ...kept.entry,
        differences: differences.filter((one) => one.appId !== appId),
        lost: [...lost, appId],
      };
    // Nearly always the oldest: `splice` would move ten thousand others.
    else if (this.#entries[0] === kept) this.#entries.shift();
    else this.#entries.splice(indexFrom(this.#entries, kept.entry.seq), 1);
    if (entries.length > 0) return;
    this.#gone.delete(appId);
    // Nothing of an app that is gone can be asked for any more.
    if (!share.isThere) this.#shares.delete(appId);
  }
}

/** Where a transaction came from, for the history. */
export type Origin = Cause & Pick<HistoryEntry, "rewoundTo" | "undoes">;

/** @returns where a transaction came from, by its decision too. */
export const originOf = (decision: Decision<unknown>, cause?: Cause): Origin => {
  const { rewoundTo, undoes } = "value" in decision ? decision : {};
  return { ...cause, ...(rewoundTo !== undefined && { rewoundTo }), ...(undoes !== undefined && { undoes }) };
};

/**
 * @param first the number of the first change.
 * @returns the request of a transaction, by the id that its new records have: the app can assign its own (AppRandom).
 */
export const requestOf = (changes: readonly Change[], first: number, requestId: string | undefined): string | null => {
  if (requestId === undefined) return null;
  for (const change of changes) {
    if (!("put" in change) || (change.put !== "passcodes" && change.put !== "sessions")) continue;
    if (change.record.seq >= first && change.record.requestId !== null) return change.record.requestId;
  }
  return requestId;
};
