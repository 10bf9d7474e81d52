/** Bodies of session requests in an app's wire shape (its `wire` settings), written and read. */
import type { AppItem } from "./apps.ts";
import type { EffectiveSettings } from "./effective-settings.ts";
import type { JsonObject } from "./scalars.ts";

/** The wire settings of an app. */
export type Wire = EffectiveSettings["wire"];

/** @returns whether a parsed JSON value is an object. */
export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** @returns the parsed body; undefined if it is not JSON, for example because the log truncated it. */
export const readJson = (text: string | null): unknown => {
  if (text === null) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

const put = (object: JsonObject, path: string, value: string): void => {
  const [first = "", second] = path.split(".");
  if (second === undefined) object[first] = value;
  else {
    const inner = object[first];
    object[first] = { ...(typeof inner === "object" && inner !== null ? inner : {}), [second]: value };
  }
};

/** @returns the body that an app expects for a POST, or with a passcode for a PUT. */
export const wireBody = (
  { envelope, appIdField, userField, passcodeField }: Wire,
  { appId, strategy }: Pick<AppItem, "appId" | "strategy">,
  username: string,
  passcode?: string,
): JsonObject => {
  const user = { [strategy]: username };
  const inside: JsonObject = { [appIdField]: appId, ...(userField === null ? user : { [userField]: user }) };
  if (passcode !== undefined) put(inside, passcodeField, passcode);
  return envelope === null ? inside : { [envelope]: inside };
};

const inEnvelope = ({ envelope }: Wire, body: unknown): Readonly<Record<string, unknown>> => {
  const inside = envelope === null || !isObject(body) ? body : body[envelope];
  return isObject(inside) ? inside : {};
};

/** @returns the typed passcode in a body; undefined if absent. */
export const typedPasscode = (wire: Wire, body: unknown): string | undefined => {
  const [first = "", second] = wire.passcodeField.split(".");
  const outer = inEnvelope(wire, body)[first];
  const typed = second === undefined || !isObject(outer) ? outer : outer[second];
  return typeof typed === "string" || typeof typed === "number" ? String(typed) : undefined;
};

/** @returns the user's fields in a body. */
export const userFields = (wire: Wire, body: unknown): Readonly<Record<string, unknown>> => {
  const inside = inEnvelope(wire, body);
  const user = wire.userField === null ? inside : inside[wire.userField];
  return isObject(user) ? user : {};
};

/** @returns the fields next to the app id. */
export const outerFields = (wire: Wire, body: unknown): Readonly<Record<string, unknown>> => inEnvelope(wire, body);
