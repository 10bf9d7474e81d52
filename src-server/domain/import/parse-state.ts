/**
 * Validates the shape of a world as written. The well-formed part is imported as a trial, so that one response has both
 * shape errors and rule errors.
 */

import { appsWithShared, type FixtureApp, type FixtureProfile, OTHER_FORMS } from "#contract/control/state.ts";
import { isJsonArray, isJsonObject, type JsonDraft, type JsonValue } from "#contract/scalars.ts";
import { finish, type Steps } from "#contract/steps.ts";
import { type FieldErrors, mergeErrors } from "#contract/validation.ts";
import { checkedList, type EntryList, isListName } from "./entry-list.ts";
import { FewErrors, moreText } from "./few-errors.ts";
import { parseWhole, type WholeState } from "./parse-whole.ts";

/** A world to import and its shape errors by path. With errors it is only imported as a trial. */
export interface ParsedState extends WholeState {
  /** The lists of profiles whose formats the rules of every app accept. */
  readonly strict: ReadonlySet<readonly FixtureProfile[]>;
  /** Whether its profiles are rows of people, of which so much metadata is taken as fits with what the user has. */
  readonly fit?: boolean;
}

/** @returns the path of the connection, passcode or session that contains a path. */
const recordOf = (path: string): string | undefined =>
  /^apps\[\d+\]\.(?:connections|passcodes|sessions)\[\d+\]/.exec(path)?.[0];

/** @returns the shape errors and rule errors; a record with shape errors is not checked against the rules. */
export const allErrors = (ofForm: FieldErrors, ofRules: FieldErrors): FieldErrors => {
  const incomplete = new Set(Object.keys(ofForm).map(recordOf));
  incomplete.delete(undefined);
  const few = new FewErrors();
  few.addAll(ofForm);
  few.addAll(Object.fromEntries(Object.entries(ofRules).filter(([path]) => !incomplete.has(recordOf(path)))));
  return few.errors;
};

/** @returns the app with empty lists, and the lists. */
function* takeLists(app: JsonValue): Steps<{ readonly rest: JsonValue; readonly lists: readonly EntryList[] }> {
  if (!isJsonObject(app)) return { rest: app, lists: [] };
  const lists: EntryList[] = [];
  const rest: JsonDraft = { ...app };
  for (const [name, list] of Object.entries(app)) {
    if (!isListName(name) || !isJsonArray(list)) continue;
    lists.push(yield* checkedList(name, list));
    rest[name] = [];
  }
  return { rest, lists };
}

/** @returns the app with these lists; without those that cannot be imported. */
const withLists = (app: FixtureApp, lists: readonly EntryList[]): FixtureApp => {
  const names = new Set(lists.map(({ name }) => name));
  const rest = Object.entries(app).filter(([name]) => !(isListName(name) && names.has(name)));
  const given = lists.flatMap(({ name, entries }) => (entries === undefined ? [] : [[name, entries] as const]));
  // Safe: the entries were parsed with the schemas of their lists.
  return Object.fromEntries([...rest, ...given]) as FixtureApp;
};

/** What to do with a list of users, which is no world. */
const NO_WORLD = `must be a world, {"apps": […]}; ${OTHER_FORMS}`;

/** @returns whether it is something else than a world: a list or a text, or a list under another key. */
const holdsOthers = (raw: unknown): boolean =>
  raw !== undefined &&
  (!isJsonObject(raw) || (raw["apps"] === undefined && Object.values(raw).some((value) => Array.isArray(value))));

/** @param raw parsed JSON; an error of the whole value is under `state`. */
export function* parseSteps(raw: unknown): Steps<ParsedState> {
  const given = isJsonObject(raw) ? appsWithShared(raw) : undefined;
  const apps: { readonly rest: JsonValue; readonly lists: readonly EntryList[] }[] | undefined =
    given === undefined ? undefined : [];
  for (const app of given ?? []) apps?.push(yield* takeLists(app));
  const whole = parseWhole(
    isJsonObject(raw) && apps !== undefined ? { ...raw, apps: apps.map(({ rest }) => rest) } : raw,
  );
  const errors: FieldErrors = {};
  for (const [i, { lists }] of (apps ?? []).entries())
    for (const list of lists) {
      const at = `apps[${i}].${list.name}`;
      for (const [path, texts] of Object.entries(list.errors)) errors[`${at}${path}`] = texts;
      if (list.more > 0) errors[at] = [moreText(list.more)];
    }
  const state = { ...whole.state, apps: whole.state.apps.map((app, i) => withLists(app, apps?.[i]?.lists ?? [])) };
  const strict = (apps ?? []).flatMap(({ lists }, i) =>
    lists.some(({ isStrict }) => isStrict) ? [state.apps[i]?.profiles ?? []] : [],
  );
  const other: FieldErrors = holdsOthers(raw) ? { [isJsonObject(raw) ? "apps" : "state"]: [NO_WORLD] } : {};
  return { state, errors: mergeErrors(whole.errors, other, errors), strict: new Set(strict) };
}

/** As `parseSteps`, at once. */
export const parseState = (raw: unknown): ParsedState => finish(parseSteps(raw));
