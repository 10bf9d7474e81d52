/** Look-ups of the control API: records by name, and lists over one app or all: newest first, filtered, counted. */
import type { PasscodeItem } from "#contract/service/passcodes.ts";
import { invalid, type Problem } from "#contract/service/problems.ts";
import { type Collection, NOUNS, type RecordsOfApp } from "#contract/service/records.ts";
import type { FieldErrors } from "#contract/validation.ts";
import { notFoundText } from "#contract/words/not-found.ts";
import { passcodeItem } from "#domain/passcodes.ts";
import type { Outcome } from "#domain/store.ts";
import { type AppWorld, type Env, shownApps, type World } from "#domain/world.ts";
import type { DevicesPort } from "../ports.ts";

/** A record with its app. */
export interface Found<C extends Collection> {
  readonly app: AppWorld;
  readonly record: RecordsOfApp[C];
}

/** @returns the record with this id, in any app or in this one. @throws Refusal if the app is unknown. */
export const findRecord = <C extends Collection>(
  world: World,
  collection: C,
  id: string | undefined,
  appId?: string,
): Found<C> | undefined => {
  for (const app of appId === undefined ? world.apps : [appNamed(world, appId)]) {
    const record = app.find(collection, id?.toLowerCase() ?? "");
    if (record !== undefined) return { app, record };
  }
  return undefined;
};

/** A refusal thrown by a look-up; `answerErrors` sends it. */
export class Refusal extends Error {
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(problem.code);
    this.problem = problem;
  }
}

/** @returns a 422 with errors by field. */
export const wrongFields = (fields: FieldErrors): Refusal => new Refusal(invalid(fields).problem);

/** @see notFoundText @returns a 404 that says what is missing. */
export const notFound = (kind: string, name: string, existing?: readonly string[], within = ""): Refusal => {
  const code = kind === "profile" ? "unknown_profile" : "unknown_record";
  return new Refusal({ code, instruction: notFoundText(kind, name, existing, within) });
};

/** @returns the current app with this id. @throws Refusal if there is none. */
export const appNamed = (world: World, appId: string | undefined): AppWorld => {
  const app = world.app(appId ?? "");
  if (app !== undefined) return app;
  const existing = shownApps(world).map((known) => known.app.appId);
  throw notFound("app", appId ?? "", existing);
};

/** @returns the app of a query; undefined if it names none. @throws Refusal if the app is unknown. */
export const appOfQuery = (world: World, { appId }: { readonly appId?: string }): AppWorld | undefined =>
  appId === undefined ? undefined : appNamed(world, appId);

/** @returns as `findRecord`. @throws Refusal if there is none. */
export const recordNamed = <C extends Collection>(
  world: World,
  collection: C,
  id: string | undefined,
  appId?: string,
): Found<C> => {
  const found = findRecord(world, collection, id, appId);
  if (found === undefined) throw notFound(NOUNS[collection], id ?? "");
  return found;
};

/** @returns the app of the query, or all apps but hidden ones if it names none. @throws Refusal if the app is unknown. */
export const appsOf = (world: World, appId: string | undefined): readonly AppWorld[] =>
  appId === undefined ? shownApps(world) : [appNamed(world, appId)];

/** @returns the app that is named, or the only one, or that of `userId`. @throws Refusal: 404 or 422 */
export const appOfBody = (
  world: World,
  { appId, userId }: { readonly appId?: unknown; readonly userId?: string },
): AppWorld => {
  if (typeof appId === "string") return appNamed(world, appId);
  const apps = shownApps(world);
  const holders = userId === undefined ? [] : apps.filter((app) => app.find("profiles", userId) !== undefined);
  const [only, ...others] = holders.length > 0 ? holders : apps;
  if (appId === undefined && only !== undefined && others.length === 0) return only;
  const text = appId === undefined || appId === null ? "can't be blank" : "must be a string";
  throw wrongFields({ appId: [text] });
};

/** @returns the value of a transaction. @throws Refusal if it was refused. */
export const settled = <T>(outcome: Outcome<T>): T => {
  if (outcome.ok) return outcome.value;
  throw new Refusal(outcome.problem);
};

/** @returns a 200 with this body. */
export const ok = <B>(body: B) => ({ status: 200, body }) as const;
/** @returns a 201 with this body. */
export const made = <B>(body: B) => ({ status: 201, body }) as const;
/** A 204. */
export const done = { status: 204, body: null } as const;

/** @returns the profile that a passcode is for; undefined if it was deleted. */
export const userOfPasscode = ({ app, record }: Found<"passcodes">) => app.find("profiles", record.userId);

/** @returns the passcode, with its deliveries to devices. */
export const shownPasscode = (devices: DevicesPort, found: Found<"passcodes">, env: Pick<Env, "now">): PasscodeItem => {
  const { app, record } = found;
  return passcodeItem(
    app.app.appId,
    record,
    userOfPasscode(found),
    env.now(app.app.appId),
    devices.devicesOf(record.id),
  );
};
