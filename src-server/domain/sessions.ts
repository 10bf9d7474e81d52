/** Sessions: sign up, send a passcode, authenticate (service.md 4.2, D20 to D29). */
import { BOUNDS } from "#contract/bounds.ts";
import {
  beginningOf,
  type EpochMs,
  epochMs,
  epochSeconds,
  expirySeconds,
  instantMs,
  isJsonArray,
  isJsonObject,
  isoInstant,
  type JsonValue,
  setKey,
} from "#contract/scalars.ts";
import { TEXTS } from "#contract/service/attributes.ts";
import { effectiveSettings } from "#contract/service/effective-settings.ts";
import { invalid, type Problem, problem } from "#contract/service/problems.ts";
import type { ProfileFields } from "#contract/service/profiles.ts";
import { type AppRecord, idOf, type PasscodeRecord, type SessionRecord } from "#contract/service/records.ts";
import {
  passcodeInput,
  type SessionItem,
  type SessionUser,
  sessionUser,
  sessionUserLenient,
} from "#contract/service/sessions.ts";
import { usernameField } from "#contract/service/strategies.ts";
import { type FieldErrors, mergeErrors } from "#contract/validation.ts";
import { Changes, type Decision, type Notes } from "./decision.ts";
import { issuePasscode } from "./issue-passcode.ts";
import { newId, requestIdOf } from "./new-ids.ts";
import { type Checks, checkFor } from "./profile-fields.ts";
import { isUntouched, requiredErrors, takenError } from "./profile-rules.ts";
import { putProfile } from "./profiles.ts";
import { tryPasscode } from "./try-passcode.ts";
import type { AppWorld, Env, World } from "./world.ts";

/** A session request, normalised from the app's wire shape (D20, D21). Values are as sent. */
export interface SessionRequest {
  readonly user: JsonValue | undefined;
  readonly passcode: JsonValue | undefined;
  /** The client's names for the fields, for a 422. */
  readonly names: { readonly user: string; readonly passcode: string };
  /** Unknown keys of the body. */
  readonly ignoredFields: readonly string[];
  /** The paths of the fields that a POST does not read: the passcode; and the way to those of the user. */
  readonly unread: { readonly passcode: string; readonly ofUser: string };
  /** A field that resembles the passcode field, if that is absent. */
  readonly lookAlike?: string;
}

const CHECKS: Checks<SessionUser> = { strict: sessionUser, lenient: sessionUserLenient };

/** @param paths of unknown fields. @returns errors for them if the app rejects them (D10); otherwise undefined. */
const unknownFieldErrors = ({ app }: AppWorld, paths: readonly string[]): FieldErrors | undefined => {
  if (paths.length === 0 || effectiveSettings(app.settings).unknownFields === "ignore") return undefined;
  const errors: FieldErrors = {};
  for (const path of paths) setKey(errors, path.slice(path.lastIndexOf(".") + 1), ["is unknown"]);
  return errors;
};

/** Validates the user: an object with the app's username and valid fields (D20, D23). */
const readUser = (app: AppWorld, request: SessionRequest) => {
  const { user, names } = request;
  if (typeof user !== "object" || user === null || isJsonArray(user)) {
    return invalid({ [names.user]: [user === undefined || user === null ? "can't be blank" : "must be an object"] });
  }
  const field = usernameField(app.app);
  const missing = (user[field] ?? null) === null ? { [field]: ["can't be blank"] } : {};
  const checked = checkFor(app.app, CHECKS, user);
  const unknown = unknownFieldErrors(app, request.ignoredFields);
  const errors = mergeErrors(missing, "errors" in checked ? checked.errors : {}, unknown ?? {});
  const username = "errors" in checked ? undefined : checked.data[field];
  if ("errors" in checked || typeof username !== "string" || unknown !== undefined) return invalid(errors);
  const notes: Notes = { ignoredFields: request.ignoredFields, warnings: checked.warnings };
  return { user: checked.data, username, notes };
};

/** What is new of a record: its id, its position, whose it is, and when it begins. */
interface Begun {
  readonly id: string;
  readonly seq: number;
  readonly userId: string;
  readonly nowMs: EpochMs;
}

/** @param ttlSeconds absent: as the app's settings say. @returns a session without what its request adds (D28, D29). */
export const newSession = (
  { settings }: Pick<AppRecord, "settings">,
  { id, seq, userId, nowMs }: Begun,
  urls: Env["urls"],
  ttlSeconds?: number,
): SessionRecord => {
  const { session, token } = effectiveSettings(settings);
  // `exp` is `iat` plus the lifetime: both begin with the whole second.
  const expiration = epochSeconds(nowMs) + (ttlSeconds ?? session.ttlSeconds);
  return {
    id,
    seq,
    userId,
    createdAt: isoInstant(nowMs),
    expiresAt: isoInstant(epochMs(expiration * 1000)),
    revokedAt: null,
    device: null,
    requestId: null,
    issuer: token.issuer ?? urls.auth,
    audience: token.audience ?? urls.admin,
  };
};

/** Creates a session for a profile, and removes the oldest beyond the retention limit (D28, D29). */
export const beginSession = (
  changes: Changes,
  app: AppWorld,
  userId: string,
  env: Env,
  ttlSeconds?: number,
): SessionRecord => {
  const { appId } = app.app;
  const excess = Math.max(0, app.sessions.length + 1 - env.retention.sessions);
  changes.remove("sessions", appId, app.sessions.slice(0, excess).map(idOf));
  const nowMs = env.now(appId);
  const begun = { id: newId(env, app, "session"), seq: changes.seq, userId, nowMs };
  return changes.put("sessions", appId, {
    ...newSession(app.app, begun, env.urls, ttlSeconds),
    device: env.request.device,
    requestId: requestIdOf(env, app),
  });
};

/** The result of a POST: a session for a new user, a passcode for an existing one (service.md 4.2.1, 4.2.2). */
export type Started = { readonly session: SessionRecord } | { readonly passcode: PasscodeRecord };

/** Extra information of an authentication: other fields that are present and not null (service.md 4.2.4, D26). */
const extraInformation = ({ app }: AppWorld, user: SessionUser): ProfileFields => {
  const username = usernameField(app);
  const sent = TEXTS.filter((field) => field !== username && typeof user[field] === "string");
  return Object.fromEntries(sent.map((field) => [field, user[field]]));
};

/** @returns the notes of a POST: with the passcode, and for a user who is there with extra information, which it ignores. */
const notesOfPost = (request: SessionRequest, notes: Notes, extra: ProfileFields): Notes => {
  const { passcode, unread } = request;
  const isPasscode = passcode !== undefined && passcode !== null;
  const names = Object.keys(extra);
  if (!isPasscode && names.length === 0) return notes;
  const ignored = [...(isPasscode ? [unread.passcode] : []), ...names.map((name) => `${unread.ofUser}${name}`)];
  return { ...notes, ignoredFields: [...(notes.ignoredFields ?? []), ...ignored] };
};

/** POST: signs up, or sends a passcode, by the username (D22). @param limit refuses a passcode too many (D31). */
export const startSession = (
  world: World,
  app: AppWorld,
  request: SessionRequest,
  env: Env,
  limit: (username: string) => Problem | undefined = () => undefined,
): Decision<Started> => {
  const read = readUser(app, request);
  if ("problem" in read) return read;
  const hasPasscode = request.passcode !== undefined && request.passcode !== null;
  const stranger = unknownFieldErrors(app, hasPasscode ? [request.unread.passcode] : []);
  if (stranger !== undefined) return invalid(stranger);
  const changes = new Changes(world);
  const existing = app.profileByUsername(read.username);
  if (existing !== undefined) {
    const refused = limit(read.username);
    if (refused !== undefined) return { problem: refused, notes: { userId: existing.userId } };
    const to = existing[usernameField(app.app)] ?? read.username;
    const notes = notesOfPost(request, read.notes, extraInformation(app, read.user));
    const passcode = issuePasscode(changes, app, existing, to, env);
    if ("problem" in passcode) return { ...passcode, notes: { userId: existing.userId } };
    const warnings = [...(notes.warnings ?? []), ...(passcode.resent ? [RESENT] : [])];
    return changes.decided({ passcode }, { ...notes, warnings });
  }
  if (effectiveSettings(app.app.settings).signUp === "closed") return problem("sign_up_closed");
  const missing = requiredErrors(app.app, isJsonObject(request.user) ? request.user : {}, true);
  if (Object.keys(missing).length > 0) return invalid(missing);
  const taken = takenError(app, read.user);
  if (taken !== undefined) return invalid(taken);

  const { userId } = putProfile(changes, app, read.user, env);
  const notes = notesOfPost(request, read.notes, {});
  return changes.decided({ session: beginSession(changes, app, userId, env) }, notes);
};

/** What the row of a POST says that sent an active code again. */
const RESENT = "The code that was active was sent again, with its attempts and its end (passcode.resend).";

const readPasscode = (request: SessionRequest) => {
  const parsed = passcodeInput.safeParse(request.passcode);
  // No code is this long, so its beginning is as wrong as the whole.
  if (parsed.success) {
    const { data } = parsed;
    return { typed: typeof data === "string" ? beginningOf(data, BOUNDS.passcodeLength.most) : data };
  }
  const absent = request.passcode === undefined || request.passcode === null;
  const refused = invalid({ [request.names.passcode]: [absent ? "can't be blank" : "must be a string of digits"] });
  if (request.lookAlike === undefined) return refused;
  const instruction = `The passcode belongs in "${request.names.passcode}"; the body has "${request.lookAlike}".`;
  return { problem: { ...refused.problem, instruction } };
};

/** PUT: checks the passcode of an existing user, updates the profile and creates a session, atomically (D24 to D26). */
export const authenticate = (
  world: World,
  app: AppWorld,
  request: SessionRequest,
  env: Env,
): Decision<SessionRecord> => {
  const read = readUser(app, request);
  if ("problem" in read) return read;
  const profile = app.profileByUsername(read.username);
  const notes: Notes = profile === undefined ? read.notes : { ...read.notes, userId: profile.userId };
  const passcode = readPasscode(request);
  if ("problem" in passcode) return { ...passcode, notes };
  if (profile === undefined) return problem("unknown_user");

  const extra = extraInformation(app, read.user);
  const taken = takenError(app, extra, profile.userId);
  if (taken !== undefined) return { ...invalid(taken), notes };
  const changes = new Changes(world);
  const refusal = tryPasscode(changes, app, profile, passcode.typed, env);
  if (refusal !== undefined) return changes.refused(problem(refusal), notes);
  const changed = { ...profile, ...extra, updatedAt: isoInstant(env.now(app.app.appId)) };
  if (Object.keys(extra).length > 0 && !isUntouched(app.app, profile, changed))
    changes.put("profiles", app.app.appId, changed);
  return changes.decided(beginSession(changes, app, profile.userId, env), read.notes);
};

/** @returns the state of a session at `now`; expiry is computed. */
export const sessionState = (session: SessionRecord, now: EpochMs): SessionItem["state"] => {
  if (session.revokedAt !== null) return "revoked";
  return isoInstant(now) >= session.expiresAt ? "expired" : "active";
};

/** User Session, with keys in the order of service.md 2.2 (D28). @param now the app's time. */
export const sessionAnswer = ({ settings }: AppRecord, session: SessionRecord, token: string, now: EpochMs) => {
  const { id, userId, expiresAt } = session;
  const expiration = {
    seconds: expirySeconds(instantMs(expiresAt)),
    milliseconds: expirySeconds(instantMs(expiresAt)) * 1_000,
    // At least 0, however late the response is: so is every `EpochMs`.
    ttl: expirySeconds(epochMs(instantMs(expiresAt) - now)),
  }[effectiveSettings(settings).session.expiration];
  return { id, expiration, userId, token };
};

/** @returns a session in the form of the control API. */
export const sessionItem = (appId: string, session: SessionRecord, now: EpochMs): SessionItem => {
  const { id, seq, issuer: _, audience: __, ...shown } = session;
  return { id, seq, appId, ...shown, state: sessionState(session, now) };
};
