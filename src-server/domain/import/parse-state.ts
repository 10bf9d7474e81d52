/**
 * Validates the form of a world as written, its lists entry by entry, so that others can run in between. What is left
 * of an invalid world is imported as a trial, so that one response has the errors of form and those of the rules.
 */
import {
  appsWithShared,
  type FixtureApp,
  type FixtureProfile,
  fixtureConnection,
  fixtureProfile,
  knownInState,
  OTHER_FORMS,
  profileSchema,
  stateErrors,
  type WorldState,
  worldState,
} from "#contract/control/state.ts";
import { isJsonArray, isJsonObject, type JsonValue } from "#contract/scalars.ts";
import { passcodeRecord, sessionRecord } from "#contract/service/records.ts";
import { finish, inSteps, type Steps } from "#contract/steps.ts";
import { fieldErrors, pathText } from "#contract/validation.ts";
import { FewErrors } from "./few-errors.ts";

/** A world to import and the errors of its form. With errors it is only imported as a trial. */
export interface ParsedState {
  readonly state: WorldState;
  readonly errors: FewErrors;
  /** Whether its profiles are rows of people, of which so much metadata is taken as fits with what the user has. */
  readonly fit?: boolean;
}

/** The lists of an app, and the schemas of their entries. */
const LISTS = {
  profiles: fixtureProfile,
  connections: fixtureConnection,
  passcodes: passcodeRecord,
  sessions: sessionRecord,
} as const;
type ListName = keyof typeof LISTS;
const isListName = (name: string): name is ListName => Object.hasOwn(LISTS, name);

/** Lists of profiles that need no further check, and whether the rules of every app accept their formats. */
const checkedLists = new WeakMap<object, boolean>();

/** Remembers that profiles need no check, as those of a file of users. @returns the list, as a world has it. */
export const checkedProfiles = (profiles: readonly FixtureProfile[], areStrict: boolean): readonly JsonValue[] => {
  checkedLists.set(profiles, areStrict);
  // Safe: each was read from JSON.
  return profiles as readonly unknown[] as readonly JsonValue[];
};

/** @returns whether the rules of every app accept the formats of all these profiles. */
export const areStrict = (profiles: readonly FixtureProfile[]): boolean => checkedLists.get(profiles) === true;

/** @returns an invalid entry without its wrong fields; undefined if it is nothing without them. */
const repaired = (name: ListName, value: JsonValue, wrong: ReadonlySet<PropertyKey>): unknown => {
  const kept = isJsonObject(value) ? Object.entries(value).filter(([key]) => !wrong.has(key)) : [];
  const standIn = name === "connections" ? { name: "unnamed" } : {};
  return LISTS[name].safeParse({ ...standIn, ...Object.fromEntries(kept) }).data;
};

/** @returns the entries of a list; undefined if it cannot be imported, not even for a trial. */
function* entriesOf(
  name: ListName,
  list: readonly JsonValue[],
  path: string,
  errors: FewErrors,
): Steps<readonly unknown[] | undefined> {
  if (checkedLists.has(list)) return list;
  let entries: unknown[] | undefined = [];
  let isStrict = name === "profiles";
  yield* inSteps(list, (value, place) => {
    const strict = isStrict ? profileSchema(value, true).safeParse(value) : undefined;
    isStrict = strict?.success === true;
    const schema = name === "profiles" ? profileSchema(value, false) : LISTS[name];
    const parsed = strict?.success === true ? strict : schema.safeParse(value);
    if (parsed.success) {
      entries?.push(parsed.data);
      return;
    }
    const at = `${path}[${place}]`;
    const isNamed = errors.names(at);
    if (isNamed) {
      const { error = parsed.error } = LISTS[name].safeParse(value, { reportInput: true });
      errors.addAll(fieldErrors(error, { known: (below) => knownInState(["apps", 0, name, 0, ...below]) }), at);
    }
    const wrong = parsed.error.issues.flatMap((issue) =>
      issue.code === "unrecognized_keys" && issue.path.length === 0 ? issue.keys : issue.path.slice(0, 1),
    );
    const rest = isNamed || name === "profiles" ? repaired(name, value, new Set(wrong)) : undefined;
    if (rest === undefined) entries = undefined;
    else entries?.push(rest);
  });
  if (entries !== undefined) checkedLists.set(entries, isStrict);
  return entries;
}

/** A copy of parsed JSON, which is repaired in place. */
type Draft = string | number | boolean | null | Draft[] | { [key: string]: Draft };
type Container = Exclude<Draft, string | number | boolean | null>;
const isContainer = (value: Draft | undefined): value is Container => typeof value === "object" && value !== null;

/** Removes or replaces the invalid value at a path; list positions do not shift. */
const repair = (world: Draft, path: readonly PropertyKey[]): void => {
  const key = path.at(-1);
  let parent: Draft | undefined = world;
  for (const step of path.slice(0, -1))
    parent = Array.isArray(parent) ? parent[Number(step)] : isContainer(parent) ? parent[String(step)] : undefined;
  if (key === undefined || !isContainer(parent)) return;
  if (Array.isArray(parent)) {
    const entry = parent[Number(key)];
    // An entry that cannot be repaired removes its list.
    if (isContainer(entry) && Object.keys(entry).length === 0) repair(world, path.slice(0, -1));
    else parent[Number(key)] = {};
    return;
  }
  const name = String(key);
  const place = path.at(-2);
  // A required value gets a stand-in, so that the rest of the entry can be validated.
  if (name === "appId" && typeof place === "number") parent[name] = `app-${place}`;
  else if (Object.hasOwn(parent, name)) delete parent[name];
  else repair(world, path.slice(0, -1));
};

/** After this many rounds nothing repairable is left. */
const MOST_ROUNDS = 4;

/** @param raw a world, its lists empty. @returns it, with stand-ins for the invalid values, whose errors are added. */
const parseRest = (raw: unknown, errors: FewErrors): WorldState => {
  const first = worldState.safeParse(raw, { reportInput: true });
  if (first.success) return first.data;
  const { base, ...entries } = stateErrors(first.error);
  errors.addAll(base === undefined ? entries : { state: base, ...entries });
  const rest: Draft = JSON.parse(JSON.stringify(raw) ?? "null");
  let { issues } = first.error;
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const paths = issues.flatMap((issue) =>
      issue.code === "unrecognized_keys" ? issue.keys.map((key) => [...issue.path, key]) : [issue.path],
    );
    for (const path of new Map(paths.map((path) => [pathText(path), path])).values()) repair(rest, path);
    const again = worldState.safeParse(rest);
    if (again.success) return again.data;
    ({ issues } = again.error);
  }
  return { version: 1, apps: [] };
};

/** What to do with a list of users, which is no world. */
const NO_WORLD = `must be a world, {"apps": […]}; ${OTHER_FORMS}`;

/** @returns whether it is something else than a world: a list or a text, or a list under another key. */
const holdsOthers = (raw: unknown): boolean =>
  raw !== undefined &&
  (!isJsonObject(raw) || (raw["apps"] === undefined && Object.values(raw).some((value) => Array.isArray(value))));

const listsOf = (app: JsonValue): readonly (readonly [ListName, readonly JsonValue[]])[] =>
  Object.entries(isJsonObject(app) ? app : {}).flatMap(([name, list]) =>
    isListName(name) && isJsonArray(list) ? [[name, list] as const] : [],
  );

/** @param raw parsed JSON; an error of the whole value is under `state`. */
export function* parseSteps(raw: unknown): Steps<ParsedState> {
  const errors = new FewErrors();
  const given = isJsonObject(raw) ? appsWithShared(raw) : undefined;
  const emptied = given?.map((app) =>
    isJsonObject(app) ? { ...app, ...Object.fromEntries(listsOf(app).map(([name]) => [name, []])) } : app,
  );
  const state = parseRest(isJsonObject(raw) && emptied !== undefined ? { ...raw, apps: emptied } : raw, errors);
  if (holdsOthers(raw)) errors.add(isJsonObject(raw) ? "apps" : "state", NO_WORLD);
  const lists: { readonly [C in ListName]?: unknown }[] = [];
  for (const [i, app] of (given ?? []).entries()) {
    const checked: Record<string, unknown> = {};
    for (const [name, list] of listsOf(app)) checked[name] = yield* entriesOf(name, list, `apps[${i}].${name}`, errors);
    lists.push(checked);
  }
  // Safe: the entries were parsed with the schemas of their lists.
  return { state: { ...state, apps: state.apps.map((app, i) => ({ ...app, ...lists[i] }) as FixtureApp) }, errors };
}

/** As `parseSteps`, at once. */
export const parseState = (raw: unknown): ParsedState => finish(parseSteps(raw));
