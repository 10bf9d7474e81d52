/**
 * Users from whatever file people have: one reading for the command line, fixtures and the window.
 */

import type { ReadAs } from "#contract/control/fixture-source.ts";
import { type FixtureProfile, profileSchema } from "#contract/control/state.ts";
import { frozen } from "#contract/frozen.ts";
import type { JsonObject, JsonValue } from "#contract/scalars.ts";
import { USERNAMES, type UsernameField } from "#contract/service/strategies.ts";
import { fieldErrors } from "#contract/validation.ts";
import { isPhone, phoneValue } from "#contract/words/phone-words.ts";
import { counted, many } from "#contract/words/words.ts";
import { columnsOf, type PeopleColumn } from "./columns.ts";
import type { Countries } from "./countries.ts";
import { AMBIGUOUS, FaultList, NATIONAL, type RowFaults, shortened } from "./faults.ts";
import { cutWords, fitted } from "./fitted.ts";
import { EARLIER, onceEach } from "./once-each.ts";
import { homeOfRow, type PhoneContext } from "./phone-reader.ts";
import type { PhoneRules, Reading } from "./phone-rules.ts";
import { READABLE, readTable, type TextFound } from "./read-table.ts";
import { columnPlan, type ReadRow, type RowOptions, readRow } from "./row-reader.ts";
import { leftWords, type Stepwise, type Table } from "./table.ts";
import { textOf } from "./values.ts";

/** How to read people. */
export interface PeopleOptions extends ReadAs {
  /**
   * The field by which users of the app sign in; undefined: by phone if most rows have something there, valid or not,
   * else by email.
   */
  readonly username?: UsernameField;
  /** Whether the app takes what is not valid (its setting `validation`). */
  readonly isLenient?: boolean;
  /** Whether someone sees the columns and can say which is which: a table without phones and emails is read, too. */
  readonly canMap?: boolean;
}

/** Users that were read, with all that can be said of them before a server has seen them. */
export interface People {
  readonly form: string;
  readonly columns: readonly PeopleColumn[];
  readonly username: UsernameField;
  readonly rows: number;
  /** Without those that have errors. */
  readonly profiles: readonly FixtureProfile[];
  /** The line of each profile. */
  readonly lines: (places: readonly number[]) => readonly number[];
  readonly faults: RowFaults;
  /** What was left out or is missing, a sentence each. */
  readonly notices: readonly string[];
  /** Whether numbers are refused because their country is not known. */
  readonly lacksCountry: boolean;
  /** What cures the errors, a sentence each. */
  readonly remedies: readonly string[];
  /** Rows that are refused because they differ from an earlier one about the same user. */
  readonly contradictions: number;
}

type ReadPeople = Omit<People, "form" | "lines"> & { readonly at: readonly number[] };

/** Rests between steps, so that others can run. Absent: it does not. */
export type Pause = () => Promise<void> | undefined;

/** @returns the result, with pauses between the steps. */
const finished = async <T>(steps: Stepwise<T>, pause: Pause | undefined): Promise<T> => {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    const rest = pause?.();
    if (rest !== undefined) await rest;
  }
};

/** Rows of a step. */
const STEP = 64;

const IDENTITY = frozen<readonly string[]>(["name", "firstName", "lastName", "phone", "email", "userId", "login"]);

/** Targets whose values may be numbers, which may need the rules of their country. */
const PHONES: ReadonlySet<string> = frozen(new Set(["phone", "login"]));
/** Fields whose form a lenient app does not check. */
const CONTACTS: ReadonlySet<string> = frozen(new Set(Object.keys(USERNAMES)));

const phonePlaces = (columns: readonly PeopleColumn[]): readonly number[] =>
  columns.flatMap(({ target }, i) => (PHONES.has(target) ? [i] : []));

function* needsRules(table: Table, places: readonly number[]): Stepwise<boolean> {
  const needs = (value: JsonValue | undefined): boolean => {
    const text = textOf(value);
    return text !== undefined && !isPhone(phoneValue(text));
  };
  for (const [at, { values }] of table.rows.entries()) {
    if (places.some((i) => needs(values[i]))) return true;
    if (at % STEP === STEP - 1) yield undefined;
  }
  return false;
}

/** So many rows show of which countries the numbers are. */
const MOST_LOOKED_AT = 1_000;

/** @returns whole numbers of a table. */
const wholeNumbers = ({ rows }: Table, places: readonly number[]): readonly string[] =>
  rows.slice(0, MOST_LOOKED_AT).flatMap(({ values }) =>
    places.flatMap((place) => {
      const value = phoneValue(textOf(values[place]) ?? "");
      return isPhone(value) ? [value] : [];
    }),
  );

/**
 * @returns the one way in which all bare digits of the columns are numbers; undefined: both are, or neither. Known before
 * the rows are read, so that only one of the two readings is tried for each.
 */
function* wayOf(table: Table, places: readonly number[], options: RowOptions): Stepwise<PhoneContext["way"]> {
  const { rules, countries, plan } = options;
  const all: Record<Reading, boolean> = { international: true, national: true };
  for (const [at, { values }] of table.rows.entries()) {
    if (at % STEP === STEP - 1) yield undefined;
    for (const place of places) {
      const digits = phoneValue(textOf(values[place]) ?? "");
      if (rules === undefined || !/^[1-9]\d{5,14}$/.test(digits)) continue;
      const home = homeOfRow({ countries, rules, homes: plan.homes, row: values });
      all.international &&= rules.international(digits) !== undefined;
      all.national &&= rules.national(digits, home ?? rules.home) !== undefined;
    }
    if (!all.international && !all.national) return undefined;
  }
  if (all.international === all.national) return undefined;
  return all.international ? "international" : "national";
}

interface Context extends Pick<PeopleOptions, "isLenient" | "duplicates"> {
  readonly table: Table;
  readonly columns: readonly PeopleColumn[];
  readonly keepsRest: boolean;
  readonly rules: PhoneRules | undefined;
  readonly countries: Countries | undefined;
}

const valueAt = (profile: JsonObject, field: string): string | null => {
  const value: JsonValue | undefined = profile[field.split(/[.[]/)[0] ?? ""];
  return value === undefined || field.startsWith("metadata")
    ? null
    : typeof value === "string"
      ? value
      : JSON.stringify(value);
};

/** Counts by name, in the order in which they were first met. */
class Counts {
  readonly #counts = new Map<string, number>();
  add(name: string): void {
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1);
  }
  words(say: (name: string, count: number) => string): readonly string[] {
    return [...this.#counts].map(([name, count]) => say(name, count));
  }
}

const OTHER = "other value";
/** What a user calls the values of a login column. */
const LOGIN_WORDS: Readonly<Record<string, string>> = frozen({ email: "email", phone: "phone", userId: "user ID" });

/** Makes users of rows, and gathers what is to be said of them. */
class PeopleMaker {
  readonly profiles: FixtureProfile[] = [];
  readonly at: number[] = [];
  readonly faults = new FaultList();
  withPhone = 0;
  readonly #isLenient: boolean;
  readonly #cut: number[] = [];
  readonly #unread = new Counts();
  readonly #logins = new Map<string, Counts>();
  readonly #extensions: number[] = [];
  #pluses = 0;
  #empty = 0;
  #firstPlus = "";

  constructor(isLenient: boolean) {
    this.#isLenient = isLenient;
  }

  /** Adds the user of a row, or what is wrong with it. */
  add(line: number, row: ReadRow): void {
    const { profile, metadata } = row;
    this.#count(line, row);
    if (row.spare.length > 0 && fitted(metadata, row.spare)) this.#cut.push(line);
    const hasMetadata = Object.keys(metadata).length > 0;
    if (hasMetadata) profile["metadata"] = metadata;
    if (profile["phone"] !== undefined || row.wrong.some(({ field }) => PHONES.has(field))) this.withPhone += 1;
    const isWrong = this.#refuse(line, row);
    const { name, phone, email, userId } = profile;
    if (!hasMetadata && [name, phone, email, userId].every((value) => value === undefined)) {
      this.#empty += isWrong ? 0 : 1;
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
    const count = this.profiles.length;
    return [
      ...this.#unread.words(
        (name, times) => `${many(times, "time")} in "${name}" could not be read as such, and is kept as text.`,
      ),
      ...[...this.#logins].map(
        ([name, kinds]) =>
          `"${name}": ${kinds.words((kind, times) => (kind === OTHER ? `${many(times, kind)}, kept as metadata` : many(times, kind))).join(", ")}.`,
      ),
      ...(this.#pluses === 0
        ? []
        : [`${many(this.#pluses, "number")} without a plus sign, such as ${this.#firstPlus}: a plus sign was added.`]),
      ...(this.#extensions.length === 0
        ? []
        : [`${many(this.#extensions.length, "extension")} cut off a number, and kept as metadata.`]),
      ...(this.#cut.length === 0 ? [] : [cutWords(many(this.#cut.length, "row"))]),
      ...(this.#empty === 0 ? [] : [`${many(this.#empty, "row")} without a value that is read, left out.`]),
      ...(nameless === 0
        ? []
        : [
            `${counted(nameless)} of ${many(count, "user")} ${nameless === 1 ? "has" : "have"} no ${field}, by which users of this app sign in.`,
          ]),
    ];
  }

  #count(line: number, { unread, logins, extension, lacksPlus, profile }: ReadRow): void {
    for (const { name } of unread) this.#unread.add(shortened(name));
    for (const [{ name }, field] of logins) {
      const counts = this.#logins.get(shortened(name)) ?? new Counts();
      this.#logins.set(shortened(name), counts);
      counts.add(field === null ? OTHER : (LOGIN_WORDS[field] ?? field));
    }
    if (extension !== undefined) this.#extensions.push(line);
    if (!lacksPlus) return;
    this.#pluses += 1;
    this.#firstPlus ||= String(profile["phone"]);
  }

  /** @returns whether a row is refused. What a lenient app takes is stored as it is. */
  #refuse(line: number, { profile, wrong }: ReadRow): boolean {
    const refused = wrong.filter(({ field }) => !this.#isLenient || !CONTACTS.has(field));
    for (const { field, given } of wrong) if (this.#isLenient && CONTACTS.has(field)) profile[field] = given;
    for (const { field, given, wrong: reason } of refused) this.faults.add(line, field, given, reason);
    return refused.length > 0;
  }
}

/** @returns what cures errors, a sentence each. */
const remediesFor = (
  faults: FaultList,
  rules: PhoneRules | undefined,
  profiles: readonly FixtureProfile[],
): readonly string[] => {
  if (faults.faults.total === 0) return [];
  const phones = profiles.slice(0, MOST_LOOKED_AT).flatMap(({ phone }) => phone ?? []);
  const [other = rules?.countriesOf(phones)[0]] = rules?.others ?? [];
  const country = other ?? (typeof rules?.home === "string" ? rules.home : undefined);
  return [
    ...(!faults.has(NATIONAL)
      ? []
      : [
          other === undefined
            ? "Add the country of these numbers, such as --country US."
            : `Add --country ${other}, the country of the other numbers, if these are of it, too.`,
        ]),
    ...(!faults.has(AMBIGUOUS)
      ? []
      : [
          `Write these numbers with a plus sign and their country code, or as in their country${country === undefined ? "" : `, with --country ${country}`}.`,
        ]),
  ];
};

/** Reads the rows. */
function* peopleIn(context: Context, username: UsernameField | undefined): Stepwise<ReadPeople> {
  const { table, columns, keepsRest, rules, countries, isLenient = false, duplicates } = context;
  const plan = columnPlan(columns, keepsRest);
  const usual: RowOptions = { plan, isText: table.isText, rules, countries };
  const hasHome = rules?.home !== undefined || plan.homes.length > 0;
  const options = hasHome ? { ...usual, way: yield* wayOf(table, phonePlaces(columns), usual) } : usual;
  const maker = new PeopleMaker(isLenient);
  const { faults } = maker;
  const { flaws } = table;
  let flawed = 0;
  for (const [i, { line, values }] of table.rows.entries()) {
    if (i % STEP === STEP - 1) yield undefined;
    for (let flaw = flaws[flawed]; flaw !== undefined && flaw.line < line; flaw = flaws[++flawed])
      faults.add(flaw.line, "", null, flaw.reason);
    maker.add(line, readRow(values, options));
  }
  for (const { line, reason } of flaws.slice(flawed)) faults.add(line, "", null, reason);
  const field = username ?? (2 * maker.withPhone > table.rows.length ? "phone" : "email");
  const { profiles, at } = maker;
  const left = table.left === undefined ? [] : [`Other lists are left out: ${leftWords(table.left)}.`];
  const notices = [...left, ...maker.notices(field)];
  const once = yield* onceEach(profiles, at, { field, duplicates, faults });
  return {
    columns,
    username: field,
    rows: table.rows.length,
    profiles: once.profiles,
    at: once.at,
    faults: faults.faults,
    notices: [...notices, ...once.notices],
    lacksCountry: faults.has(NATIONAL),
    contradictions: once.contradictions,
    remedies: [
      ...remediesFor(faults, rules, profiles),
      ...(once.contradictions === 0
        ? []
        : ["To take one of the rows that differ about a user, add --duplicates first, or last."]),
    ],
  };
}

/** @returns whether a user has a phone or an email. */
export const isReachable = ({ phone, email }: FixtureProfile): boolean => (phone ?? email ?? null) !== null;

const HOW_TO_MAP = 'Say which is which with --map "Column=phone".';

/** A text that holds no users, or options that do not fit it. */
export type NoPeople = { readonly kind: "fixtures" } | { readonly kind: "none"; readonly why: string };

/** Text that was recognised: it can be read again with other options. */
export type FoundTable = Extract<TextFound, { kind: "table" }>;

/** @param text without BOM. @returns what it is. */
export const findTable = async (text: string, pause?: Pause): Promise<TextFound> =>
  await finished(readTable(text), pause);

/** Reads the users of a table. @returns them; or why there are none, to follow the name of the file. */
export const peopleOf = async (
  { table, linesOf }: FoundTable,
  options: PeopleOptions,
  pause?: Pause,
): Promise<People | NoPeople> => {
  const columns = await finished(columnsOf(table, options), pause);
  if ("wrong" in columns) return { kind: "none", why: `: ${columns.wrong}.` };
  const named = table.columns.slice(0, 20).map(shortened).join(", ");
  if (!columns.some(({ target }) => IDENTITY.includes(target))) {
    const isTable = table.columns.length > 1 && table.columns.every((name) => /^[^.!?]{1,60}$/.test(name));
    if (!isTable || options.canMap !== true)
      return {
        kind: "none",
        why: isTable
          ? ` has no column that is a name, phone or email (columns: ${named}). ${HOW_TO_MAP}`
          : ` is not a file that Stagedoor reads: ${READABLE}.`,
      };
  }
  const places = phonePlaces(columns);
  let rules: PhoneRules | undefined;
  let countries: Countries | undefined;
  if (options.country !== undefined || (await finished(needsRules(table, places), pause))) {
    const [phones, named] = await Promise.all([import("./phone-rules.ts"), import("./countries.ts")]);
    const home = phones.homeOf(options.country ?? "");
    if (options.country !== undefined && home === undefined)
      return { kind: "none", why: `: "${options.country}" is not a country. Use a code such as US or DE.` };
    rules = new phones.PhoneRules(home, wholeNumbers(table, places));
    countries = new named.Countries();
  }
  const context = {
    table,
    columns,
    keepsRest: options.rest !== "drop",
    rules,
    countries,
    isLenient: options.isLenient ?? false,
    ...(options.duplicates !== undefined && { duplicates: options.duplicates }),
  };
  const { at, faults, ...read } = await finished(peopleIn(context, options.username), pause);
  if (options.canMap !== true && faults.total === 0 && !read.profiles.some(isReachable))
    return { kind: "none", why: ` has no row with a phone or an email (columns: ${named}). ${HOW_TO_MAP}` };
  const lines = linesOf(faults.first.flatMap(({ line, also = line }) => [line, also]));
  const first = faults.first
    .map(({ also, ...fault }, i) => ({
      ...fault,
      line: lines[2 * i] ?? 1,
      ...(also !== undefined && { reason: fault.reason.replace(EARLIER, `line ${lines[2 * i + 1] ?? 1}`) }),
    }))
    .sort((a, b) => a.line - b.line);
  return {
    ...read,
    form: table.form,
    faults: { ...faults, first },
    lines: (places) => linesOf(places.map((place) => at[place] ?? 0)),
  };
};

/** Reads users from a text. @param text without BOM. */
export const readPeople = async (text: string, options: PeopleOptions, pause?: Pause): Promise<People | NoPeople> => {
  const found = await findTable(text, pause);
  if (found.kind !== "table") return found.kind === "none" ? { kind: "none", why: ` ${found.why}` } : found;
  return await peopleOf(found, options, pause);
};
