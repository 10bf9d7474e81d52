/** Checks the lists of a world entry by entry, so that a large one can be checked while it arrives. */

import {
  type FixtureProfile,
  fixtureConnection,
  fixtureProfile,
  knownInState,
  strictFixtureProfile,
} from "#contract/control/state.ts";
import { frozen } from "#contract/frozen.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "#contract/scalars.ts";
import { passcodeRecord, sessionRecord } from "#contract/service/records.ts";
import { type FieldErrors, fieldErrors } from "#contract/validation.ts";
import { MOST_NAMED } from "#people/faults.ts";
import { inSteps, type Steps } from "../steps.ts";
import { parseWhole } from "./parse-whole.ts";

/** The lists of an app, and the schemas of their entries. */
const SCHEMAS = frozen({
  profiles: fixtureProfile,
  connections: fixtureConnection,
  passcodes: passcodeRecord,
  sessions: sessionRecord,
} as const);
/** The name of a list. */
export type ListName = keyof typeof SCHEMAS;

/** @returns whether it is the name of a list. */
export const isListName = (name: string): name is ListName => Object.hasOwn(SCHEMAS, name);

/** Lists in a world whose entries were checked while they arrived: each is empty, or has what they were made of. */
const checkedLists = new WeakMap<object, EntryList>();

/** The entries of a list, in order, and their errors. */
export class EntryList {
  /** Stands for them in the world. */
  readonly list: readonly JsonValue[];
  readonly name: ListName;
  /** Invalid values have stand-ins. Undefined if that is impossible: then the list is not imported, even for a trial. */
  entries: unknown[] | undefined = [];
  /** The errors by path in the list, such as `[3].phone`. */
  readonly errors: FieldErrors = {};
  /** How many invalid entries there are beyond those whose errors are named. */
  more = 0;
  /** Whether these are profiles whose formats the rules of every app accept. */
  isStrict: boolean;
  #count = 0;
  #invalid = 0;

  /** @param madeOf what the entries are made of, for those who read the world itself. */
  constructor(name: ListName, madeOf: readonly JsonValue[] = []) {
    this.name = name;
    this.list = [...madeOf];
    checkedLists.set(this.list, this);
    this.isStrict = name === "profiles";
  }

  /** Checks more entries. */
  add(values: readonly JsonValue[]): void {
    for (const value of values) this.#add(value);
  }

  /** Checks more entries, with pauses. */
  *addInSteps(values: readonly JsonValue[]): Steps<void> {
    yield* inSteps(values, (value) => this.#add(value));
  }

  /** Adds profiles that its schema has made. @param areStrict whether they fit the rules of every app. */
  addProfiles(profiles: readonly FixtureProfile[], areStrict: boolean): void {
    for (const profile of profiles) this.entries?.push(profile);
    this.#count += profiles.length;
    if (!areStrict) this.isStrict = false;
  }

  #add(value: JsonValue): void {
    const strict = this.isStrict ? strictFixtureProfile.safeParse(value) : undefined;
    if (strict?.success === false) this.isStrict = false;
    const parsed = strict?.success === true ? strict : SCHEMAS[this.name].safeParse(value);
    if (parsed.success) this.entries?.push(parsed.data);
    else
      this.#addInvalid(
        value,
        new Set(
          parsed.error.issues.flatMap((issue) =>
            issue.code === "unrecognized_keys" && issue.path.length === 0 ? issue.keys : issue.path.slice(0, 1),
          ),
        ),
      );
    this.#count += 1;
  }

  /** @param wrong the keys of an object whose values are. Of the first ones the errors are named, of others counted. */
  #addInvalid(value: JsonValue, wrong: ReadonlySet<PropertyKey>): void {
    const isNamed = this.#invalid < MOST_NAMED;
    this.#invalid += 1;
    if (!isNamed) this.more += 1;
    if (this.name !== "profiles" || !isJsonObject(value)) {
      if (isNamed) this.#addRepaired(value);
      else this.entries = undefined;
      return;
    }
    if (isNamed) this.#nameErrors(value);
    const rest = Object.fromEntries(Object.entries(value).filter(([key]) => !wrong.has(key)));
    const kept = fixtureProfile.safeParse(rest);
    this.entries?.push(kept.success ? kept.data : {});
  }

  /** Names the errors of a profile, without the price of a repair: there may be a hundred in a row. */
  #nameErrors(value: JsonObject): void {
    const { error } = fixtureProfile.safeParse(value, { reportInput: true });
    if (error === undefined) return;
    const known = (path: readonly PropertyKey[]) => knownInState(["apps", 0, this.name, 0, ...path]);
    for (const [path, texts] of Object.entries(fieldErrors(error, { known })))
      this.errors[`[${this.#count}]${path === "base" ? "" : `.${path}`}`] = texts;
  }

  #addRepaired(value: JsonValue): void {
    const { state, errors } = parseWhole({ apps: [{ appId: "one", [this.name]: [value] }] });
    const start = `apps[0].${this.name}[0]`.length;
    for (const [path, texts] of Object.entries(errors)) this.errors[`[${this.#count}]${path.slice(start)}`] = texts;
    const repaired: readonly unknown[] | undefined = state.apps[0]?.[this.name];
    if (repaired === undefined) this.entries = undefined;
    else this.entries?.push(...repaired);
  }
}

/** @returns the entries of a list, checked now unless they already are. */
export function* checkedList(name: ListName, list: readonly JsonValue[]): Steps<EntryList> {
  const checked = checkedLists.get(list);
  if (checked !== undefined) return checked;
  const entries = new EntryList(name);
  yield* entries.addInSteps(list);
  return entries;
}
