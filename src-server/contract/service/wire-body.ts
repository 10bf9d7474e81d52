/** Bodies of session requests in an app's wire shape (its `wire` settings), written and read. */
import type { JsonDraft, JsonObject } from "../scalars.ts";
import type { AppItem } from "./apps.ts";
import type { EffectiveSettings } from "./effective-settings.ts";
import { usernameField } from "./strategies.ts";

/** Names that a passcode has in other services. */
export const PASSCODE_NAMES: readonly string[] = [
  "passcode",
  "otp",
  "code",
  "oneTimePasscode",
  "one_time_passcode",
  "pass_code",
];

/** The wire settings of an app. */
export type Wire = EffectiveSettings["wire"];

/** @returns whether a parsed JSON value is an object. */
export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** @returns the body that an app expects for a POST, or with a passcode for a PUT. @param name of a new user. */
export const wireBody = (
  { envelope, appIdField, userField, passcodeField }: Wire,
  app: Pick<AppItem, "appId" | "strategy">,
  username: string,
  passcode?: string,
  name = "",
): JsonObject => {
  const user = { [usernameField(app)]: username, ...(name !== "" && { name }) };
  const inside: JsonDraft = { [appIdField]: app.appId, ...(userField === null ? user : { [userField]: user }) };
  const [field = "", inner] = passcodeField.split(".");
  const around = inside[field];
  if (passcode !== undefined)
    inside[field] = inner === undefined ? passcode : { ...(isObject(around) && around), [inner]: passcode };
  return envelope === null ? inside : { [envelope]: inside };
};
