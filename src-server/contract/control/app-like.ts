/** An app like the one that a request was sent to, although there is none: the id, how its users sign in, the names in its body. */
import type { JsonObject } from "../scalars.ts";
import { DEFAULT_SETTINGS } from "../service/effective-settings.ts";
import { type Strategy, USERNAME_FIELDS } from "../service/strategies.ts";
import { isObject, PASSCODE_NAMES } from "../service/wire-body.ts";
import { placeholderIn } from "../words/placeholders.ts";

type Body = Readonly<Record<string, unknown>>;

/** What an app must have to take a request. */
export type AppLike = {
  readonly appId: string;
  readonly strategy: Strategy;
  /** Only the names that are not the default ones. */
  readonly settings?: { readonly wire: JsonObject };
};

const DEFAULTS: ReadonlyMap<string, unknown> = new Map(Object.entries(DEFAULT_SETTINGS.wire));
/** Names that an app id has, in lower case and without separators. */
const ID_NAMES: readonly string[] = ["appid", "app", "applicationid", "application", "clientid", "tenantid"];
const lettersOf = (name: string): string => name.toLowerCase().replace(/[^a-z]/g, "");
const CODE_NAMES: readonly string[] = [...PASSCODE_NAMES, "pin"].map(lettersOf);

const isUser = (value: unknown): value is Body =>
  isObject(value) && USERNAME_FIELDS.some((field) => typeof value[field] === "string");

const fieldNamed = (object: Body, names: readonly string[], types: readonly string[]): string | undefined =>
  Object.keys(object).find((key) => names.includes(lettersOf(key)) && types.includes(typeof object[key]));

/** Where the body of a session request has what. */
interface Places {
  readonly envelope: string | null;
  readonly inside: Body;
  readonly appIdField: string;
}

const placesIn = (body: Body): Places | undefined => {
  const [only, ...others] = Object.keys(body);
  const within = only === undefined || others.length > 0 ? undefined : body[only];
  for (const [envelope, inside] of [[null, body] as const, [only ?? "", within] as const]) {
    if (!isObject(inside)) continue;
    const appIdField = fieldNamed(inside, ID_NAMES, ["string"]);
    if (appIdField !== undefined) return { envelope, inside, appIdField };
  }
  return undefined;
};

const passcodeFieldIn = (inside: Body, userField: string | null): string | undefined => {
  const beside = fieldNamed(inside, CODE_NAMES, ["string", "number"]);
  if (beside !== undefined) return beside;
  const user = userField === null ? undefined : inside[userField];
  const within = isObject(user) ? fieldNamed(user, CODE_NAMES, ["string", "number"]) : undefined;
  return within && `${userField}.${within}`;
};

/** @param body of a session request. @returns what an app needs to take it; undefined: it names no app, or no one. */
export const appLike = (body: unknown): AppLike | undefined => {
  const places = isObject(body) ? placesIn(body) : undefined;
  if (places === undefined) return undefined;
  const { envelope, inside, appIdField } = places;
  const appId = inside[appIdField];
  const userField = isUser(inside) ? null : Object.keys(inside).find((key) => isUser(inside[key]));
  // What was never filled in is made into no app.
  if (typeof appId !== "string" || placeholderIn(appId) !== undefined || userField === undefined) return undefined;
  const user = userField === null ? inside : inside[userField];
  const strategy = isObject(user) && typeof user["phone"] === "string" ? "phone" : "email";
  const passcodeField = passcodeFieldIn(inside, userField);
  const names = { envelope, appIdField, userField, ...(passcodeField !== undefined && { passcodeField }) };
  const wire = Object.fromEntries(Object.entries(names).filter(([name, value]) => value !== DEFAULTS.get(name)));
  return { appId, strategy, ...(Object.keys(wire).length > 0 && { settings: { wire } }) };
};
