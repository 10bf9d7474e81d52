/** The types of `stagedoor/client`: the contract's shapes by the names that its users read. */
import { z } from "zod";
import { featureTypes } from "#features/parts.ts";
import { clockInput, clockItem } from "../control/clock.ts";
import { eventData } from "../control/events.ts";
import { firstFailure, requestItem, requestQuery, resendAnswer, resendInput } from "../control/requests.ts";
import { routes } from "../control/routes.ts";
import { resetTrial, worldState } from "../control/state.ts";
import { status } from "../control/status.ts";
import { allCounts, appItem, appPatch, ofUser } from "../service/apps.ts";
import { connectionInput, connectionItem, connectionPatch } from "../service/connections.ts";
import { latestQuery, passcodeItem, passcodeQuery } from "../service/passcodes.ts";
import { profileItem } from "../service/profiles.ts";
import { scenario } from "../service/scenarios.ts";
import {
  introspection,
  sessionAnswer,
  sessionInput,
  sessionItem,
  sessionQuery,
  wrongTokenAnswer,
  wrongTokenInput,
} from "../service/sessions.ts";
import { settings } from "../service/settings.ts";

/** Name → schema and description. */
export const clientTypes = {
  Counts: [allCounts, "Record counts of all apps, or of those concerned."],
  ImportCounts: [
    routes.writeState.answers[200],
    "What an import holds, and how many users are new, changed and the same.",
  ],
  ResetTrial: [resetTrial, "What a reset would remove, because the fixtures do not have it."],
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
} as const;
