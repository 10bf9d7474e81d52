/**
 * Remembers in memory what the newest transactions changed: references, because records are never mutated. Each app has a
 * share of its own, so that what is dropped is the oldest of the app that holds the most, never another's.
 */
import { type Maxima, maximaWith } from "#contract/bounds.ts";
import type { Cut, Past, Reach, Timeline } from "#domain/history/timeline.ts";
import { type Load, type Loads, loadsOf } from "#domain/history/weight.ts";

/** The global clock has a share as an app has, as null. */
type Owner = string | null;

/** A transaction; `past` loses the changes of the apps whose part is dropped. */
interface Entry {
  past: Past;
  readonly loads: ReadonlyMap<Owner, Load>;
}

/** What the timeline has of one app. */
interface Share {
  readonly appId: Owner;
  /** In order. */
  readonly entries: Entry[];
  bytes: number;
  /** Whether the app exists. */
  isThere: boolean;
  /** The newest transaction that was dropped, and why. */
  dropped: { readonly seq: number; readonly cut: Cut } | undefined;
}

/** A part of a transaction that was dropped. */
interface Drop extends Reach {
  readonly first: number;
}

/** @returns the place of the entry in the list. */
const indexOfEntry = (entries: readonly Entry[], { past: { seq } }: Entry): number => {
  let low = 0;
  let high = entries.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((entries[middle]?.past.seq ?? Infinity) < seq) low = middle + 1;
    else high = middle;
  }
  return low;
};

/** @see Timeline */
export class PastTransactions implements Timeline {
  readonly #maxima: Maxima;
  readonly #startSeq: number;
  readonly #entries: Entry[] = [];
  readonly #shares = new Map<Owner, Share>();
  /** Deleted leased apps, the oldest first: their past is dropped before that of others. */
  readonly #gone = new Set<Owner>();
  /** The newest parts that were dropped. */
  readonly #drops: Drop[] = [];
  /** When the newest transactions came, also those that were dropped. */
  readonly #times: { readonly seq: number; readonly realMs: number }[];
  #items: readonly Past[] | undefined = [];
  #parts = 0;
  #bytes = 0;

  /** @param seq the number of the last change before. @param realMs real time in milliseconds since 1970. */
  constructor(seq: number, realMs: number, maxima: Maxima = maximaWith()) {
    this.#startSeq = seq;
    this.#times = [{ seq, realMs }];
    this.#maxima = maxima;
  }

  get latest(): Past | undefined {
    return this.#entries.at(-1)?.past;
  }

  get items(): readonly Past[] {
    this.#items ??= this.#entries.map(({ past }) => past);
    return this.#items;
  }

  reach(appId?: string): Reach {
    let reach: Reach = { oldestSeq: this.#startSeq };
    const shares = appId === undefined ? this.#shares.values() : [this.#shares.get(appId), this.#shares.get(null)];
    for (const share of shares)
      if (share?.dropped !== undefined && share.dropped.seq > reach.oldestSeq) {
        const { seq, cut } = share.dropped;
        reach = { oldestSeq: seq, cut: { ...cut, appId: share.appId } };
      }
    return reach;
  }

  dropped(seq: number): Reach | undefined {
    if (seq <= this.#startSeq) return { oldestSeq: this.#startSeq };
    return this.#drops.findLast(({ first, oldestSeq }) => first <= seq && seq <= oldestSeq);
  }

  msAt(seq: number): number {
    const [oldest] = this.#times;
    return (this.#times.findLast((one) => one.seq <= seq) ?? oldest)?.realMs ?? 0;
  }

  has(seq: number): boolean {
    const past = this.#entries.at(-1)?.past;
    const found = past?.seq === seq ? past : this.items.findLast((one) => one.seq === seq);
    return found !== undefined && found.lost === undefined;
  }

  holds({ byApp }: Parameters<Timeline["holds"]>[0]): boolean {
    return [...byApp.values()].every(({ bytes }) => bytes <= this.#maxima.timelineBytes);
  }

  /** Adds a transaction that was made; drops what is beyond the bounds. @param loads of its changes. */
  add(past: Omit<Past, "appIds">, { byApp }: Loads = loadsOf(past.altered)): void {
    const { timelineTransactions, timelineBytes, timelineAllTransactions, timelineAllBytes } = this.#maxima;
    const entry: Entry = { past: { ...past, appIds: [...byApp.keys()] }, loads: byApp };
    this.#times.push({ seq: past.seq, realMs: past.realMs });
    if (this.#times.length > 2 * timelineAllTransactions) this.#times.splice(0, timelineAllTransactions);
    this.#entries.push(entry);
    this.#items = undefined;
    for (const [appId, load] of byApp) {
      const share = this.#shareOf(appId);
      this.#follow(share, load);
      share.entries.push(entry);
      share.bytes += load.bytes;
      this.#bytes += load.bytes;
      this.#parts += 1;
      const ofBytes = { of: "app", unit: "bytes", most: timelineBytes } as const;
      // Always the oldest first: what came of a change is counted as what was before the next one.
      while (share.bytes > timelineBytes) this.#drop(share, ofBytes);
      while (share.entries.length > timelineTransactions)
        this.#drop(share, { of: "app", unit: "transactions", most: timelineTransactions });
    }
    while (this.#bytes > timelineAllBytes)
      this.#dropOf(({ bytes }) => bytes, { of: "all", unit: "bytes", most: timelineAllBytes });
    while (this.#parts > timelineAllTransactions)
      this.#dropOf(({ entries }) => entries.length, { of: "all", unit: "transactions", most: timelineAllTransactions });
  }

  #shareOf(appId: Owner): Share {
    const known = this.#shares.get(appId);
    if (known !== undefined) return known;
    const share: Share = { appId, entries: [], bytes: 0, isThere: true, dropped: undefined };
    this.#shares.set(appId, share);
    return share;
  }

  #follow(share: Share, { isBirth, removed }: Load): void {
    if (removed === undefined && !isBirth) return;
    share.isThere = removed === undefined;
    this.#gone.delete(share.appId);
    if (removed === "leased") this.#gone.add(share.appId);
  }

  /** Drops the oldest of a leased app that is gone, else of the app that holds the most. */
  #dropOf(held: (share: Share) => number, cut: Cut): void {
    const [gone] = this.#gone;
    let greediest = this.#gone.size > 0 && gone !== undefined ? this.#shares.get(gone) : undefined;
    if (greediest === undefined)
      for (const share of this.#shares.values())
        if (greediest === undefined || held(share) > held(greediest)) greediest = share;
    if (greediest !== undefined) this.#drop(greediest, cut);
  }

  #drop(share: Share, cut: Cut): void {
    const { appId, entries } = share;
    const [entry] = entries;
    if (entry === undefined) return;
    const load = entry.loads.get(appId);
    entries.shift();
    share.bytes -= load?.bytes ?? 0;
    this.#bytes -= load?.bytes ?? 0;
    this.#parts -= 1;
    const { first, seq, altered, lost = [], appIds } = entry.past;
    share.dropped = { seq, cut };
    this.#drops.push({ first, oldestSeq: seq, cut: { ...cut, appId } });
    if (this.#drops.length > 2 * this.#maxima.timelineAllTransactions)
      this.#drops.splice(0, this.#maxima.timelineAllTransactions);
    this.#items = undefined;
    if (lost.length + 1 < appIds.length)
      entry.past = { ...entry.past, altered: altered.filter((one) => one.appId !== appId), lost: [...lost, appId] };
    // Nearly always the oldest: `splice` would move ten thousand others.
    else if (this.#entries[0] === entry) this.#entries.shift();
    else this.#entries.splice(indexOfEntry(this.#entries, entry), 1);
    if (entries.length > 0) return;
    this.#gone.delete(appId);
    // Nothing of an app that is gone can be asked for any more.
    if (!share.isThere) this.#shares.delete(appId);
  }
}
