/** Generates the types of `stagedoor/client` from the contract: plain TypeScript, so that users do not need zod. */
import { z } from "zod";
import { allCounts, appItem, appPatch, ofUser } from "#contract/apps.ts";
import { clockInput, clockItem } from "#contract/clock.ts";
import { connectionInput, connectionItem, connectionPatch } from "#contract/connections.ts";
import { eventData } from "#contract/events.ts";
import { firstFailure } from "#contract/first-failure.ts";
import { jsonSchemas } from "#contract/json-schema.ts";
import { latestQuery, passcodeItem, passcodeQuery } from "#contract/passcodes.ts";
import { profileItem } from "#contract/profiles.ts";
import { requestItem, requestQuery, resendAnswer, resendInput } from "#contract/requests.ts";
import { routes } from "#contract/routes.ts";
import type { JsonObject, JsonValue } from "#contract/scalars.ts";
import { scenario } from "#contract/scenarios.ts";
import {
  introspection,
  sessionAnswer,
  sessionInput,
  sessionItem,
  sessionQuery,
  wrongTokenAnswer,
  wrongTokenInput,
} from "#contract/sessions.ts";
import { settings } from "#contract/settings.ts";
import { worldState } from "#contract/state.ts";
import { status } from "#contract/status.ts";
import { featureTypes } from "#features/parts.ts";
import { asObject, asObjects } from "./schema-text.ts";

/** Name → schema and description. */
const TYPES: Readonly<Record<string, readonly [schema: z.ZodType, about: string]>> = {
  Counts: [allCounts, "Record counts of all apps, or of those concerned."],
  ImportCounts: [
    routes.writeState.answers[200],
    "What an import holds, and how many users are new, changed and the same.",
  ],
  Status: [status, "Status of Stagedoor. `uptimeSeconds` is in seconds; `seq` counts every change."],
  Settings: [settings, "Settings of an app; absent ones have their default."],
  App: [appItem, "An app: an isolated environment."],
  AppInput: [routes.createApp.body, "A new app, and its users; absent fields are generated."],
  NewApp: [routes.createApp.answers[201], "An app that was just created: where it is, and its users."],
  AppPatch: [appPatch, "An update of an app; absent fields stay unchanged."],
  Scenario: [scenario, "A fault for one user, stored with the profile."],
  Profile: [profileItem, "A user's profile."],
  ProfileInput: [z.object(routes.addProfile.body.shape), "A new profile."],
  ProfilePatch: [routes.changeProfile.body, "An update of a profile: absent fields stay unchanged, `null` clears one."],
  ProfileQuery: [routes.searchProfiles.query, "Filter for listing profiles."],
  FirstFailure: [firstFailure, "The first failure of its kind of an app, and what to do."],
  Passcode: [passcodeItem, "An issued passcode. `seq` defines the order; times follow the app's clock."],
  PasscodeQuery: [passcodeQuery, "Filter for listing passcodes, newest first."],
  LatestQuery: [latestQuery, "Which passcode to return, and how long to wait for it."],
  Session: [sessionItem, "A session; its times follow the app's clock."],
  UserSession: [
    sessionAnswer,
    "A session as the app gets it. `expiration` is as the app’s settings say: UNIX seconds.",
  ],
  SessionInput: [sessionInput, "A session to create without a passcode. `ttlSeconds` is in seconds."],
  SessionQuery: [sessionQuery, "Filter for listing sessions, newest first."],
  Introspection: [introspection, "Whether a token is active, and its claims (RFC 7662). Times are UNIX seconds."],
  WrongTokenInput: [wrongTokenInput, "Which token to sign; without `defect` a valid one."],
  WrongToken: [wrongTokenAnswer, "A token and its defect."],
  Connection: [connectionItem, "A connection between a profile and another service."],
  ConnectionInput: [connectionInput, "A new connection."],
  ConnectionPatch: [connectionPatch, "An update of a connection."],
  ConnectionQuery: [ofUser, "Filter for listing connections."],
  RequestRow: [requestItem, "A request and its response. `durationMs` is in milliseconds."],
  RequestQuery: [requestQuery, "Filter for listing requests, newest first."],
  ReplayInput: [resendInput, "Changes to a request before it is resent; absent fields stay unchanged."],
  Replayed: [resendAnswer, "The response to a resent request."],
  EventData: [eventData, "A change."],
  World: [worldState, "A world: the content of a fixture file."],
  Clock: [clockItem, "The state of a clock."],
  ClockInput: [clockInput, "The new setting of a clock; `{}` is real time."],
  ...featureTypes,
};

const LINE_WIDTH = 120;
const WORD = /^[A-Za-z_$][A-Za-z0-9_$]*$/;
const comment = (about: JsonValue | undefined, indent: string): string =>
  typeof about === "string" ? `${indent}/** ${about.replaceAll("*/", "* /")} */\n` : "";

/** Formats a long union with each part on its own line. */
const laidOut = (line: string, indent: string): string =>
  line.length <= LINE_WIDTH || line.includes("\n")
    ? line
    : line.replace(/: /, `:\n${indent}  | `).replaceAll(/(?<=") \| /g, `\n${indent}  | `);

const objectText = (schema: JsonObject, indent: string): string => {
  const inner = `${indent}  `;
  const required = Array.isArray(schema["required"]) ? schema["required"] : [];
  const fields = Object.entries(asObject(schema["properties"])).map(([name, value]) => {
    const own = asObject(value);
    const optional = !required.includes(name) || own["default"] !== undefined;
    const key = WORD.test(name) ? name : JSON.stringify(name);
    const line = `${inner}${key}${optional ? "?" : ""}: ${typeOf(own, inner)};`;
    return `${comment(own["description"], inner)}${laidOut(line, inner)}\n`;
  });
  return `{\n${fields.join("")}${indent}}`;
};

/** @returns the TypeScript type for a JSON Schema. */
const typeOf = (schema: JsonObject, indent: string): string => {
  const { $ref, anyOf, const: constant, enum: choices, type } = schema;
  const union = (parts: readonly string[]): string => [...new Set(parts)].join(" | ");
  if (typeof $ref === "string") return $ref.replace(/^.*\//, "");
  if (Array.isArray(anyOf)) return union(asObjects(anyOf).map((one) => typeOf(one, indent)));
  if (constant !== undefined) return JSON.stringify(constant);
  if (Array.isArray(choices)) return union(choices.map((choice) => JSON.stringify(choice)));
  if (Array.isArray(type)) return union(type.map((one) => typeOf({ ...schema, type: one }, indent)));
  switch (type) {
    case "string":
    case "boolean":
    case "null":
    case "number":
      return type;
    case "integer":
      return "number";
    case "array":
      return `Array<${typeOf(asObject(schema["items"]), indent)}>`;
    case "object":
      if (schema["properties"] !== undefined) return objectText(schema, indent);
      return schema["additionalProperties"] === undefined ||
        Object.keys(asObject(schema["additionalProperties"])).length === 0
        ? "Record<string, unknown>"
        : `Record<string, ${typeOf(asObject(schema["additionalProperties"]), indent)}>`;
    default:
      return "unknown";
  }
};

/** @returns `src-client/records.ts`. */
export const clientTypes = (): string => {
  const named = Object.fromEntries(Object.entries(TYPES).map(([name, [schema]]) => [name, schema]));
  const schemas = jsonSchemas(named, (name) => name);
  const types = Object.entries(TYPES).map(([name, [, about]]) => {
    const schema = asObject(schemas[name]);
    const union = asObjects(schema["anyOf"]).flatMap(({ enum: choices, ...one }) =>
      Array.isArray(choices) ? choices.map((choice) => JSON.stringify(choice)) : [typeOf(one, "    ")],
    );
    const text =
      union.length === 0
        ? `interface ${name} ${objectText(schema, "")}`
        : `type ${name} =${union.map((part) => `\n  | ${part}`).join("")};`;
    return `/** ${about} */\nexport ${text}\n`;
  });
  return [
    "// Generated by `npm run docs` from src-server/contract. Do not edit.\n",
    "/** A page of a list, and how many there are in all. */",
    "export interface List<T> {\n  items: Array<T>;\n  total: number;\n}\n",
    ...types,
  ].join("\n");
};
