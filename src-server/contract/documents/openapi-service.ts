/** The service's operations as the settings of an app shape them, for its OpenAPI documents. */
import { z } from "zod";
import type { Operation } from "../control/routes.ts";
import type { JsonObject } from "../scalars.ts";
import { type EffectiveSettings, effectiveSettings } from "../service/effective-settings.ts";
import { type ProblemCode, problems } from "../service/problems.ts";
import { pageQueryOf, profileAnswer, profileFields, profileFieldsLenient } from "../service/profiles.ts";
import { passcodeInput, sessionAnswer } from "../service/sessions.ts";
import { type Strategy, usernameField } from "../service/strategies.ts";
import { wireBody } from "../service/wire-body.ts";

/** An app as its documents need it. */
export interface DescribedApp {
  readonly appId: string;
  readonly strategy: Strategy;
  readonly settings: EffectiveSettings;
  /** Stands for any app with the default settings, whatever its users sign in by. */
  readonly isAny?: true;
}

/** The app of a document that names none. */
export const DEFAULT_APP: DescribedApp = {
  appId: "demo-app",
  strategy: "phone",
  settings: effectiveSettings({}),
  isAny: true,
};

type Fields = Record<string, z.ZodType>;

const fieldsOf = ({ settings: { validation } }: DescribedApp): Fields => ({
  ...(validation === "lenient" ? profileFieldsLenient : profileFields).shape,
});

const objectOf = ({ settings: { unknownFields } }: DescribedApp, shape: Fields): z.ZodObject =>
  unknownFields === "refuse" ? z.strictObject(shape) : z.object(shape);

/** @returns the field as one that must be there, and is not `null`. */
const present = (field: z.ZodType): z.ZodType => {
  if (!(field instanceof z.ZodExactOptional || field instanceof z.ZodNullable)) return field;
  const inner = field.unwrap();
  const meta = { ...z.globalRegistry.get(inner), ...z.globalRegistry.get(field) };
  return inner instanceof z.ZodType ? present(inner.meta(meta)) : field;
};

/** @returns the body that creates a profile (`profile.required`), or updates one (`update.null`). */
const profileBody = (app: DescribedApp, isNew: boolean): z.ZodObject => {
  const { profile, update, validation, unknownFields } = app.settings;
  const isUsual = profile.required.length === 0 && validation === "strict" && unknownFields === "ignore";
  // The same schema, so that it keeps its name.
  if (isUsual && (isNew || update.null !== "refuse")) return profileFields;
  const fields = Object.entries(fieldsOf(app)).map(([name, field]) => {
    const isNeeded = profile.required.some((one) => one === name);
    if (isNew) return [name, isNeeded ? present(field) : field];
    const isNull = update.null !== "refuse" && !(isNeeded && update.null === "clear");
    return [name, isNull ? field : present(field).exactOptional()];
  });
  return objectOf(app, Object.fromEntries(fields));
};

const USERNAME_WORDS = "The username is its phone or its email, by the strategy of the app.";

/** @returns the body of a session request in the app's shape (D21). */
const sessionBody = (app: DescribedApp, takesPasscode: boolean): z.ZodObject => {
  const { envelope, appIdField, userField, passcodeField } = app.settings.wire;
  const { metadata: _none, ...user } = fieldsOf(app);
  const username = usernameField(app);
  const named = app.isAny ? USERNAME_WORDS : `${username} is the username.`;
  for (const [name, field] of Object.entries(user)) if (name === username && !app.isAny) user[name] = present(field);
  const inside: Fields = { [appIdField]: z.string().describe("The id of the app.") };
  const [root = "", leaf] = passcodeField.split(".");
  const passcode = passcodeInput.meta({ description: "The passcode. Lost leading zeros of a number are restored." });
  if (takesPasscode && leaf !== undefined && root === userField) user[leaf] = passcode;
  else if (takesPasscode) inside[root] = leaf === undefined ? passcode : z.object({ [leaf]: passcode });
  if (userField === null) Object.assign(inside, user);
  else inside[userField] = objectOf(app, user).describe(`The user. ${named}`);
  return objectOf(app, envelope === null ? inside : { [envelope]: objectOf(app, inside) });
};

/** @returns the statuses of an error of an operation by the settings (D7, D9, D25, D27). */
export const statusesIn = (
  { authenticate, unknownAppStatus, profiles }: EffectiveSettings,
  operation: string,
  code: ProblemCode,
): readonly number[] => {
  const { status, decision }: { status: number; decision?: string } = problems[code];
  if (decision === "D25") return [authenticate.refusedStatus];
  if (code === "invalid_fields" && /^(?:create|update)Profile$/.test(operation))
    return [profiles.invalidStatus, profiles.takenStatus];
  return [code === "unknown_app" ? unknownAppStatus : status];
};

const BEFORE =
  /^(bad_\w+|malformed_path|misdirected_host|missing_secret|unknown_secret|unknown_app|ambiguous_app|method_not_allowed)$/;
const OF_BODY = /^(body_\w+|not_json|encoded_body|malformed_json)$/;

/** @returns whether an error comes before its app is known, and so in the usual shape, or after, in the app's shape. */
export const comes = ({ listener }: Operation, code: ProblemCode): "before" | "after" | "either" => {
  if (code === "internal" || code === "fault_injected") return "either";
  if (listener === "auth" && (code === "invalid_fields" || code === "invalid_token")) return "either";
  return BEFORE.test(code) || (listener === "auth" && OF_BODY.test(code)) ? "before" : "after";
};

/** What an operation does, beyond its summary. */
const TEXTS: Readonly<Record<string, string>> = {
  createProfile: "Fields that are not sent are null. The id and the times are generated.",
  listProfiles: "The headers have the numbers of pages and items, and links to other pages.",
  retrieveProfile: "Only profiles of the app whose secret is sent are found.",
  updateProfile: "Only the fields that are sent change; metadata is merged. The response has `id` instead of `userId`.",
  deleteProfile: "Its sessions and passcodes are deleted with it, and its tokens are no longer active.",
  startSession:
    "A new user is signed up and gets a session. A user who exists is sent a passcode: 202, without a body.",
  authenticate: "A passcode works once. Other fields of the user that are sent update the profile.",
  readSession: "Send the session token as a bearer token.",
  endSession: "Send the session token as a bearer token; it is no longer active afterwards.",
};

/** @returns the row as the app's settings shape it; undefined if they turn it off. */
export const shapedRow = (id: string, row: Operation, app: DescribedApp): Operation | undefined => {
  const { list, wire, sessionExtensions, signUp, limits } = app.settings;
  if (row.auth === "session" && !sessionExtensions) return undefined;
  const profiles = z.array(profileAnswer);
  const isLimited = limits.otpPerMinute !== null || limits.requestsPerMinute !== null;
  const own: Readonly<Record<string, Partial<Operation>>> = {
    createProfile: { body: profileBody(app, true) },
    updateProfile: { body: profileBody(app, false) },
    listProfiles: {
      query: pageQueryOf(list),
      answers: { 200: list.envelope === "data" ? z.object({ data: profiles }) : profiles },
    },
    startSession: { body: sessionBody(app, false), answers: { [wire.signUpStatus]: sessionAnswer, 202: null } },
    authenticate: { body: sessionBody(app, true), answers: { [wire.authenticateStatus]: sessionAnswer } },
  };
  const happens = (code: ProblemCode): boolean =>
    (code !== "sign_up_closed" || signUp === "closed") && (code !== "rate_limited" || isLimited);
  const description = TEXTS[id];
  return { ...row, ...own[id], problems: row.problems.filter(happens), ...(description && { description }) };
};

const USERNAMES = { phone: "+12025550100", email: "ada@example.com" } as const;

/** @returns the example of a session request; undefined for other operations. */
export const sessionExample = (id: string, app: DescribedApp): JsonObject | undefined =>
  id === "startSession" || id === "authenticate"
    ? wireBody(app.settings.wire, app, USERNAMES[usernameField(app)], id === "authenticate" ? "123456" : undefined)
    : undefined;
