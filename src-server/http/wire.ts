/** Converts the app's wire shape to the one that the rules use (D20, D21). */
import { DEFAULT_SETTINGS, effectiveSettings } from "#contract/effective-settings.ts";
import { invalid, type Problem, problem } from "#contract/problems.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "#contract/scalars.ts";
import type { SessionRequest } from "#domain/sessions.ts";
import type { Store } from "#domain/store.ts";
import type { AppWorld, World } from "#domain/world.ts";

/** Where a body has the app id. */
interface Place {
  readonly envelope: string | null;
  readonly appIdField: string;
}

const own = (object: JsonObject, key: string): JsonValue | undefined =>
  Object.hasOwn(object, key) ? object[key] : undefined;

const samePlace = (a: Place, b: Place): boolean => a.envelope === b.envelope && a.appIdField === b.appIdField;
const placeOf = (app: AppWorld): Place => effectiveSettings(app.app.settings).wire;

/** @returns the object inside the envelope. */
const open = (body: JsonObject, { envelope }: Place): JsonObject | undefined => {
  if (envelope === null) return body;
  const inside = own(body, envelope);
  return isJsonObject(inside) ? inside : undefined;
};

/** The combined wire settings of all apps, for bodies whose app is not known yet. */
interface AllApps {
  /** The distinct places in use, default first. */
  readonly places: readonly Place[];
  /** The status for an unknown app, from the oldest app that sets one (D27). */
  readonly unknownAppStatus: number;
}

/** Cached, so that no request scans all apps. */
const createAllApps = (store: Store): (() => AllApps) => {
  let all: AllApps | undefined;
  store.watch((changes) => {
    if (changes.some(({ change }) => ("put" in change ? change.put === "app" : change.remove === "app")))
      all = undefined;
  });
  return () => {
    if (all !== undefined) return all;
    const places: Place[] = [DEFAULT_SETTINGS.wire];
    for (const app of store.world.apps) {
      const place = placeOf(app);
      if (!places.some((known) => samePlace(known, place))) places.push(place);
    }
    const own = store.world.apps.find(({ app }) => app.settings.unknownAppStatus !== undefined);
    all = { places, unknownAppStatus: effectiveSettings(own?.app.settings ?? {}).unknownAppStatus };
    return all;
  };
};

const PASSCODE_LIKE = ["passcode", "otp", "code", "oneTimePasscode", "one_time_passcode", "pass_code", "pin", "token"];

const atPath = (object: JsonObject, path: string): JsonValue | undefined => {
  const [first = "", second] = path.split(".");
  const value = own(object, first);
  if (second === undefined) return value;
  return isJsonObject(value) ? own(value, second) : undefined;
};

const lookAlike = (inside: JsonObject, user: JsonValue | undefined): string | undefined =>
  PASSCODE_LIKE.find((name) => Object.hasOwn(inside, name)) ??
  (isJsonObject(user) ? PASSCODE_LIKE.find((name) => Object.hasOwn(user, name)) : undefined);

const USER_FIELDS = new Set(["phone", "email", "name"]);

const ignored = (app: AppWorld, body: JsonObject, inside: JsonObject, user: JsonValue | undefined): string[] => {
  const { envelope, appIdField, userField, passcodeField } = effectiveSettings(app.app.settings).wire;
  const [passcodeRoot = "", passcodeLeaf] = passcodeField.split(".");
  const known = new Set([appIdField, passcodeRoot, ...(userField === null ? USER_FIELDS : [userField])]);
  const outer = envelope === null ? [] : Object.keys(body).filter((key) => key !== envelope);
  const inner = Object.keys(inside).filter((key) => !known.has(key));
  const ofUser =
    userField === null || !isJsonObject(user)
      ? []
      : Object.keys(user).filter(
          (key) => !USER_FIELDS.has(key) && !(passcodeRoot === userField && key === passcodeLeaf),
        );
  return [
    ...outer,
    ...inner.map((key) => (envelope === null ? key : `${envelope}.${key}`)),
    ...ofUser.map((key) => `${userField}.${key}`),
  ];
};

const readRequest = (app: AppWorld, body: JsonObject): SessionRequest => {
  const { wire } = effectiveSettings(app.app.settings);
  const inside = open(body, wire) ?? {};
  const user = wire.userField === null ? inside : own(inside, wire.userField);
  const passcode = atPath(inside, wire.passcodeField);
  const found = passcode === undefined ? lookAlike(inside, user) : undefined;
  return {
    user,
    passcode,
    names: { user: wire.userField ?? "user", passcode: wire.passcodeField.split(".").at(-1) ?? "passcode" },
    ignoredFields: ignored(app, body, inside, user),
    ...(found === undefined ? {} : { lookAlike: found }),
  };
};

/** The app of a body, and the normalised request. */
type ReadWire = { readonly app: AppWorld; readonly request: SessionRequest } | { readonly problem: Problem };

const findApp = (
  world: World,
  body: JsonObject,
  { places, unknownAppStatus }: AllApps,
): { readonly app: AppWorld } | { readonly problem: Problem } => {
  const found = new Set<AppWorld>();
  let sawId: string | undefined;
  let sawOther: string | undefined;
  for (const place of places) {
    const inside = open(body, place);
    const id = inside === undefined ? undefined : own(inside, place.appIdField);
    if (id === undefined || id === null) continue;
    if (typeof id !== "string") {
      sawOther = place.appIdField;
      continue;
    }
    sawId ??= place.appIdField;
    const app = world.app(id);
    if (app !== undefined && samePlace(placeOf(app), place)) found.add(app);
  }
  const [app, second] = found;
  if (second !== undefined) return problem("ambiguous_app");
  if (app !== undefined) return { app };
  if (sawId !== undefined) {
    const unknown = problem("unknown_app");
    if (unknownAppStatus === 401) return unknown;
    return { problem: { ...unknown.problem, status: unknownAppStatus, fields: { [sawId]: ["is unknown"] } } };
  }
  return invalid({
    [sawOther ?? DEFAULT_SETTINGS.wire.appIdField]: [sawOther === undefined ? "can't be blank" : "must be a string"],
  });
};

/** Reads the body of a session request. */
export type WireReader = (body: JsonObject) => ReadWire;

/** @returns the reader of session requests: the app whose own shape leads to its own id (D21); D27 if none. */
export const createWireReader = (store: Store): WireReader => {
  const all = createAllApps(store);
  return (body) => {
    const found = findApp(store.world, body, all());
    return "problem" in found ? found : { app: found.app, request: readRequest(found.app, body) };
  };
};
