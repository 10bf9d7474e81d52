/**
 * One list of records, indexed by id, by owner and by position. Nothing scans the list, except bulk removal, which
 * makes one pass.
 */

/** Common to all records. */
interface Numbered {
  readonly seq: number;
}

const NONE: readonly never[] = [];
/** From this many on, one pass over the list is cheaper than a splice for each. */
const MANY = 16;

/** @returns the first position in an ascending list whose record has at least this `seq`. */
export const positionOf = (list: readonly Numbered[], seq: number): number => {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((list[middle]?.seq ?? Number.POSITIVE_INFINITY) < seq) low = middle + 1;
    else high = middle;
  }
  return low;
};

/** Inserts a record by its `seq`, nearly always at the end. */
const insert = <R extends Numbered>(list: R[], record: R): void => {
  const last = list.at(-1);
  if (last === undefined || last.seq < record.seq) list.push(record);
  else list.splice(positionOf(list, record.seq), 0, record);
};

const takeOut = <R extends Numbered>(list: R[], record: R): void => {
  const place = positionOf(list, record.seq);
  // The oldest record is removed when retention is full, which must not move all the others.
  if (list[0] === record) list.shift();
  else if (list[place] === record) list.splice(place, 1);
};

const exchange = <R extends Numbered>(list: R[], before: R, record: R): void => {
  const place = positionOf(list, before.seq);
  if (list[place] === before && before.seq === record.seq) list[place] = record;
  else {
    takeOut(list, before);
    insert(list, record);
  }
};

/** @see RecordTable */
export class RecordTable<R extends Numbered> {
  /** In order of creation; the same array as in the document. */
  readonly list: R[];
  readonly #idOf: (record: R) => string;
  readonly #ownerOf: ((record: R) => string) | undefined;
  readonly #byId = new Map<string, R>();
  readonly #byOwner = new Map<string, R[]>();
  /** New records that belong in the middle of the list, as a restore adds them; `settle` moves them there at once. */
  #late: R[] = [];
  readonly #weigh: (record: R) => number;
  /** The weight of all; undefined until someone asks: the records of most apps need not be weighed. */
  #bytes: number | undefined;

  /**
   * @param list of the document, now owned by this table. @param weigh the bytes of a record.
   * @param ownerOf the profile that a record belongs to.
   */
  constructor(list: R[], idOf: (record: R) => string, weigh: (record: R) => number, ownerOf?: (record: R) => string) {
    this.list = list;
    this.#weigh = weigh;
    this.#idOf = idOf;
    this.#ownerOf = ownerOf;
    for (const record of list) {
      this.#byId.set(idOf(record), record);
      this.#own(record);
    }
  }

  /** The bytes of all records. */
  get bytes(): number {
    if (this.#bytes === undefined) {
      let sum = 0;
      for (const record of this.#byId.values()) sum += this.#weigh(record);
      this.#bytes = sum;
    }
    return this.#bytes;
  }

  /** @returns position and id of a record whose id occurs earlier; undefined if all ids are unique. */
  duplicate(): { readonly place: number; readonly id: string } | undefined {
    if (this.#byId.size === this.list.length) return undefined;
    const hidden = this.list.find((record) => this.#byId.get(this.#idOf(record)) !== record);
    if (hidden === undefined) return undefined;
    const id = this.#idOf(hidden);
    return { place: this.list.findLastIndex((record) => this.#idOf(record) === id), id };
  }

  /** @returns the record with this id. */
  find(id: string): R | undefined {
    return this.#byId.get(id);
  }

  /** @returns the records of this profile, oldest first. */
  of(owner: string): readonly R[] {
    return this.#byOwner.get(owner) ?? NONE;
  }

  /** Replaces the record with the same id, or adds it; then call `settle`. @returns the replaced record. */
  put(record: R): R | undefined {
    const id = this.#idOf(record);
    const before = this.#byId.get(id);
    this.#byId.set(id, record);
    if (this.#bytes !== undefined)
      this.#bytes += this.#weigh(record) - (before === undefined ? 0 : this.#weigh(before));
    if (before === undefined) {
      const isLate = record.seq <= (this.list.at(-1)?.seq ?? 0);
      (isLate ? this.#late : this.list).push(record);
      this.#own(record);
      return undefined;
    }
    // The one before may be late itself.
    if (this.list[positionOf(this.list, before.seq)] !== before) this.settle();
    exchange(this.list, before, record);
    const owned = this.#byOwner.get(this.#ownerOf?.(record) ?? "");
    if (owned !== undefined && this.#ownerOf?.(before) === this.#ownerOf?.(record)) exchange(owned, before, record);
    else {
      this.#disown(before);
      this.#own(record);
    }
    return before;
  }

  /** Completes the list after some `put`, in one pass. */
  settle(): void {
    const late = this.#late;
    if (late.length === 0) return;
    this.#late = [];
    if (late.length < MANY) {
      for (const record of late) insert(this.list, record);
      return;
    }
    for (const record of late) this.list.push(record);
    // Two ascending runs, which this sort merges efficiently.
    this.list.sort((a, b) => a.seq - b.seq);
  }

  /** Removes records; unknown ids are ignored. @returns the removed ones. */
  remove(ids: readonly string[]): readonly R[] {
    this.settle();
    const gone: R[] = [];
    for (const id of ids) {
      const record = this.#byId.get(id);
      if (record === undefined) continue;
      gone.push(record);
      this.#byId.delete(id);
      if (this.#bytes !== undefined) this.#bytes -= this.#weigh(record);
      this.#disown(record);
    }
    if (gone.length < MANY) for (const record of gone) takeOut(this.list, record);
    else {
      const all = new Set(gone);
      let kept = 0;
      // The list stays the document's own.
      for (const record of this.list) if (!all.has(record)) this.list[kept++] = record;
      this.list.length = kept;
    }
    return gone;
  }

  #own(record: R): void {
    const owner = this.#ownerOf?.(record);
    if (owner === undefined) return;
    const owned = this.#byOwner.get(owner);
    if (owned === undefined) this.#byOwner.set(owner, [record]);
    else insert(owned, record);
  }

  #disown(record: R): void {
    const owner = this.#ownerOf?.(record);
    const owned = owner === undefined ? undefined : this.#byOwner.get(owner);
    if (owner === undefined || owned === undefined) return;
    takeOut(owned, record);
    if (owned.length === 0) this.#byOwner.delete(owner);
  }
}
