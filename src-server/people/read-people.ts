/**
 * Users from whatever file people have: one reading for the command line, fixtures and the window.
 */

import type { ReadAs } from "#contract/control/fixture-source.ts";
import { type FixtureProfile, fixtureProfile, strictFixtureProfile } from "#contract/control/state.ts";
import { frozen } from "#contract/frozen.ts";
import type { JsonObject, JsonValue } from "#contract/scalars.ts";
import { USERNAMES, type UsernameField } from "#contract/service/strategies.ts";
import { fieldErrors } from "#contract/validation.ts";
import { isPhone, phoneValue } from "#contract/words/phone-words.ts";
import { counted, many } from "#contract/words/words.ts";
import { columnsOf, type PeopleColumn } from "./columns.ts";
import { FaultList, NATIONAL, type RowFaults, shortened } from "./faults.ts";
import { cutWords, fitted } from "./fitted.ts";
import { EARLIER, onceEach } from "./once-each.ts";
import type { PhoneRules } from "./phone-rules.ts";
import { READABLE, readTable, type TextFound } from "./read-table.ts";
import { columnPlan, readRow } from "./row-reader.ts";
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
  /** Rows that are refused because they differ from an earlier one about the same user. */
  readonly contradictions: number;
}

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

const IDENTITY = frozen<readonly string[]>(["name", "firstName", "lastName", "phone", "email", "userId"]);

/** Targets whose numbers may need the rules of their country. */
const PHONES: ReadonlySet<string> = frozen(new Set(["phone"]));
/** Fields whose form a lenient app does not check. */
const CONTACTS: ReadonlySet<string> = frozen(new Set(Object.keys(USERNAMES)));

function* needsRules(table: Table, columns: readonly PeopleColumn[]): Stepwise<boolean> {
  const phones = columns.flatMap(({ target }, i) => (PHONES.has(target) ? [i] : []));
  const needs = (value: JsonValue | undefined): boolean => {
    const text = textOf(value);
    return text !== undefined && !isPhone(phoneValue(text));
  };
  for (const [at, { values }] of table.rows.entries()) {
    if (phones.some((i) => needs(values[i]))) return true;
    if (at % STEP === STEP - 1) yield undefined;
  }
  return false;
}

interface Context extends Pick<PeopleOptions, "isLenient" | "duplicates"> {
  readonly table: Table;
  readonly columns: readonly PeopleColumn[];
  readonly keepsRest: boolean;
  readonly rules: PhoneRules | undefined;
}

const valueAt = (profile: JsonObject, field: string): string | null => {
  const value: JsonValue | undefined = profile[field.split(/[.[]/)[0] ?? ""];
  return value === undefined || field.startsWith("metadata")
    ? null
    : typeof value === "string"
      ? value
      : JSON.stringify(value);
};

/** Reads the rows. */
function* peopleIn(
  { table, columns, keepsRest, rules, isLenient, duplicates }: Context,
  username: UsernameField | undefined,
): Stepwise<Omit<People, "form" | "lines"> & { readonly at: readonly number[] }> {
  const plan = columnPlan(columns, keepsRest);
  const faults = new FaultList();
  const profiles: FixtureProfile[] = [];
  const at: number[] = [];
  const cut: number[] = [];
  const unread = new Map<string, number>();
  const schema = isLenient === true ? fixtureProfile : strictFixtureProfile;
  let withPhone = 0;
  let lacksCountry = false;
  let flawed = 0;
  for (const [i, { line, values }] of table.rows.entries()) {
    if (i % STEP === STEP - 1) yield undefined;
    for (let flaw = table.flaws[flawed]; flaw !== undefined && flaw.line < line; flaw = table.flaws[++flawed])
      faults.add(flaw.line, "", null, flaw.reason);
    const row = readRow(values, plan, { isText: table.isText, rules });
    const { profile, metadata } = row;
    for (const { name } of row.unread) unread.set(name, (unread.get(name) ?? 0) + 1);
    if (row.spare.length > 0 && fitted(metadata, row.spare)) cut.push(line);
    const hasMetadata = Object.keys(metadata).length > 0;
    if (hasMetadata) profile["metadata"] = metadata;
    let isWrong = false;
    if (profile["phone"] !== undefined) withPhone += 1;
    for (const { field, given, wrong } of row.wrong) {
      if (PHONES.has(field)) withPhone += 1;
      if (isLenient === true && CONTACTS.has(field)) {
        profile[field] = given;
        continue;
      }
      if (wrong === NATIONAL) lacksCountry = true;
      faults.add(line, field, given, wrong);
      isWrong = true;
    }
    const { name, phone, email, userId } = profile;
    const isNobody = [name, phone, email, userId].every((value) => value === undefined);
    if (isNobody && !hasMetadata) continue;
    const parsed = schema.safeParse(profile, { reportInput: true });
    if (!parsed.success) {
      for (const [field, [reason = ""]] of Object.entries(fieldErrors(parsed.error)))
        faults.add(line, field, valueAt(profile, field), reason);
      isWrong = true;
    }
    if (isWrong || !parsed.success) continue;
    profiles.push(parsed.data);
    at.push(line);
  }
  for (const { line, reason } of table.flaws.slice(flawed)) faults.add(line, "", null, reason);
  const field = username ?? (2 * withPhone > table.rows.length ? "phone" : "email");
  const notices: string[] = [];
  if (table.left !== undefined) notices.push(`Other lists are left out: ${leftWords(table.left)}.`);
  for (const [name, count] of unread)
    notices.push(`${many(count, "time")} in "${shortened(name)}" could not be read as such, and is kept as text.`);
  if (cut.length > 0) notices.push(cutWords(many(cut.length, "row")));
  const nameless = profiles.filter((profile) => (profile[field] ?? null) === null).length;
  if (nameless > 0)
    notices.push(
      `${counted(nameless)} of ${many(profiles.length, "user")} ${nameless === 1 ? "has" : "have"} no ${field}, by which users of this app sign in.`,
    );
  const once = yield* onceEach(profiles, at, { field, duplicates, faults });
  return {
    columns,
    username: field,
    rows: table.rows.length,
    profiles: once.profiles,
    at: once.at,
    faults: faults.faults,
    notices: [...notices, ...once.notices],
    lacksCountry,
    contradictions: once.contradictions,
  };
}

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
  if (!columns.some(({ target }) => IDENTITY.includes(target))) {
    const names = table.columns.slice(0, 20).map(shortened).join(", ");
    const isTable = table.columns.length > 1 && table.columns.every((name) => /^[^.!?]{1,60}$/.test(name));
    return {
      kind: "none",
      why: isTable
        ? ` has no column that is a name, phone or email (columns: ${names}). Say which is which with --map "Column=phone".`
        : ` is not a file that Stagedoor reads: ${READABLE}.`,
    };
  }
  let rules: PhoneRules | undefined;
  if (options.country !== undefined || (await finished(needsRules(table, columns), pause))) {
    const { phoneRules } = await import("./phone-rules.ts");
    rules = phoneRules(options.country);
    if (rules === undefined)
      return { kind: "none", why: `: "${options.country}" is not a country. Use a code such as US or DE.` };
  }
  const context = {
    table,
    columns,
    keepsRest: options.rest !== "drop",
    rules,
    isLenient: options.isLenient ?? false,
    ...(options.duplicates !== undefined && { duplicates: options.duplicates }),
  };
  const { at, faults, ...read } = await finished(peopleIn(context, options.username), pause);
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
