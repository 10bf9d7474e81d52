/** Converts the app's wire shape to the one that the rules use (D20, D21). */

import { isJsonObject, type JsonObject, type JsonValue } from "#contract/scalars.ts";
import { TEXTS } from "#contract/service/attributes.ts";
import { DEFAULT_SETTINGS, type EffectiveSettings, effectiveSettings } from "#contract/service/effective-settings.ts";
import { invalid, type Problem, problem, SEND_KNOWN_APP } from "#contract/service/problems.ts";
import { USERNAMES, type UsernameField, usernameField } from "#contract/service/strategies.ts";
import { PASSCODE_NAMES } from "#contract/service/wire-body.ts";
import { noApp } from "#contract/words/not-found.ts";
import type { SessionRequest } from "#domain/sessions.ts";
import type { Store } from "#domain/store.ts";
import type { AppWorld, World } from "#domain/world.ts";
import type { Named } from "./traffic/exchange.ts";

interface Place {
  readonly envelope: string | null;
  readonly appIdField: string;
}

const own = (object: JsonObject, key: string): JsonValue | undefined =>
  Object.hasOwn(object, key) ? object[key] : undefined;

const samePlace = (a: Place, b: Place): boolean => a.envelope === b.envelope && a.appIdField === b.appIdField;
const wireOf = (app: AppWorld): Place => effectiveSettings(app.app.settings).wire;

const open = (body: JsonObject, { envelope }: Place): JsonObject | undefined => {
  if (envelope === null) return body;
  const inside = own(body, envelope);
  return isJsonObject(inside) ? inside : undefined;
};

interface AllApps {
  /** The distinct places in use, default first. */
  readonly places: readonly Place[];
  /** The status for an unknown app (D27). */
  readonly unknownAppStatus: number;
}

/** @returns the status for an unknown app, from the oldest app that sets one (D27). */
export const unknownAppStatus = ({ apps }: World): EffectiveSettings["unknownAppStatus"] => {
  const first = apps.find(({ app }) => app.settings.unknownAppStatus !== undefined);
  return effectiveSettings(first?.app.settings ?? {}).unknownAppStatus;
};

/** Cached, so that no request scans all apps. */
const createAllApps = (store: Store): (() => AllApps) => {
  let all: AllApps | undefined;
  store.watch((changes) => {
    if (changes.some(({ change }) => ("put" in change ? change.put : change.remove) === "app")) all = undefined;
  });
  return () => {
    if (all !== undefined) return all;
    const places: Place[] = [DEFAULT_SETTINGS.wire];
    for (const place of store.world.apps.map(wireOf))
      if (!places.some((known) => samePlace(known, place))) places.push(place);
    all = { places, unknownAppStatus: unknownAppStatus(store.world) };
    return all;
  };
};

/** With those that can also mean something else. */
const PASSCODE_LIKE: readonly string[] = [...PASSCODE_NAMES, "pin", "token"];

const lookAlike = (inside: JsonObject, user: JsonValue | undefined): string | undefined =>
  PASSCODE_LIKE.find((name) => Object.hasOwn(inside, name)) ??
  (isJsonObject(user) ? PASSCODE_LIKE.find((name) => Object.hasOwn(user, name)) : undefined);

/** @returns the keys of an object that are not known, after the path to the object. */
const others = (object: JsonObject, known: readonly string[], path: string | null): string[] => {
  const unknown = Object.keys(object).filter((key) => !known.includes(key));
  return path === null ? unknown : unknown.map((key) => `${path}.${key}`);
};

const readRequest = (app: AppWorld, body: JsonObject): SessionRequest => {
  const { wire } = effectiveSettings(app.app.settings);
  const { envelope, appIdField, userField, passcodeField } = wire;
  const inside = open(body, wire) ?? {};
  const user = userField === null ? inside : own(inside, userField);
  const [root = "", leaf] = passcodeField.split(".");
  const outer = own(inside, root);
  const nested = isJsonObject(outer) && leaf !== undefined ? own(outer, leaf) : undefined;
  const passcode = leaf === undefined ? outer : nested;
  const found = passcode === undefined ? lookAlike(inside, user) : undefined;
  const ofUser = root === userField && leaf !== undefined ? [...TEXTS, leaf] : TEXTS;
  return {
    user,
    passcode,
    names: { user: userField ?? "user", passcode: leaf ?? root },
    unread: {
      passcode: envelope === null || root === userField ? passcodeField : `${envelope}.${passcodeField}`,
      ofUser: userField === null ? (envelope === null ? "" : `${envelope}.`) : `${userField}.`,
    },
    ignoredFields: [
      ...(envelope === null ? [] : others(body, [envelope], null)),
      ...others(inside, [appIdField, root, ...(userField === null ? TEXTS : [userField])], envelope),
      ...(userField === null || !isJsonObject(user) ? [] : others(user, ofUser, userField)),
    ],
    ...(found === undefined ? {} : { lookAlike: found }),
  };
};

/** @returns the username of a user, or else what was sent in its place; null if neither is a text. */
const usernameIn = (user: JsonValue | undefined, field: UsernameField): string | null => {
  if (!isJsonObject(user)) return null;
  const sent = own(user, field) ?? USERNAMES[field].others.map((name) => own(user, name)).find(Boolean);
  return typeof sent === "string" && sent !== "" ? sent : null;
};

const codeOf = (passcode: JsonValue | undefined): string | null =>
  typeof passcode === "string" || typeof passcode === "number" ? String(passcode) : null;

/** @returns who signs in to an app that is not known, and so has no shape of its own. */
const strangerIn = (inside: JsonObject): Named => {
  const { userField, passcodeField } = DEFAULT_SETTINGS.wire;
  const user = own(inside, userField ?? "");
  return {
    to: usernameIn(isJsonObject(user) ? user : inside, "phone"),
    typed: codeOf(own(inside, passcodeField)),
  };
};

/** Characters of an id that a response repeats; a token has more. */
const MOST_ID = 64;

/** @returns whether a response may repeat what was sent as an app id: it is no secret, and no token. */
const mayRepeat = (world: World, id: string): boolean =>
  id.length <= MOST_ID && world.appBySecret(id.trim()) === undefined;

/** @returns the app; or why there is none, and the object that should have its id. */
const findApp = (
  world: World,
  body: JsonObject,
  { places, unknownAppStatus }: AllApps,
): { readonly app: AppWorld } | { readonly problem: Problem; readonly inside: JsonObject } => {
  let inside: JsonObject | undefined;
  const found = new Set<AppWorld>();
  let sawId: readonly [field: string, id: string] | undefined;
  let sawOther: string | undefined;
  for (const place of places) {
    const opened = open(body, place);
    const id = (opened && own(opened, place.appIdField)) ?? null;
    if (typeof id === "string") {
      sawId ??= [place.appIdField, id];
      inside ??= opened;
      const app = world.app(id);
      if (app !== undefined && samePlace(wireOf(app), place)) found.add(app);
    } else if (id !== null) sawOther = place.appIdField;
  }
  const [app, second] = found;
  if (second === undefined && app !== undefined) return { app };
  const refusal = (): { problem: Problem } => {
    if (second !== undefined) return problem("ambiguous_app");
    if (sawId !== undefined) {
      const [idField, id] = sawId;
      const named = mayRepeat(world, id) ? { instruction: `${noApp(id)}. ${SEND_KNOWN_APP}` } : {};
      return unknownAppStatus === 401
        ? problem("unknown_app", named)
        : problem("unknown_app", { ...named, status: unknownAppStatus, fields: { [idField]: ["is unknown"] } });
    }
    const field = sawOther ?? DEFAULT_SETTINGS.wire.appIdField;
    return invalid({ [field]: [sawOther === undefined ? "can't be blank" : "must be a string"] });
  };
  return { ...refusal(), inside: inside ?? body };
};

/** Reads the body of a session request. @returns who signs in, and its app and the normalised request, or a problem. */
type WireReader = (
  body: JsonObject,
) => { readonly named: Named } & (
  | { readonly app: AppWorld; readonly request: SessionRequest }
  | { readonly problem: Problem }
);

/** @returns the reader of session requests: the app whose own shape leads to its own id (D21); D27 if none. */
export const createWireReader = (store: Store): WireReader => {
  const all = createAllApps(store);
  return (body) => {
    const found = findApp(store.world, body, all());
    if ("problem" in found) return { problem: found.problem, named: strangerIn(found.inside) };
    const { app } = found;
    const request = readRequest(app, body);
    return {
      app,
      request,
      named: { to: usernameIn(request.user, usernameField(app.app)), typed: codeOf(request.passcode) },
    };
  };
};
