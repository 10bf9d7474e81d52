/** Makes users of rows, and gathers what is to be said of them. */
import { type FixtureProfile, profileSchema } from "#contract/control/state.ts";
import type { JsonObject, JsonValue } from "#contract/scalars.ts";
import { USERNAMES, type UsernameField } from "#contract/service/strategies.ts";
import { fieldErrors } from "#contract/validation.ts";
import { counted, many } from "#contract/words/words.ts";
import { FaultList, shortened } from "./faults.ts";
import { cutWords, fitted } from "./fitted.ts";
import { PHONES } from "./phone-columns.ts";
import type { ReadRow } from "./row-reader.ts";

/** Fields whose form a lenient app does not check. */
const CONTACTS: ReadonlySet<string> = new Set(Object.keys(USERNAMES));
const OTHER = "other value";
/** What a user calls the values of a login column. */
const LOGIN_WORDS: Readonly<Record<string, string>> = { email: "email", phone: "phone", userId: "user ID" };

const valueAt = (profile: JsonObject, field: string): string | null => {
  const value: JsonValue | undefined = profile[field.split(/[.[]/)[0] ?? ""];
  if (value === undefined || field.startsWith("metadata")) return null;
  return typeof value === "string" ? value : JSON.stringify(value);
};

const countIn = <K>(counts: Map<K, number>, key: K): unknown => counts.set(key, (counts.get(key) ?? 0) + 1);
const saidOf = (count: number, words: (count: number) => string): readonly string[] =>
  count === 0 ? [] : [words(count)];

/** @see the file */
export class PeopleMaker {
  readonly profiles: FixtureProfile[] = [];
  readonly at: number[] = [];
  readonly faults = new FaultList();
  withPhone = 0;
  readonly #isLenient: boolean;
  readonly #unread = new Map<string, number>();
  readonly #logins = new Map<string, Map<string, number>>();
  #cut = 0;
  #extensions = 0;
  #pluses = 0;
  #empty = 0;
  #firstPlus = "";

  constructor(isLenient: boolean) {
    this.#isLenient = isLenient;
  }

  /** Adds the user of a row, or what is wrong with it. */
  add(line: number, row: ReadRow): void {
    const { profile, metadata } = row;
    this.#count(row);
    if (row.spare.length > 0 && fitted(metadata, row.spare)) this.#cut += 1;
    const hasMetadata = Object.keys(metadata).length > 0;
    if (hasMetadata) profile["metadata"] = metadata;
    if (profile["phone"] !== undefined || row.wrong.some(({ field }) => PHONES.has(field))) this.withPhone += 1;
    const isWrong = this.#refuse(line, row);
    const { name, phone, email, userId } = profile;
    if (!hasMetadata && [name, phone, email, userId].every((value) => value === undefined)) {
      if (!isWrong) this.#empty += 1;
      return;
    }
    const parsed = profileSchema(profile, !this.#isLenient).safeParse(profile, { reportInput: true });
    if (!parsed.success)
      for (const [field, [reason = ""]] of Object.entries(fieldErrors(parsed.error)))
        this.faults.add(line, field, valueAt(profile, field), reason);
    if (isWrong || !parsed.success) return;
    this.profiles.push(parsed.data);
    this.at.push(line);
  }

  /** @returns what was left out or is missing, a sentence each. @param field by which users sign in. */
  notices(field: UsernameField): readonly string[] {
    const nameless = this.profiles.filter((profile) => (profile[field] ?? null) === null).length;
    const kindWords = ([kind, count]: readonly [string, number]): string =>
      `${many(count, kind)}${kind === OTHER ? ", kept as metadata" : ""}`;
    return [
      ...[...this.#unread].map(
        ([name, count]) => `${many(count, "time")} in "${name}" could not be read as such, and is kept as text.`,
      ),
      ...[...this.#logins].map(([name, kinds]) => `"${name}": ${[...kinds].map(kindWords).join(", ")}.`),
      ...saidOf(
        this.#pluses,
        (count) => `${many(count, "number")} without a plus sign, such as ${this.#firstPlus}: a plus sign was added.`,
      ),
      ...saidOf(this.#extensions, (count) => `${many(count, "extension")} cut off a number, and kept as metadata.`),
      ...saidOf(this.#cut, (count) => cutWords(many(count, "row"))),
      ...saidOf(this.#empty, (count) => `${many(count, "row")} without a value that is read, left out.`),
      ...saidOf(
        nameless,
        (count) =>
          `${counted(count)} of ${many(this.profiles.length, "user")} ${count === 1 ? "has" : "have"} no ${field}, by which users of this app sign in.`,
      ),
    ];
  }

  #count({ unread, logins, extension, lacksPlus, profile }: ReadRow): void {
    for (const { name } of unread) countIn(this.#unread, shortened(name));
    for (const [{ name }, field] of logins) {
      const counts = this.#logins.get(shortened(name)) ?? new Map<string, number>();
      this.#logins.set(shortened(name), counts);
      countIn(counts, field === null ? OTHER : (LOGIN_WORDS[field] ?? field));
    }
    if (extension !== undefined) this.#extensions += 1;
    if (!lacksPlus) return;
    this.#pluses += 1;
    this.#firstPlus ||= String(profile["phone"]);
  }

  /** @returns whether a row is refused. What a lenient app takes is stored as it is. */
  #refuse(line: number, { profile, wrong }: ReadRow): boolean {
    let isWrong = false;
    for (const { field, given, wrong: reason } of wrong)
      if (this.#isLenient && CONTACTS.has(field)) profile[field] = given;
      else {
        this.faults.add(line, field, given, reason);
        isWrong = true;
      }
    return isWrong;
  }
}
