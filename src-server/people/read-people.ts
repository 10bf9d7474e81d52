/**
 * Users from whatever file people have: one reading for the command line, fixtures and the window.
 */

import type { ReadAs } from "#contract/control/fixture-source.ts";
import type { FixtureProfile } from "#contract/control/state.ts";
import type { UsernameField } from "#contract/service/strategies.ts";
import { finish, inSteps, type Steps } from "#contract/steps.ts";
import { columnsOf, type PeopleColumn } from "./columns.ts";
import { AMBIGUOUS, type FaultList, NATIONAL, type RowFaults, shortened } from "./faults.ts";
import { EARLIER, onceEach } from "./once-each.ts";
import { PeopleMaker } from "./people-maker.ts";
import { MOST_LOOKED_AT, needsRules, phonePlaces, wayOf, wholeNumbers } from "./phone-columns.ts";
import type { PhoneRules } from "./phone-rules.ts";
import { READABLE, readTable, type TextFound } from "./read-table.ts";
import { columnPlan, type RowOptions, readRow } from "./row-reader.ts";
import { leftWords, type Table } from "./table.ts";

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

/** Does long work, so that others can run between its steps. */
export type Work = <T>(steps: Steps<T>) => Promise<T>;
const atOnce: Work = async (steps) => finish(steps);

const IDENTITY: readonly string[] = ["name", "firstName", "lastName", "phone", "email", "userId", "login"];

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
function* peopleIn(
  table: Table,
  columns: readonly PeopleColumn[],
  rules: PhoneRules | undefined,
  { username, rest, isLenient = false, duplicates }: PeopleOptions,
): Steps<ReadPeople> {
  const usual: RowOptions = { plan: columnPlan(columns, rest !== "drop"), isText: table.isText, rules };
  const options = { ...usual, way: yield* wayOf(table, phonePlaces(columns), usual) };
  const maker = new PeopleMaker(isLenient);
  const { faults } = maker;
  const { flaws } = table;
  let flawed = 0;
  yield* inSteps(table.rows, ({ line, values }) => {
    for (let flaw = flaws[flawed]; flaw !== undefined && flaw.line < line; flaw = flaws[++flawed])
      faults.add(flaw.line, "", null, flaw.reason);
    maker.add(line, readRow(values, options));
  });
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
export const findTable = (text: string, work = atOnce): Promise<TextFound> => work(readTable(text));

/** Reads the users of a table. @returns them; or why there are none, to follow the name of the file. */
export const peopleOf = async (
  { table, linesOf }: FoundTable,
  options: PeopleOptions,
  work = atOnce,
): Promise<People | NoPeople> => {
  const columns = await work(columnsOf(table, options));
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
  if (options.country !== undefined || (await work(needsRules(table, places)))) {
    const phones = await import("./phone-rules.ts");
    const home = phones.homeOf(options.country ?? "");
    if (options.country !== undefined && home === undefined)
      return { kind: "none", why: `: "${options.country}" is not a country. Use a code such as US or DE.` };
    rules = new phones.PhoneRules(home, wholeNumbers(table, places));
  }
  const { at, faults, ...read } = await work(peopleIn(table, columns, rules, options));
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
