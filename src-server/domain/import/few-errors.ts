/** Errors of an import: of each list the first entries, and how many more there are. */
import type { FieldErrors } from "#contract/validation.ts";
import { counted } from "#contract/words/words.ts";
import { MOST_NAMED } from "#people/faults.ts";

const ENTRY = /^(apps\[\d+\]\.\w+)\[\d+\]/;
/** Records that the rules do not look at if their form is wrong. */
const RECORD = /^apps\[\d+\]\.(?:connections|passcodes|sessions)\[\d+\]/;

/** Of a list: the last entry with errors, how many are named, and how many more there are. */
type Entries = readonly [last: string, named: number, more: number];

/** Collects errors by path. */
export class FewErrors {
  /** By path, which may be `__proto__`: no object. */
  readonly #errors: Map<string, readonly string[]>;
  readonly #lists: Map<string, Entries>;
  readonly #incomplete: ReadonlySet<string>;

  /** @param ofForm goes on with these: a record that has one gets no others. */
  constructor(ofForm?: FewErrors) {
    this.#errors = new Map(ofForm === undefined ? [] : ofForm.#errors);
    this.#lists = new Map(ofForm === undefined ? [] : ofForm.#lists);
    this.#incomplete = new Set([...this.#errors.keys()].flatMap((path) => RECORD.exec(path) ?? []));
  }

  get isEmpty(): boolean {
    return this.#lists.size === 0 && this.#errors.size === 0;
  }

  /** Counts an entry that has errors. @returns whether they are named. */
  names(path: string): boolean {
    const [entry, list] = ENTRY.exec(path) ?? [];
    if (entry === undefined || list === undefined) return true;
    const [last, named, more] = this.#lists.get(list) ?? ["", 0, 0];
    if (last === entry) return more === 0;
    const isNamed = named < MOST_NAMED;
    this.#lists.set(list, isNamed ? [entry, named + 1, more] : [entry, named, more + 1]);
    return isNamed;
  }

  add(path: string, text: string): void {
    if (this.#incomplete.has(RECORD.exec(path)?.[0] ?? "") || !this.names(path)) return;
    const texts = this.#errors.get(path) ?? [];
    if (!texts.includes(text)) this.#errors.set(path, [...texts, text]);
  }

  /** Adds the errors of the fields below a path; `base` is the path itself. */
  addAll(errors: FieldErrors, path = ""): void {
    for (const [field, texts] of Object.entries(errors)) {
      const at = path === "" ? field : field === "base" ? path : `${path}.${field}`;
      for (const text of texts) this.add(at, text);
    }
  }

  /** The errors by path. */
  get errors(): FieldErrors {
    const all = new Map(this.#errors);
    for (const [list, [, , more]] of this.#lists)
      if (more > 0) all.set(list, [...(all.get(list) ?? []), `… and ${counted(more)} more`]);
    return Object.fromEntries(all);
  }
}
