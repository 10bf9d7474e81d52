/** The rows of the operation table that the kernel has. Those of features are in their manifests. */
import { z } from "zod";
import { optional, uuidText } from "../scalars.ts";
import { allCounts, appItem, appPatch, appsQuery, namedApp, ofApp, ofUser, userCounts } from "../service/apps.ts";
import { connectionInput, connectionItem, connectionPatch } from "../service/connections.ts";
import type { EffectiveSettings } from "../service/effective-settings.ts";
import { latestQuery, passcodeItem, passcodeQuery, passcodeSend } from "../service/passcodes.ts";
import {
  pageQuery,
  pageQueryOf,
  profileAnswer,
  profileChangeExtras,
  profileExtras,
  profileFields,
  profileItem,
  profileQuery,
  profileUpdateAnswer,
} from "../service/profiles.ts";
import {
  authenticateBody,
  discoveryDocument,
  introspectBody,
  introspection,
  sessionAnswer,
  sessionInput,
  sessionItem,
  sessionQuery,
  startSessionBody,
  tokenAnswer,
  wrongTokenAnswer,
  wrongTokenInput,
} from "../service/sessions.ts";
import { clockAdvance, clockInput, clockItem } from "./clock.ts";
import { eventQuery } from "./events.ts";
import { failedAnswer, failedQuery, requestItem, requestQuery, resendAnswer, resendInput } from "./requests.ts";
import { control, gone, listOf, answersMade as made, answersOk as ok, pagesOf, row } from "./rows.ts";
import {
  createdApp,
  newApp,
  OTHER_FORMS,
  resetQuery,
  resetTrial,
  stateInput,
  stateQuery,
  stateWriteQuery,
  worldState,
} from "./state.ts";
import { status } from "./status.ts";

const admin = row("admin", "/v1/profiles", { auth: "secret" });
const auth = row("auth", "/", {});
const session = row("auth", "/v1/users/session", {});
const TOKENS = { decision: "D29" } as const;
const ISSUER = { decision: "D29" } as const;
const keySet = z.object({ keys: z.array(z.record(z.string(), z.unknown())) });
const either = { 200: sessionAnswer, 201: sessionAnswer } as const;

const addedProfile = z.object({ ...profileFields.shape, ...profileExtras.shape, ...namedApp });
const changedProfile = z.object({ ...profileFields.shape, ...profileChangeExtras.shape });
const userIds = z.array(uuidText).max(100_000);
const removedProfiles = z.strictObject({
  ...namedApp,
  userIds: optional(userIds, "The profiles of the app."),
  apps: optional(
    z.array(z.strictObject({ appId: z.string(), userIds })).max(1_000),
    "Instead of `appId` and `userIds`: the profiles of several apps, all in one transaction.",
  ),
});
const clearedRequests = z.strictObject({
  ids: optional(z.array(z.string()).max(100_000), "Only these requests."),
  undo: optional(
    z.literal(true),
    "Instead brings back what the last call has cleared, until the next one or a restart.",
  ),
});
const newSession = z.object({ ...sessionItem.shape, token: z.string() });
// A copy: the counts within other schemas must not become references to this one.
const imported = z.object({
  ...allCounts.shape,
  users: optional(userCounts, "With `users=1`."),
  undoable: optional(
    z.literal(false),
    "Only if the import cannot be undone: it replaces more than the timeline keeps of an app.",
  ),
});
const extension = {
  auth: "session",
  problems: ["invalid_token", "method_not_allowed"],
  source: "D30",
  decision: "D30",
} as const;

/** @see the file */
// biome-ignore format: a table
export const kernelRoutes = {
  createProfile: admin("POST", "", "Create a profile", made(profileAnswer),
    { body: profileFields, checkedBy: "rule", source: "service.md 4.1, D1, D4 to D10, D15", decision: "D1" }),
  listProfiles: admin("GET", "", "List profiles, in order of creation", ok(z.array(profileAnswer)),
    { query: pageQuery, queryOf: ({ list }: EffectiveSettings) => pageQueryOf(list),
      source: "service.md 4.1, D12", decision: "D12" }),
  retrieveProfile: admin("GET", "/:userId", "Retrieve a profile", ok(profileAnswer),
    { source: "service.md 4.1, D13", decision: "D13" }),
  updateProfile: admin("PUT", "/:userId", "Update a profile", ok(profileUpdateAnswer),
    { body: profileFields, checkedBy: "rule", source: "service.md 2.1.2 to 2.1.4, D2 to D11", decision: "D2" }),
  deleteProfile: admin("DELETE", "/:userId", "Delete a profile and its data", gone,
    { source: "service.md 4.1, D14", decision: "D14" }),

  startSession: session("POST", "",
    "Sign up a new user, or send a passcode to an existing one", { 200: sessionAnswer, 201: sessionAnswer, 202: null },
    { body: startSessionBody, checkedBy: "rule",
      problems: ["ambiguous_app", "unknown_app", "sign_up_closed", "rate_limited", "too_many_passcodes"],
      source: "service.md 4.2.1, 4.2.2, D20 to D23, D32", decision: "D22" }),
  authenticate: session("PUT", "", "Authenticate an existing user by passcode", either,
    { body: authenticateBody, checkedBy: "rule",
      problems: ["ambiguous_app", "unknown_app", "unknown_user", "passcode_not_sent", "passcode_mismatch",
        "passcode_replaced", "passcode_expired", "passcode_used", "passcode_exhausted", "rate_limited"],
      source: "service.md 4.2.3, 4.2.4, D24 to D26", decision: "D24" }),
  readSession: session("GET", "",
    "Read the session of a token (only with the setting sessionExtensions)", ok(sessionAnswer), extension),
  endSession: session("DELETE", "", "Revoke the session of a token (only with the setting sessionExtensions)", gone,
    extension),
  readJwks: auth("GET", ".well-known/jwks.json",
    "The public keys of session tokens", ok(keySet), { source: "D29", decision: "D29" }),
  readOpenIdConfiguration: auth("GET", ".well-known/openid-configuration",
    "Discovery document for verifiers of session tokens (OpenID Connect)", ok(discoveryDocument), TOKENS),
  readAuthorizationServer: auth("GET", ".well-known/oauth-authorization-server",
    "The same document (RFC 8414)", ok(discoveryDocument), TOKENS),
  readAppJwks: auth("GET", "apps/:appId/.well-known/jwks.json", "The same keys, below an app", ok(keySet), ISSUER),
  readAppOpenIdConfiguration: auth("GET", "apps/:appId/.well-known/openid-configuration",
    "Discovery document of an app whose `token.issuer` is this URL", ok(discoveryDocument), ISSUER),
  readAppAuthorizationServer: auth("GET", "apps/:appId/.well-known/oauth-authorization-server",
    "The same document of an app", ok(discoveryDocument), ISSUER),
  readAuthorizationServerOfApp: auth("GET", ".well-known/oauth-authorization-server/apps/:appId",
    "The same document of an app, where RFC 8414 has it", ok(discoveryDocument), ISSUER),

  readStatus: control("GET", "status", "Status of Stagedoor", ok(status)),
  stop: control("POST", "stop", "Stop Stagedoor: it responds with its status, then exits", ok(status),
    { problems: ["not_stoppable"], isDrastic: true }),

  listApps: control("GET", "apps", "List apps", listOf(appItem), { query: appsQuery, bound: "query" }),
  createApp: control("POST", "apps", "Create an app, and its users", made(createdApp),
    { body: newApp, checkedBy: "rule", problems: ["too_many_leases", "too_many_shared_apps", "unknown_record"], bound: "new",
      heavy: "like" }),
  readApp: control("GET", "apps/:appId", "Read an app", ok(appItem), { bound: "path" }),
  updateApp: control("PATCH", "apps/:appId", "Update an app", ok(appItem),
    { body: appPatch, checkedBy: "rule", problems: ["username_collision"], bound: "path" }),
  deleteApp: control("DELETE", "apps/:appId", "Delete an app and all its data", gone, { bound: "path" }),
  renewSecret: control("POST", "apps/:appId/secret", "Generate a new app secret", ok(appItem)),

  searchProfiles: control("GET", "profiles", "Search profiles", pagesOf(profileItem),
    { query: profileQuery, problems: ["unknown_profile"], bound: "query", heavy: "large" }),
  addProfile: control("POST", "profiles", "Create a profile", made(profileItem),
    { body: addedProfile, checkedBy: "rule", problems: ["unknown_record"], bound: "body" }),
  provideProfile: control("PUT", "profiles", "Update the profile with this phone or email, or create it",
    ok(profileItem), { body: addedProfile, checkedBy: "rule", problems: ["unknown_record"], bound: "body" }),
  readProfile: control("GET", "profiles/:userId", "Read a profile", ok(profileItem), { query: ofApp, bound: "query" }),
  changeProfile: control("PATCH", "profiles/:userId", "Update a profile", ok(profileItem),
    { query: ofApp, body: changedProfile, checkedBy: "rule", bound: "query" }),
  removeProfile: control("DELETE", "profiles/:userId", "Delete a profile and its data", gone,
    { query: ofApp, bound: "query" }),
  removeProfiles: control("POST", "profiles/delete", "Delete several profiles", ok(z.object({ deleted: z.int() })),
    { body: removedProfiles, problems: ["unknown_record"], bound: "body", heavy: "large" }),

  listPasscodes: control("GET", "passcodes", "List passcodes, newest first", pagesOf(passcodeItem),
    { query: passcodeQuery, bound: "query" }),
  sendPasscode: control("POST", "passcodes", "Send a passcode to a profile", made(passcodeItem),
    { body: passcodeSend, problems: ["unknown_record", "unknown_profile"], bound: "body" }),
  clearPasscodes: control("DELETE", "passcodes", "Clear the passcodes", gone,
    { query: ofApp, bound: "query", isDrastic: true }),
  latestPasscode: control("GET", "passcodes/latest",
    "Wait for the newest matching passcode; as text/plain only the code", ok(passcodeItem),
    { query: latestQuery, problems: ["no_passcode", "too_many_waits"], bound: "query" }),
  readPasscode: control("GET", "passcodes/:id", "Read a passcode", ok(passcodeItem), { bound: "own" }),
  expirePasscode: control("POST", "passcodes/:id/expire", "Expire a passcode now", ok(passcodeItem), { bound: "own" }),

  listSessions: control("GET", "sessions", "List sessions, newest first", pagesOf(sessionItem),
    { query: sessionQuery, bound: "query" }),
  addSession: control("POST", "sessions", "Sign a user in without a passcode", made(newSession),
    { body: sessionInput, problems: ["unknown_record", "unknown_profile"], bound: "body" }),
  revokeSessions: control("DELETE", "sessions", "Revoke the sessions of a user, of an app, or all sessions", gone,
    { query: ofUser, bound: "query", isDrastic: true }),
  introspect: control("POST", "sessions/introspect",
    "Introspect a token: whether it is active, and its claims (RFC 7662)", ok(introspection),
    { body: introspectBody, takesForm: true, source: "D29", bound: "own" }),
  readSessionItem: control("GET", "sessions/:id", "Read a session", ok(sessionItem), { bound: "own" }),
  readSessionToken: control("GET", "sessions/:id/token", "Sign a new token for a session", ok(tokenAnswer),
    { source: "D29", bound: "own" }),
  signToken: control("POST", "sessions/:id/token",
    "Sign a token for a session: a valid one, or one with a defect", ok(wrongTokenAnswer),
    { body: wrongTokenInput, problems: ["own_key"], bound: "own" }),
  expireSession: control("POST", "sessions/:id/expire", "Expire a session now", ok(sessionItem), { bound: "own" }),
  revokeSession: control("DELETE", "sessions/:id", "Revoke a session", gone, { bound: "own" }),

  listConnections: control("GET", "connections", "List connections", listOf(connectionItem),
    { query: ofUser, bound: "query" }),
  addConnection: control("POST", "connections", "Create a connection", made(connectionItem),
    { body: connectionInput, problems: ["unknown_record", "unknown_profile"], bound: "body" }),
  readConnection: control("GET", "connections/:id", "Read a connection", ok(connectionItem), { bound: "own" }),
  changeConnection: control("PATCH", "connections/:id", "Update a connection", ok(connectionItem),
    { body: connectionPatch, bound: "own" }),
  removeConnection: control("DELETE", "connections/:id", "Delete a connection", gone, { bound: "own" }),

  listRequests: control("GET", "requests", "The request log, newest first", pagesOf(requestItem),
    { query: requestQuery, bound: "query" }),
  failedRequests: control("GET", "requests/failed",
    "The newest ten failed requests of an app as text, oldest first, for the output of a test",
    ok(failedAnswer), { query: failedQuery, bound: "query" }),
  readRequest: control("GET", "requests/:id", "Read a request and its response", ok(requestItem), { bound: "row" }),
  requestCurl: control("GET", "requests/:id/curl",
    "Get a request as a curl command, with the app secret and a placeholder for session tokens", ok(z.string()),
    { problems: ["body_not_kept"], contentType: "text/plain", bound: "row" }),
  resendRequest: control("POST", "requests/:id/replay",
    "Resend a request, unchanged or edited, to the same listener with the current app secret", ok(resendAnswer),
    { body: resendInput, problems: ["body_not_kept"], bound: "row" }),
  clearRequests: control("DELETE", "requests", "Clear the request log, completely, of an app, or some of its rows", gone,
    { query: ofApp, body: clearedRequests, bound: "query", isDrastic: true }),

  streamEvents: control("GET", "events", "Stream changes as server-sent events", ok(z.string()),
    { query: eventQuery, problems: ["too_many_streams"], bound: "own" }),

  readState: control("GET", "state", "Export the data as a fixture", ok(worldState),
    { query: stateQuery, bound: "query", heavy: "always" }),
  writeState: control("PUT", "state", "Import data: merge or replace, all or nothing", ok(imported),
    { query: stateWriteQuery, body: stateInput, otherBodies: { without: "state", says: `${OTHER_FORMS}.` }, maxBodyBytes: 67_108_864, bound: "query", heavy: "always" }),
  resetState: control("DELETE", "state",
    "Reset to the fixtures, which are reloaded, or to the demo data; with `dryRun=1` only say what that removes",
    { 200: resetTrial, ...gone },
    { query: resetQuery, problems: ["fixtures_unreadable"], bound: "query", isDrastic: true, heavy: "always" }),

  readClock: control("GET", "clock", "Read the clock", ok(clockItem), { query: ofApp, bound: "query" }),
  setClock: control("PUT", "clock", "Set or freeze the clock; {} returns to real time", ok(clockItem),
    { query: ofApp, body: clockInput, bound: "query" }),
  advanceClock: control("POST", "clock/advance", "Advance the clock", ok(clockItem),
    { query: ofApp, body: clockAdvance, bound: "query" }),
} as const;
