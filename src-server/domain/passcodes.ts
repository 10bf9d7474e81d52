/**
 * The life of a passcode: issued, tried, used, replaced, expired, exhausted (SPEC 4.2.2 and 4.2.3, D24, D25).
 */
import type { DeviceItem } from "#contract/devices.ts";
import type { PasscodeItem, PasscodeStatus } from "#contract/passcodes.ts";
import { invalid, type ProblemCode, problem } from "#contract/problems.ts";
import type { PasscodeRecord, ProfileRecord } from "#contract/records.ts";
import { type EpochMs, epochMs, isoInstant } from "#contract/scalars.ts";
import { effectiveSettings } from "#contract/settings.ts";
import { Changes } from "./changes.ts";
import type { Decision } from "./decision.ts";
import { lotOf, newId, requestIdOf } from "./deterministic.ts";
import type { Env } from "./env.ts";
import { messageText } from "./message.ts";
import type { AppWorld, World } from "./world.ts";

/** How many tries of one passcode are remembered by what was typed, and how much of each. */
const TRIED = { entries: 100, characters: 64 } as const;

/** @returns what became of a passcode by now; expiry is computed, so that a clock turned back revives it. */
export const passcodeStatus = (passcode: PasscodeRecord, now: EpochMs): PasscodeStatus =>
  passcode.state === "active" && isoInstant(now) >= passcode.expiresAt ? "expired" : passcode.state;

/**
 * Issues a passcode to a profile: the one of its `testPasscode`, or the app's fixed one, or a random one. An older one
 * that is still active is replaced; the oldest beyond the retention go.
 */
export const issuePasscode = (
  changes: Changes,
  app: AppWorld,
  profile: ProfileRecord,
  to: string,
  env: Env,
): PasscodeRecord => {
  const { appId, strategy, settings } = app.app;
  const { passcode: rules } = effectiveSettings(settings);
  for (const older of app.of("passcodes", profile.userId)) {
    if (older.state === "active") changes.put("passcodes", appId, { ...older, state: "replaced" });
  }
  const excess = app.passcodes.length + 1 - env.retention.passcodes;
  if (excess > 0)
    changes.remove(
      "passcodes",
      appId,
      app.passcodes.slice(0, excess).map((oldest) => oldest.id),
    );

  const now = env.now(appId);
  const code = profile.testPasscode ?? rules.fixed ?? env.digits(rules.length, lotOf(app.app, "code"));
  const channel = strategy === "phone" ? "sms" : "email";
  return changes.put("passcodes", appId, {
    id: newId(env, app, "passcode"),
    seq: changes.seq,
    userId: profile.userId,
    channel,
    to,
    code,
    message: messageText(app.app, channel, code),
    state: "active",
    delivery: env.request.undelivered === true ? "failed" : "sent",
    attempts: 0,
    tried: [],
    requestId: requestIdOf(env, app),
    createdAt: isoInstant(now),
    expiresAt: isoInstant(epochMs(now + rules.ttlSeconds * 1000)),
  });
};

/** Sends a passcode to a profile without a request of the client (control API). */
export const sendPasscode = (world: World, app: AppWorld, userId: string, env: Env): Decision<PasscodeRecord> => {
  const profile = app.find("profiles", userId);
  if (profile === undefined) return problem("unknown_profile");
  const { strategy } = app.app;
  const to = profile[strategy];
  if (to === null) return invalid({ userId: [`has no ${strategy} to send a passcode to`] });
  const changes = new Changes(world);
  return changes.decided(issuePasscode(changes, app, profile, to, env));
};

/** Compares in a time that does not depend on where the texts differ. */
const sameText = (a: string, b: string): boolean => {
  let difference = a.length ^ b.length;
  for (let i = 0; i < a.length; i++) difference |= a.charCodeAt(i) ^ b.charCodeAt(i);
  return difference === 0;
};

/** A passcode as text of this length: a number has lost its leading zeros (D24). */
const asText = (typed: string | number, length: number): string =>
  typeof typed === "string" ? typed : String(typed).padStart(length, "0");

const matches = (typed: string | number, code: string): boolean => sameText(asText(typed, code.length), code);

/** Counts a try: before it is compared, and for good. */
const counted = (passcode: PasscodeRecord, typed: string | number): PasscodeRecord => ({
  ...passcode,
  attempts: passcode.attempts + 1,
  tried: [...passcode.tried, asText(typed, passcode.code.length).slice(0, TRIED.characters)].slice(-TRIED.entries),
});

const REASONS = {
  used: "passcode_used",
  replaced: "passcode_replaced",
  expired: "passcode_expired",
  exhausted: "passcode_exhausted",
} as const satisfies Record<Exclude<PasscodeStatus, "active">, ProblemCode>;

/**
 * Tries a passcode for a profile and notes the try in `changes`, whatever comes of it.
 * @param typed as the client sent it. @returns undefined if it is right and now used up, else why not (D25).
 */
export const tryPasscode = (
  changes: Changes,
  app: AppWorld,
  profile: ProfileRecord,
  typed: string | number,
  env: Env,
): ProblemCode | undefined => {
  const { appId } = app.app;
  const test = profile.testPasscode;
  const issued = app.of("passcodes", profile.userId);
  const newest = issued.at(-1);
  const status = newest === undefined ? undefined : passcodeStatus(newest, env.now(appId));
  // The row of a testPasscode stays active whatever is typed: its tries are counted, no more.
  const standing = newest !== undefined && newest.code === test;

  if (test !== undefined && matches(typed, test)) {
    if (newest !== undefined && standing && newest.state === "active")
      changes.put("passcodes", appId, counted(newest, typed));
    return undefined;
  }
  if (newest === undefined || status === undefined)
    return test === undefined ? "passcode_not_sent" : "passcode_mismatch";
  if (status !== "active") return REASONS[status];

  const { maxAttempts } = effectiveSettings(app.app.settings).passcode;
  const after = counted(newest, typed);
  if (!standing && after.attempts > maxAttempts) return "passcode_exhausted";
  if (matches(typed, newest.code)) {
    changes.put("passcodes", appId, { ...after, state: "used" });
    return undefined;
  }
  const dead = !standing && after.attempts >= maxAttempts;
  changes.put("passcodes", appId, dead ? { ...after, state: "exhausted" } : after);
  return issued.some((older) => older.state === "replaced" && matches(typed, older.code))
    ? "passcode_replaced"
    : "passcode_mismatch";
};

/** Lets a passcode expire now (control API). */
export const expirePasscode = (world: World, app: AppWorld, id: string, env: Env): Decision<PasscodeRecord> => {
  const passcode = app.find("passcodes", id);
  if (passcode === undefined) return problem("unknown_record");
  const changes = new Changes(world);
  const now = isoInstant(env.now(app.app.appId));
  if (passcode.expiresAt <= now) return changes.decided(passcode);
  return changes.decided(changes.put("passcodes", app.app.appId, { ...passcode, expiresAt: now }));
};

/** Clears the passcodes of these apps (control API). */
export const clearPasscodes = (world: World, apps: readonly AppWorld[]): Decision<null> => {
  const changes = new Changes(world);
  for (const app of apps)
    changes.remove(
      "passcodes",
      app.app.appId,
      app.passcodes.map((passcode) => passcode.id),
    );
  return changes.decided(null);
};

/** A passcode as the control API shows it. @param devices that it went to; they are kept beside the world. */
export const passcodeItem = (
  appId: string,
  passcode: PasscodeRecord,
  now: EpochMs,
  devices: readonly DeviceItem[] = [],
): PasscodeItem => ({
  id: passcode.id,
  seq: passcode.seq,
  appId,
  userId: passcode.userId,
  channel: passcode.channel,
  to: passcode.to,
  code: passcode.code,
  message: passcode.message,
  status: passcodeStatus(passcode, now),
  delivery: passcode.delivery,
  devices: [...devices],
  attempts: passcode.attempts,
  tried: passcode.tried,
  requestId: passcode.requestId,
  createdAt: passcode.createdAt,
  expiresAt: passcode.expiresAt,
});
