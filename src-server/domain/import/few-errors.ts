/** Errors of an import: of each list the first entries, and how many more there are. */
import type { FieldErrors } from "#contract/validation.ts";
import { counted } from "#contract/words/words.ts";
import { MOST_NAMED } from "#people/faults.ts";

const ENTRY = /^(apps\[\d+\]\.\w+)\[\d+\]/;
const MORE = /^… and ([\d,]+) more$/;

/** @returns how the rest is told, under the path of the list. */
export const moreText = (count: number): string => `… and ${counted(count)} more`;

/** Collects errors by path. */
export class FewErrors {
  /** By path, which may be `__proto__`: no object. */
  readonly #errors = new Map<string, readonly string[]>();
  readonly #lists = new Map<string, { last: string; entries: number; more: number }>();

  get isEmpty(): boolean {
    return this.#lists.size === 0 && this.#errors.size === 0;
  }

  add(path: string, text: string): void {
    const [entry, list] = ENTRY.exec(path) ?? [];
    if (entry !== undefined && list !== undefined) {
      const of = this.#listOf(list);
      const isKnown = of.last === entry;
      of.last = entry;
      if (!isKnown && of.entries < MOST_NAMED) of.entries += 1;
      else if (!isKnown) of.more += 1;
      if (of.more > 0) return;
    }
    const texts = this.#errors.get(path) ?? [];
    if (!texts.includes(text)) this.#errors.set(path, [...texts, text]);
  }

  /** Adds errors that were found before, of which some may only be counted. */
  addAll(errors: FieldErrors): void {
    for (const [path, texts] of Object.entries(errors))
      for (const text of texts) {
        const [, more] = MORE.exec(text) ?? [];
        if (more === undefined) this.add(path, text);
        else this.#listOf(path).more += Number(more.replaceAll(",", ""));
      }
  }

  /** The errors by path. */
  get errors(): FieldErrors {
    const all = new Map(this.#errors);
    for (const [list, { more }] of this.#lists) if (more > 0) all.set(list, [...(all.get(list) ?? []), moreText(more)]);
    return Object.fromEntries(all);
  }

  #listOf(list: string): { last: string; entries: number; more: number } {
    const known = this.#lists.get(list);
    if (known !== undefined) return known;
    const made = { last: "", entries: 0, more: 0 };
    this.#lists.set(list, made);
    return made;
  }
}
