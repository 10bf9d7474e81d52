/** Checks the lists of a world entry by entry, so that others can run in between. */
import {
  type FixtureProfile,
  fixtureConnection,
  fixtureProfile,
  knownInState,
  profileSchema,
} from "#contract/control/state.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "#contract/scalars.ts";
import { passcodeRecord, sessionRecord } from "#contract/service/records.ts";
import { inSteps, type Steps } from "#contract/steps.ts";
import { type FieldErrors, fieldErrors } from "#contract/validation.ts";
import { MOST_NAMED } from "#people/faults.ts";
import { parseWhole } from "./parse-whole.ts";

/** The lists of an app, and the schemas of their entries. */
const SCHEMAS = {
  profiles: fixtureProfile,
  connections: fixtureConnection,
  passcodes: passcodeRecord,
  sessions: sessionRecord,
} as const;
/** The name of a list. */
export type ListName = keyof typeof SCHEMAS;

/** @returns whether it is the name of a list. */
export const isListName = (name: string): name is ListName => Object.hasOwn(SCHEMAS, name);

/** Lists of profiles that were checked before, as those of a file of users. */
const checkedLists = new WeakMap<object, EntryList>();

/** The entries of a list, in order, and their errors. */
export class EntryList {
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

  constructor(name: ListName) {
    this.name = name;
    this.isStrict = name === "profiles";
  }

  /** Checks more entries, with pauses. */
  *addInSteps(values: readonly JsonValue[]): Steps<void> {
    yield* inSteps(values, (value) => this.#add(value));
  }

  /** @param profiles which its schema has made. @param areStrict whether they fit the rules of every app. */
  static ofProfiles(profiles: readonly FixtureProfile[], areStrict: boolean): EntryList {
    const list = new EntryList("profiles");
    list.entries = [...profiles];
    list.isStrict = areStrict;
    return list;
  }

  #add(value: JsonValue): void {
    const strict = this.isStrict ? profileSchema(value, true).safeParse(value) : undefined;
    if (strict?.success === false) this.isStrict = false;
    const schema = this.name === "profiles" ? profileSchema(value, false) : SCHEMAS[this.name];
    const parsed = strict?.success === true ? strict : schema.safeParse(value);
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

/** Remembers that the profiles of a list need no check. @returns the list, as a world has it. */
export const checkedProfiles = (profiles: readonly FixtureProfile[], areStrict: boolean): readonly JsonValue[] => {
  // Safe: each was read from JSON.
  const list = profiles as readonly unknown[] as readonly JsonValue[];
  checkedLists.set(list, EntryList.ofProfiles(profiles, areStrict));
  return list;
};

/** @returns the entries of a list, checked now unless they already are. */
export function* checkedList(name: ListName, list: readonly JsonValue[]): Steps<EntryList> {
  const checked = checkedLists.get(list);
  if (checked !== undefined) return checked;
  const entries = new EntryList(name);
  yield* entries.addInSteps(list);
  return entries;
}
