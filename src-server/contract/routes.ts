/**
 * THE operation table: every call that the three listeners answer. It is the source of the routing, of the types of the
 * handlers and of the OpenAPI text.
 */
import { z } from "zod";
import { appInput, appItem, appPatch } from "./apps.ts";
import { clockAdvance, clockInput, clockItem, clockQuery } from "./clock.ts";
import { connectionInput, connectionItem, connectionPatch, connectionQuery } from "./connections.ts";
import { faultInput, faultItem, faultQuery } from "./faults.ts";
import { latestQuery, passcodeClearQuery, passcodeItem, passcodeQuery, passcodeSend } from "./passcodes.ts";
import type { ProblemCode } from "./problems.ts";
import {
  LAST_PAGE,
  pageQuery,
  profileAnswer,
  profileExtras,
  profileFields,
  profileItem,
  profileUpdateAnswer,
} from "./profiles.ts";
import { replayAnswer, requestItem, requestQuery } from "./requests.ts";
import { countTextOr, uuidText } from "./scalars.ts";
import {
  authenticateBody,
  introspectBody,
  introspection,
  sessionAnswer,
  sessionInput,
  sessionItem,
  sessionQuery,
  sessionRevokeQuery,
  startSessionBody,
  tokenAnswer,
} from "./sessions.ts";
import { diffQuery, restoreAnswer, snapshotDiff, snapshotItem, snapshotQuery } from "./snapshots.ts";
import { stateInput, stateQuery, stateWriteQuery, worldState } from "./state.ts";
import { status } from "./status.ts";

/** The three servers. */
export type Listener = "admin" | "auth" | "console";
/** The methods that operations have; HEAD answers as GET. */
export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** One row of the table. */
export interface Operation {
  readonly listener: Listener;
  readonly method: Method;
  /** With `:name` for parameters. */
  readonly path: string;
  readonly summary: string;
  /** `secret`: the app's secret as a bearer token; `session`: a session's token. */
  readonly auth?: "secret" | "session";
  readonly query?: z.ZodObject;
  /** The shape of the body. Absent: the operation reads none. */
  readonly body?: z.ZodType;
  /** `rule`: the rules of the domain check the body, since it depends on the app; `bind` only reads the JSON object. */
  readonly checkedBy?: "rule";
  /** Most bytes of the body; absent: the limit of the process (1 MiB). */
  readonly maxBodyBytes?: number;
  /** What success answers, by status; null: no body. */
  readonly answers: Readonly<Record<number, z.ZodType | null>>;
  /** What it may refuse, besides what every operation of the listener may. */
  readonly problems: readonly ProblemCode[];
  /** Where it is laid down. */
  readonly source: string;
  /** The decision that the request log names for an answer of it. */
  readonly decision?: string;
}

const list = <T extends z.ZodType>(item: T) => z.object({ items: z.array(item), total: z.int() });
const profileBody = profileFields.extend(profileExtras.shape);
const ofApp = z.object({ appId: z.string().exactOptional() });
const CONTROL = "CONTRACT 6";
const V1 = "/emulator/v1";

export const routes = {
  createProfile: {
    listener: "admin",
    method: "POST",
    path: "/v1/profiles",
    summary: "Create a profile",
    auth: "secret",
    body: profileFields,
    checkedBy: "rule",
    answers: { 201: profileAnswer },
    problems: ["invalid_fields"],
    source: "SPEC 4.1, D1, D4 to D10, D15",
    decision: "D1",
  },
  listProfiles: {
    listener: "admin",
    method: "GET",
    path: "/v1/profiles",
    summary: "List profiles, in order of creation",
    auth: "secret",
    query: pageQuery,
    answers: { 200: z.array(profileAnswer) },
    problems: ["invalid_fields"],
    source: "SPEC 4.1, D12",
    decision: "D12",
  },
  retrieveProfile: {
    listener: "admin",
    method: "GET",
    path: "/v1/profiles/:userId",
    summary: "Retrieve a profile",
    auth: "secret",
    answers: { 200: profileAnswer },
    problems: ["unknown_profile"],
    source: "SPEC 4.1, D13",
    decision: "D13",
  },
  updateProfile: {
    listener: "admin",
    method: "PUT",
    path: "/v1/profiles/:userId",
    summary: "Update a profile",
    auth: "secret",
    body: profileFields,
    checkedBy: "rule",
    answers: { 200: profileUpdateAnswer },
    problems: ["unknown_profile", "invalid_fields"],
    source: "SPEC 2.1.2 to 2.1.4, D2 to D11",
    decision: "D2",
  },
  deleteProfile: {
    listener: "admin",
    method: "DELETE",
    path: "/v1/profiles/:userId",
    summary: "Delete a profile and what belongs to it",
    auth: "secret",
    answers: { 204: null },
    problems: ["unknown_profile"],
    source: "SPEC 4.1, D14",
    decision: "D14",
  },

  startSession: {
    listener: "auth",
    method: "POST",
    path: "/v1/users/session",
    summary: "Sign up a new user, or send a passcode to an existing one",
    body: startSessionBody,
    checkedBy: "rule",
    answers: { 200: sessionAnswer, 201: sessionAnswer, 202: null },
    problems: ["ambiguous_app", "unknown_app", "sign_up_closed", "invalid_fields", "rate_limited"],
    source: "SPEC 4.2.1, 4.2.2, D20 to D23, D32",
    decision: "D22",
  },
  authenticate: {
    listener: "auth",
    method: "PUT",
    path: "/v1/users/session",
    summary: "Authenticate an existing user by passcode",
    body: authenticateBody,
    checkedBy: "rule",
    answers: { 200: sessionAnswer, 201: sessionAnswer },
    problems: [
      "ambiguous_app",
      "unknown_app",
      "unknown_user",
      "passcode_not_sent",
      "passcode_mismatch",
      "passcode_replaced",
      "passcode_expired",
      "passcode_used",
      "passcode_exhausted",
      "invalid_fields",
      "rate_limited",
    ],
    source: "SPEC 4.2.3, 4.2.4, D24 to D26",
    decision: "D24",
  },
  readSession: {
    listener: "auth",
    method: "GET",
    path: "/v1/users/session",
    summary: "Read the session of a token (only with the setting sessionExtensions)",
    auth: "session",
    answers: { 200: sessionAnswer },
    problems: ["invalid_token", "method_not_allowed"],
    source: "D30",
    decision: "D30",
  },
  endSession: {
    listener: "auth",
    method: "DELETE",
    path: "/v1/users/session",
    summary: "Revoke the session of a token (only with the setting sessionExtensions)",
    auth: "session",
    answers: { 204: null },
    problems: ["invalid_token", "method_not_allowed"],
    source: "D30",
    decision: "D30",
  },
  readJwks: {
    listener: "auth",
    method: "GET",
    path: "/.well-known/jwks.json",
    summary: "The public keys of session tokens",
    answers: { 200: z.object({ keys: z.array(z.record(z.string(), z.unknown())) }) },
    problems: [],
    source: "D29",
    decision: "D29",
  },

  readStatus: {
    listener: "console",
    method: "GET",
    path: `${V1}/status`,
    summary: "What the emulator says of itself",
    answers: { 200: status },
    problems: [],
    source: CONTROL,
  },

  listApps: {
    listener: "console",
    method: "GET",
    path: `${V1}/apps`,
    summary: "List apps",
    answers: { 200: list(appItem) },
    problems: [],
    source: CONTROL,
  },
  createApp: {
    listener: "console",
    method: "POST",
    path: `${V1}/apps`,
    summary: "Create an app",
    body: appInput,
    checkedBy: "rule",
    answers: { 201: appItem },
    problems: ["invalid_fields"],
    source: CONTROL,
  },
  readApp: {
    listener: "console",
    method: "GET",
    path: `${V1}/apps/:appId`,
    summary: "Read an app",
    answers: { 200: appItem },
    problems: ["unknown_record"],
    source: CONTROL,
  },
  updateApp: {
    listener: "console",
    method: "PATCH",
    path: `${V1}/apps/:appId`,
    summary: "Change an app",
    body: appPatch,
    checkedBy: "rule",
    answers: { 200: appItem },
    problems: ["unknown_record", "invalid_fields", "username_collision"],
    source: CONTROL,
  },
  deleteApp: {
    listener: "console",
    method: "DELETE",
    path: `${V1}/apps/:appId`,
    summary: "Delete an app and all that belongs to it",
    answers: { 204: null },
    problems: ["unknown_record"],
    source: CONTROL,
  },
  renewSecret: {
    listener: "console",
    method: "POST",
    path: `${V1}/apps/:appId/secret`,
    summary: "Give an app a new secret",
    answers: { 200: appItem },
    problems: ["unknown_record"],
    source: CONTROL,
  },

  searchProfiles: {
    listener: "console",
    method: "GET",
    path: `${V1}/profiles`,
    summary: "Search profiles",
    query: z.object({
      appId: z.string().exactOptional(),
      q: z.string().exactOptional(),
      sort: z
        .enum([
          "createdAt",
          "-createdAt",
          "updatedAt",
          "-updatedAt",
          "name",
          "-name",
          "phone",
          "-phone",
          "email",
          "-email",
        ])
        .default("createdAt"),
      page: countTextOr(1, LAST_PAGE, 1),
      limit: countTextOr(1, 1_000, 100),
    }),
    answers: { 200: list(profileItem) },
    problems: ["invalid_fields"],
    source: CONTROL,
  },
  addProfile: {
    listener: "console",
    method: "POST",
    path: `${V1}/profiles`,
    summary: "Create a profile",
    body: profileBody.extend({ appId: z.string() }),
    checkedBy: "rule",
    answers: { 201: profileItem },
    problems: ["invalid_fields"],
    source: CONTROL,
  },
  readProfile: {
    listener: "console",
    method: "GET",
    path: `${V1}/profiles/:userId`,
    summary: "Read a profile",
    query: ofApp,
    answers: { 200: profileItem },
    problems: ["unknown_profile"],
    source: CONTROL,
  },
  changeProfile: {
    listener: "console",
    method: "PATCH",
    path: `${V1}/profiles/:userId`,
    summary: "Change a profile",
    query: ofApp,
    body: profileBody,
    checkedBy: "rule",
    answers: { 200: profileItem },
    problems: ["unknown_profile", "invalid_fields"],
    source: CONTROL,
  },
  removeProfile: {
    listener: "console",
    method: "DELETE",
    path: `${V1}/profiles/:userId`,
    summary: "Delete a profile and what belongs to it",
    query: ofApp,
    answers: { 204: null },
    problems: ["unknown_profile"],
    source: CONTROL,
  },
  removeProfiles: {
    listener: "console",
    method: "POST",
    path: `${V1}/profiles/delete`,
    summary: "Delete many profiles at once",
    body: z.strictObject({ appId: z.string(), userIds: z.array(uuidText).max(100_000) }),
    answers: { 200: z.object({ deleted: z.int() }) },
    problems: ["invalid_fields"],
    source: CONTROL,
  },

  listPasscodes: {
    listener: "console",
    method: "GET",
    path: `${V1}/passcodes`,
    summary: "List passcodes, newest first",
    query: passcodeQuery,
    answers: { 200: list(passcodeItem) },
    problems: ["invalid_fields"],
    source: CONTROL,
  },
  sendPasscode: {
    listener: "console",
    method: "POST",
    path: `${V1}/passcodes`,
    summary: "Send a passcode to a profile",
    body: passcodeSend,
    answers: { 201: passcodeItem },
    problems: ["invalid_fields", "unknown_profile"],
    source: CONTROL,
  },
  clearPasscodes: {
    listener: "console",
    method: "DELETE",
    path: `${V1}/passcodes`,
    summary: "Clear the passcodes",
    query: passcodeClearQuery,
    answers: { 204: null },
    problems: [],
    source: CONTROL,
  },
  latestPasscode: {
    listener: "console",
    method: "GET",
    path: `${V1}/passcodes/latest`,
    summary: "The newest passcode that fits, waited for if need be; as text/plain just the code",
    query: latestQuery,
    answers: { 200: passcodeItem },
    problems: ["no_passcode", "invalid_fields"],
    source: CONTROL,
  },
  readPasscode: {
    listener: "console",
    method: "GET",
    path: `${V1}/passcodes/:id`,
    summary: "Read a passcode",
    answers: { 200: passcodeItem },
    problems: ["unknown_record"],
    source: CONTROL,
  },
  expirePasscode: {
    listener: "console",
    method: "POST",
    path: `${V1}/passcodes/:id/expire`,
    summary: "Let a passcode expire now",
    answers: { 200: passcodeItem },
    problems: ["unknown_record"],
    source: CONTROL,
  },

  listSessions: {
    listener: "console",
    method: "GET",
    path: `${V1}/sessions`,
    summary: "List sessions, newest first",
    query: sessionQuery,
    answers: { 200: list(sessionItem) },
    problems: ["invalid_fields"],
    source: CONTROL,
  },
  addSession: {
    listener: "console",
    method: "POST",
    path: `${V1}/sessions`,
    summary: "Sign a user in without a passcode",
    body: sessionInput,
    answers: { 201: sessionItem.extend({ token: z.string() }) },
    problems: ["invalid_fields", "unknown_profile"],
    source: CONTROL,
  },
  revokeSessions: {
    listener: "console",
    method: "DELETE",
    path: `${V1}/sessions`,
    summary: "Revoke sessions of an app, of a user, or all",
    query: sessionRevokeQuery,
    answers: { 204: null },
    problems: ["invalid_fields"],
    source: CONTROL,
  },
  introspect: {
    listener: "console",
    method: "POST",
    path: `${V1}/sessions/introspect`,
    summary: "Is this token active, and whose is it (RFC 7662)",
    body: introspectBody,
    answers: { 200: introspection },
    problems: ["invalid_fields"],
    source: `${CONTROL}, D29`,
  },
  readSessionItem: {
    listener: "console",
    method: "GET",
    path: `${V1}/sessions/:id`,
    summary: "Read a session",
    answers: { 200: sessionItem },
    problems: ["unknown_record"],
    source: CONTROL,
  },
  readSessionToken: {
    listener: "console",
    method: "GET",
    path: `${V1}/sessions/:id/token`,
    summary: "The token of a session, signed again",
    answers: { 200: tokenAnswer },
    problems: ["unknown_record"],
    source: `${CONTROL}, D29`,
  },
  expireSession: {
    listener: "console",
    method: "POST",
    path: `${V1}/sessions/:id/expire`,
    summary: "Let a session expire now",
    answers: { 200: sessionItem },
    problems: ["unknown_record"],
    source: CONTROL,
  },
  revokeSession: {
    listener: "console",
    method: "DELETE",
    path: `${V1}/sessions/:id`,
    summary: "Revoke a session",
    answers: { 204: null },
    problems: ["unknown_record"],
    source: CONTROL,
  },

  listConnections: {
    listener: "console",
    method: "GET",
    path: `${V1}/connections`,
    summary: "List connections",
    query: connectionQuery,
    answers: { 200: list(connectionItem) },
    problems: ["invalid_fields"],
    source: CONTROL,
  },
  addConnection: {
    listener: "console",
    method: "POST",
    path: `${V1}/connections`,
    summary: "Connect a profile",
    body: connectionInput,
    answers: { 201: connectionItem },
    problems: ["invalid_fields", "unknown_profile"],
    source: CONTROL,
  },
  readConnection: {
    listener: "console",
    method: "GET",
    path: `${V1}/connections/:id`,
    summary: "Read a connection",
    answers: { 200: connectionItem },
    problems: ["unknown_record"],
    source: CONTROL,
  },
  changeConnection: {
    listener: "console",
    method: "PATCH",
    path: `${V1}/connections/:id`,
    summary: "Change a connection",
    body: connectionPatch,
    answers: { 200: connectionItem },
    problems: ["unknown_record", "invalid_fields"],
    source: CONTROL,
  },
  removeConnection: {
    listener: "console",
    method: "DELETE",
    path: `${V1}/connections/:id`,
    summary: "Remove a connection",
    answers: { 204: null },
    problems: ["unknown_record"],
    source: CONTROL,
  },

  listRequests: {
    listener: "console",
    method: "GET",
    path: `${V1}/requests`,
    summary: "The request log, newest first",
    query: requestQuery,
    answers: { 200: list(requestItem) },
    problems: ["invalid_fields"],
    source: CONTROL,
  },
  readRequest: {
    listener: "console",
    method: "GET",
    path: `${V1}/requests/:id`,
    summary: "One request and its answer",
    answers: { 200: requestItem },
    problems: ["unknown_record"],
    source: CONTROL,
  },
  requestCurl: {
    listener: "console",
    method: "GET",
    path: `${V1}/requests/:id/curl`,
    summary: "A request as a curl command, with the app's real secret; a session token is a placeholder",
    answers: { 200: z.string() },
    problems: ["unknown_record", "body_not_kept"],
    source: CONTROL,
  },
  replayRequest: {
    listener: "console",
    method: "POST",
    path: `${V1}/requests/:id/replay`,
    summary: "Send a request once more, to the listener it came to, with the app's present secret",
    answers: { 200: replayAnswer },
    problems: ["unknown_record", "body_not_kept"],
    source: CONTROL,
  },
  clearRequests: {
    listener: "console",
    method: "DELETE",
    path: `${V1}/requests`,
    summary: "Clear the request log",
    answers: { 204: null },
    problems: [],
    source: CONTROL,
  },

  streamEvents: {
    listener: "console",
    method: "GET",
    path: `${V1}/events`,
    summary: "What changes, as server-sent events",
    answers: { 200: z.string() },
    problems: ["too_many_streams"],
    source: CONTROL,
  },

  readState: {
    listener: "console",
    method: "GET",
    path: `${V1}/state`,
    summary: "The world, as one would commit it",
    query: stateQuery,
    answers: { 200: worldState },
    problems: ["unknown_record", "invalid_fields"],
    source: CONTROL,
  },
  writeState: {
    listener: "console",
    method: "PUT",
    path: `${V1}/state`,
    summary: "Merge a world into this one, or replace it: all or nothing",
    query: stateWriteQuery,
    body: stateInput,
    maxBodyBytes: 67_108_864,
    answers: {
      200: z.object({ apps: z.int(), profiles: z.int(), passcodes: z.int(), sessions: z.int(), connections: z.int() }),
    },
    problems: ["unknown_record", "invalid_fields"],
    source: CONTROL,
  },
  resetState: {
    listener: "console",
    method: "DELETE",
    path: `${V1}/state`,
    summary: "Back to the fixtures, read anew, else to the demo",
    query: ofApp,
    answers: { 204: null },
    problems: ["unknown_record", "fixtures_unreadable"],
    source: CONTROL,
  },

  readClock: {
    listener: "console",
    method: "GET",
    path: `${V1}/clock`,
    summary: "What the clock shows",
    query: clockQuery,
    answers: { 200: clockItem },
    problems: ["unknown_record"],
    source: CONTROL,
  },
  setClock: {
    listener: "console",
    method: "PUT",
    path: `${V1}/clock`,
    summary: "Move or freeze the clock; {} is real time",
    query: clockQuery,
    body: clockInput,
    answers: { 200: clockItem },
    problems: ["unknown_record", "invalid_fields"],
    source: CONTROL,
  },
  advanceClock: {
    listener: "console",
    method: "POST",
    path: `${V1}/clock/advance`,
    summary: "Move the clock by seconds",
    query: clockQuery,
    body: clockAdvance,
    answers: { 200: clockItem },
    problems: ["unknown_record", "invalid_fields"],
    source: CONTROL,
  },

  listSnapshots: {
    listener: "console",
    method: "GET",
    path: `${V1}/snapshots`,
    summary: "List the snapshots of all apps, or of one, oldest first",
    query: snapshotQuery,
    answers: { 200: list(snapshotItem) },
    problems: [],
    source: CONTROL,
  },
  saveSnapshot: {
    listener: "console",
    method: "PUT",
    path: `${V1}/snapshots/:name`,
    summary: "Save this moment under a name; one of that name gives way",
    query: snapshotQuery,
    answers: { 200: snapshotItem, 201: snapshotItem },
    problems: ["unknown_record", "invalid_fields", "too_many_snapshots"],
    source: CONTROL,
  },
  removeSnapshot: {
    listener: "console",
    method: "DELETE",
    path: `${V1}/snapshots/:name`,
    summary: "Forget a snapshot",
    query: snapshotQuery,
    answers: { 204: null },
    problems: ["unknown_record"],
    source: CONTROL,
  },
  restoreSnapshot: {
    listener: "console",
    method: "POST",
    path: `${V1}/snapshots/:name/restore`,
    summary: "Go back to a snapshot: all that it holds, or one app",
    query: snapshotQuery,
    answers: { 200: restoreAnswer },
    problems: ["unknown_record", "secret_taken", "snapshot_unreadable"],
    source: CONTROL,
  },
  diffSnapshot: {
    listener: "console",
    method: "GET",
    path: `${V1}/snapshots/:name/diff`,
    summary: "What has changed since a snapshot",
    query: diffQuery,
    answers: { 200: snapshotDiff },
    problems: ["unknown_record", "invalid_fields", "snapshot_unreadable"],
    source: CONTROL,
  },

  listFaults: {
    listener: "console",
    method: "GET",
    path: `${V1}/faults`,
    summary: "List the faults that are set, with their counters",
    query: faultQuery,
    answers: { 200: list(faultItem) },
    problems: [],
    source: CONTROL,
  },
  addFault: {
    listener: "console",
    method: "POST",
    path: `${V1}/faults`,
    summary: "Set a fault: requests that match meet it, the next few or all",
    body: faultInput,
    answers: { 201: faultItem },
    problems: ["invalid_fields", "too_many_faults"],
    source: CONTROL,
  },
  clearFaults: {
    listener: "console",
    method: "DELETE",
    path: `${V1}/faults`,
    summary: "Remove all faults, or those that name an app",
    query: faultQuery,
    answers: { 204: null },
    problems: [],
    source: CONTROL,
  },
  readFault: {
    listener: "console",
    method: "GET",
    path: `${V1}/faults/:id`,
    summary: "Read a fault",
    answers: { 200: faultItem },
    problems: ["unknown_record"],
    source: CONTROL,
  },
  removeFault: {
    listener: "console",
    method: "DELETE",
    path: `${V1}/faults/:id`,
    summary: "Remove a fault",
    answers: { 204: null },
    problems: ["unknown_record"],
    source: CONTROL,
  },
} as const satisfies Record<string, Operation>;

/** The name of an operation. */
export type OperationId = keyof typeof routes;
/** The row of an operation. */
export type Route<K extends OperationId> = (typeof routes)[K];
/** The query that a handler gets, parsed. */
export type QueryOf<K extends OperationId> =
  Route<K> extends { readonly query: infer Q extends z.ZodType } ? z.output<Q> : undefined;
/** The body that a handler gets, parsed; as a raw JSON object where the rules check it. */
export type BodyOf<K extends OperationId> =
  Route<K> extends { readonly checkedBy: "rule" }
    ? import("./scalars.ts").JsonObject
    : Route<K> extends { readonly body: infer B extends z.ZodType }
      ? z.output<B>
      : undefined;
/** A status that success may have. */
export type StatusOf<K extends OperationId> = Extract<keyof Route<K>["answers"], number>;
/** What success answers, before it is JSON. */
export type AnswerOf<K extends OperationId, S extends StatusOf<K> = StatusOf<K>> = Route<K>["answers"] extends infer A
  ? S extends keyof A
    ? A[S] extends z.ZodType
      ? z.input<A[S]>
      : null
    : never
  : never;
