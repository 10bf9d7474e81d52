/** Parts shared by the operations of an OpenAPI document: named schemas, parameters, headers, errors. */
import { z } from "zod";
import { featureParameters, featureSchemas, featureTags } from "#features/parts.ts";
import { clockItem } from "../control/clock.ts";
import { eventOfType } from "../control/events.ts";
import { requestItem, resendAnswer } from "../control/requests.ts";
import type { Listener, Operation } from "../control/routes.ts";
import type { PathParameter } from "../control/rows.ts";
import { worldState } from "../control/state.ts";
import { status } from "../control/status.ts";
import { type JsonObject, type JsonValue, uuidText } from "../scalars.ts";
import { appId, appItem } from "../service/apps.ts";
import { connectionItem } from "../service/connections.ts";
import { passcodeItem } from "../service/passcodes.ts";
import {
  errorBody,
  fieldErrorsBody,
  nestedFieldErrorsBody,
  type ProblemCode,
  problems,
  shortErrorBody,
  statusPhrase,
} from "../service/problems.ts";
import { profileAnswer, profileFields, profileItem, profileUpdateAnswer } from "../service/profiles.ts";
import { sessionAnswer, sessionItem } from "../service/sessions.ts";
import { settings } from "../service/settings.ts";
import { ADA } from "./openapi-examples.ts";

/** The named schemas. */
export const COMPONENTS: Readonly<Record<string, z.ZodType>> = {
  UserProfile: profileAnswer,
  UpdatedUserProfile: profileUpdateAnswer,
  ProfileFields: profileFields,
  UserSession: sessionAnswer,
  Error: errorBody,
  FieldErrors: fieldErrorsBody,
  ShortError: shortErrorBody,
  NestedFieldErrors: nestedFieldErrorsBody,
  Status: status,
  App: appItem,
  Settings: settings,
  Profile: profileItem,
  Passcode: passcodeItem,
  Session: sessionItem,
  Connection: connectionItem,
  LoggedRequest: requestItem,
  ResendAnswer: resendAnswer,
  Event: eventOfType(),
  World: worldState,
  Clock: clockItem,
  ...featureSchemas,
};

/** What each tag stands for. */
export const TAGS: Readonly<Record<string, string>> = {
  profiles: "The profiles of an app's users.",
  session: "Sign-up, passcodes and sign-in of users.",
  discovery: "What verifiers of session tokens read: public keys and discovery documents.",
  status: "Stagedoor's URLs, counts and version.",
  stop: "Stops Stagedoor.",
  apps: "Apps with their secrets and settings.",
  passcodes: "The passcodes that were sent, and how to wait for the next one.",
  sessions: "Sessions and their tokens, valid and defective.",
  connections: "Connections of users, which a deletion disables.",
  requests: "The request log of admin and auth.",
  events: "Changes as they happen.",
  state: "Import, export and reset of the data.",
  clock: "The time that apps follow.",
  ...featureTags,
};

/** Path parameters by name. */
export const PATH_PARAMETERS: Readonly<Record<string, PathParameter>> = {
  appId: { schema: appId, description: "The id of the app.", example: "demo-app" },
  userId: { schema: uuidText, description: "The id of the profile.", example: ADA },
  id: {
    schema: z.union([uuidText, z.literal("latest")]),
    description: "The id of the record, or `latest`: the newest one.",
    example: "latest",
  },
  ...featureParameters,
};

/** Descriptions of query parameters whose schema has none. */
export const QUERY_PARAMETERS: Readonly<Record<string, string>> = {
  appId: "The app. Default: all apps.",
  userId: "The profile. Default: all.",
  q: "Text to look for in name, phone, email and id.",
  sort: "The field to sort by; a leading minus reverses the order.",
  page: "The page, from 1.",
  limit: "Maximum number of entries.",
  to: "The phone number or email address that it was sent to, also as people write it: +1 202 555 0100.",
  status: "The status.",
  state: "The state.",
  requestId: "The id of the request that caused it.",
  dryRun: "1: validates and counts without changing anything.",
  volatile: "1: includes passcodes, sessions and clocks.",
  listener: "The listener that received the request.",
  method: "The HTTP method.",
  reason: "The reason of the error (`Emulator-Reason`).",
};

const text: JsonObject = { type: "string" };
const header = (description: string, schema = text, required = true) => ({ description, required, schema });
const count = (description: string): JsonObject => header(description, { type: "integer", minimum: 0 });

/** Response headers by name. */
export const HEADERS: Readonly<Record<string, JsonObject>> = {
  Emulator: header("`stagedoor/<version>`."),
  "Emulator-Request-Id": header("The row of the request log.", { type: "string", format: "uuid" }),
  "Emulator-Instruction": header("What to check, if the body has no `instruction`.", text, false),
  "WWW-Authenticate": header("`Bearer`, if an Authorization header is required.", text, false),
  Allow: header("The methods that the path supports."),
  "Retry-After": header("Seconds to wait.", { type: "integer", minimum: 1 }, false),
  "Current-Page": count("The page, from 1."),
  "Page-Items": count("The page size in use."),
  "Total-Count": count("Number of items on all pages."),
  "Total-Pages": count("Number of pages; 0 if there are no items."),
  Link: header("The first, previous, next and last page (RFC 8288)."),
};

/** @returns references to headers. */
const headers = (...names: readonly string[]): JsonObject =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

/** @returns the headers of every response of a listener. */
export const commonHeaders = (listener: Listener): JsonObject =>
  listener === "console" ? headers("Emulator") : headers("Emulator", "Emulator-Request-Id");

/** The headers of the paginated list (D12). */
export const LIST_HEADERS = headers("Current-Page", "Page-Items", "Total-Count", "Total-Pages", "Link");

const OF_STATUS: Readonly<Record<number, JsonObject>> = {
  401: headers("WWW-Authenticate"),
  405: headers("Allow"),
  422: headers("Emulator-Instruction"),
  429: headers("Retry-After"),
};

/** @param codes the errors with one status. @param bodies names of its possible bodies. @returns the response: body, headers, and the meaning of each reason. */
export const refusal = (
  operation: Operation,
  code: number,
  codes: readonly ProblemCode[],
  bodies: readonly string[],
): JsonObject => {
  const reasons: JsonValue[] = [...codes];
  const schemas = bodies.map((body): JsonObject => ({ $ref: `#/components/schemas/${body}` }));
  return {
    description: `${statusPhrase(code)}:\n${codes.map((name) => `- \`${name}\`: ${problems[name].when}`).join("\n")}`,
    headers: {
      ...commonHeaders(operation.listener),
      "Emulator-Reason": header("The exact cause.", { type: "string", enum: reasons }),
      ...OF_STATUS[code],
    },
    content: { "application/json": { schema: schemas.length === 1 ? (schemas[0] ?? {}) : { anyOf: schemas } } },
  };
};
