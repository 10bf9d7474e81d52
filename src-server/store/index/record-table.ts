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
export const MANY = 16;

/** @returns the first position in an ascending list whose record has at least this `seq`. */
export const placeOf = (list: readonly Numbered[], seq: number): number => {
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
  else list.splice(placeOf(list, record.seq), 0, record);
};

const takeOut = <R extends Numbered>(list: R[], record: R): void => {
  // The oldest record is removed when retention is full, which must not move all the others.
  if (list[0] === record) {
    list.shift();
    return;
  }
  const place = placeOf(list, record.seq);
  if (list[place] === record) list.splice(place, 1);
};

const exchange = <R extends Numbered>(list: R[], before: R, record: R): void => {
  if (before.seq === record.seq) {
    const place = placeOf(list, record.seq);
    if (list[place] === before) {
      list[place] = record;
      return;
    }
  }
  takeOut(list, before);
  insert(list, record);
};

/** @see RecordTable */
export class RecordTable<R extends Numbered> {
  /** In order of creation; the same array as in the document. */
  readonly list: R[];
  readonly #idOf: (record: R) => string;
  readonly #ownerOf: ((record: R) => string) | undefined;
  readonly #byId = new Map<string, R>();
  readonly #byOwner = new Map<string, R[]>();

  /** @param list of the document, now owned by this table. @param ownerOf the profile that a record belongs to. */
  constructor(list: R[], idOf: (record: R) => string, ownerOf?: (record: R) => string) {
    this.list = list;
    this.#idOf = idOf;
    this.#ownerOf = ownerOf;
    for (const record of list) {
      this.#byId.set(idOf(record), record);
      this.#own(record);
    }
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

  /** Replaces the record with the same id, or appends. @returns the replaced record. */
  put(record: R): R | undefined {
    const id = this.#idOf(record);
    const before = this.#byId.get(id);
    this.#byId.set(id, record);
    if (before === undefined) {
      insert(this.list, record);
      this.#own(record);
      return undefined;
    }
    exchange(this.list, before, record);
    const owned = this.#byOwner.get(this.#ownerOf?.(record) ?? "");
    if (this.#ownerOf !== undefined && this.#ownerOf(before) === this.#ownerOf(record) && owned !== undefined) {
      exchange(owned, before, record);
    } else {
      this.#disown(before);
      this.#own(record);
    }
    return before;
  }

  /** Adds records with new ids in one pass over the list. */
  add(records: readonly R[]): void {
    const last = this.list.at(-1)?.seq ?? 0;
    for (const record of records) {
      this.#byId.set(this.#idOf(record), record);
      this.list.push(record);
      this.#own(record);
    }
    let before = last;
    const inOrder = records.every(({ seq }) => {
      const follows = before < seq;
      before = seq;
      return follows;
    });
    // Two ascending runs, which this sort merges efficiently.
    if (!inOrder) this.list.sort((a, b) => a.seq - b.seq);
  }

  /** Removes records; unknown ids are ignored. @returns the removed ones. */
  remove(ids: readonly string[]): readonly R[] {
    const gone: R[] = [];
    for (const id of ids) {
      const record = this.#byId.get(id);
      if (record === undefined) continue;
      this.#byId.delete(id);
      this.#disown(record);
      gone.push(record);
    }
    if (gone.length < MANY) for (const record of gone) takeOut(this.list, record);
    else this.#takeOutMany(new Set(gone));
    return gone;
  }

  #takeOutMany(gone: ReadonlySet<R>): void {
    let kept = 0;
    for (const record of this.list) {
      if (gone.has(record)) continue;
      this.list[kept] = record;
      kept += 1;
    }
    this.list.length = kept;
  }

  #own(record: R): void {
    if (this.#ownerOf === undefined) return;
    const owner = this.#ownerOf(record);
    const owned = this.#byOwner.get(owner);
    if (owned === undefined) this.#byOwner.set(owner, [record]);
    else insert(owned, record);
  }

  #disown(record: R): void {
    if (this.#ownerOf === undefined) return;
    const owner = this.#ownerOf(record);
    const owned = this.#byOwner.get(owner);
    if (owned === undefined) return;
    takeOut(owned, record);
    if (owned.length === 0) this.#byOwner.delete(owner);
  }
}
