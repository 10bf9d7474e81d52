/** The life cycle of a passcode: issued, tried, used, replaced, expired, exhausted (service.md 4.2.2, 4.2.3, D24, D25). */
import { BOUNDS } from "#contract/bounds.ts";
import { type EpochMs, epochMs, foldUsername, isoInstant } from "#contract/scalars.ts";
import { effectiveSettings } from "#contract/service/effective-settings.ts";
import type { DeviceItem, PasscodeItem, PasscodeStatus } from "#contract/service/passcodes.ts";
import { invalid, type ProblemCode, problem } from "#contract/service/problems.ts";
import { idOf, type PasscodeRecord, type ProfileRecord, type Transit } from "#contract/service/records.ts";
import { STRATEGIES, usernameField } from "#contract/service/strategies.ts";
import { personaLocale } from "#contract/words/languages.ts";
import { Changes, type Decision, stored } from "./decision.ts";
import { messageText } from "./message.ts";
import { newId, requestIdOf } from "./new-ids.ts";
import type { AppWorld, Env, World } from "./world.ts";

/** @returns the status at `now`: expiry is computed. A `testPasscode` of the user stays active until replaced (D24). */
export const passcodeStatus = (
  passcode: PasscodeRecord,
  profile: ProfileRecord | undefined,
  now: EpochMs,
): PasscodeStatus => {
  if (passcode.state !== "active" || isoInstant(now) < passcode.expiresAt) return passcode.state;
  return profile?.testPasscode === passcode.code ? "active" : "expired";
};

/** @returns the wrong attempts on codes before this one that still count (`passcode.attemptsPer`). */
const earlierOf = ({ earlier }: PasscodeRecord, now: EpochMs): number =>
  earlier !== undefined && isoInstant(now) < earlier.until ? earlier.attempts : 0;

/** @param newest of the user's codes. @returns what a new code inherits if attempts count per user. */
const inheritedBy = (newest: PasscodeRecord | undefined, now: EpochMs): Pick<PasscodeRecord, "earlier"> => {
  const { until } = newest?.earlier ?? {};
  if (newest === undefined || until === undefined || newest.state === "used") return {};
  const attempts = earlierOf(newest, now) + newest.attempts;
  return attempts === 0 || isoInstant(now) >= until ? {} : { earlier: { attempts, until } };
};

/** @returns whether a code still counts for what the user's phone or email is now (`passcode.afterChange`). */
const countsFor =
  ({ settings, strategy }: AppWorld["app"], profile: ProfileRecord) =>
  ({ to }: PasscodeRecord): boolean => {
    if (effectiveSettings(settings).passcode.afterChange === "works") return true;
    return foldUsername(profile[usernameField({ strategy })] ?? "") === foldUsername(to);
  };

/** Issues a passcode (test, fixed or random); replaces an active one, and removes the oldest beyond the limit. */
export const issuePasscode = (
  changes: Changes,
  app: AppWorld,
  profile: ProfileRecord,
  to: string,
  env: Env,
): PasscodeRecord => {
  const { appId, strategy, settings } = app.app;
  const { passcode: rules } = effectiveSettings(settings);
  const now = env.now(appId);
  const issued = app.of("passcodes", profile.userId);
  const newest = issued.at(-1);
  const again =
    rules.resend === "same" &&
    newest?.state === "active" &&
    isoInstant(now) < newest.expiresAt &&
    countsFor(app.app, profile)(newest)
      ? newest
      : undefined;
  for (const older of rules.previous === "valid" ? [again] : issued)
    if (older?.state === "active") changes.put("passcodes", appId, { ...older, state: "replaced" });
  changes.makeRoom("passcodes", app, env.retention.passcodes);
  const code = again?.code ?? profile.testPasscode ?? rules.fixed ?? env.random(app.app).digits(rules.length, "code");
  const { channel } = STRATEGIES[strategy];
  const { isLost = false, transit } = env.request.message ?? {};
  const isLate = transit !== undefined && transit.arrivesAt > transit.sentAt;
  return changes.put("passcodes", appId, {
    id: newId(env, app, "passcode"),
    seq: changes.seq,
    userId: profile.userId,
    channel,
    to,
    code,
    message: messageText(app.app, channel, code, personaLocale(profile.metadata)),
    state: "active",
    delivery: isLost ? "failed" : isLate ? "pending" : "sent",
    ...(transit && { transit: { ...transit, arrivals: isLate ? 0 : 1 } }),
    attempts: again?.attempts ?? 0,
    ...(again === undefined && rules.attemptsPer === "user" && inheritedBy(newest, now)),
    ...(again && { resent: true, ...(again.earlier && { earlier: again.earlier }) }),
    tried: again?.tried ?? [],
    requestId: requestIdOf(env, app),
    createdAt: isoInstant(now),
    expiresAt: again?.expiresAt ?? isoInstant(epochMs(now + rules.ttlSeconds * 1000)),
  });
};

/** @returns whether its message, or the second copy of it, has yet to arrive. */
export const isUnderWay = ({ transit }: PasscodeRecord): boolean =>
  transit !== undefined && transit.arrivals < transit.copies;

/** @returns whether the message arrived, or got lost, in the change with this number. */
export const arrivedWith = ({ delivery, transit, seq }: PasscodeRecord, change: number): boolean =>
  delivery !== "pending" && change === (transit?.seq ?? seq);

/** The message of a passcode arrives, or the next copy of it. @returns it unchanged if none is under way. */
export const deliverPasscode = (world: World, app: AppWorld, passcode: PasscodeRecord): Decision<PasscodeRecord> => {
  const { transit } = passcode;
  if (transit === undefined || !isUnderWay(passcode)) return { value: passcode, changes: [] };
  const arrived = { ...transit, arrivals: transit.arrivals + 1, seq: world.seq + 1 };
  return stored(world, "passcodes", app.app.appId, { ...passcode, delivery: "sent", transit: arrived });
};

/** Sends a passcode without a request from the client (control API). */
export const sendPasscode = (world: World, app: AppWorld, userId: string, env: Env): Decision<PasscodeRecord> => {
  const profile = app.find("profiles", userId);
  if (profile === undefined) return problem("unknown_profile");
  const field = usernameField(app.app);
  const to = profile[field];
  if (to === null) return invalid({ userId: [`has no ${field} to send a passcode to`] });
  const changes = new Changes(world);
  return changes.decided(issuePasscode(changes, app, profile, to, env));
};

/** Compares two texts in constant time. */
export const sameText = (a: string, b: string): boolean => {
  let difference = a.length ^ b.length;
  for (let i = 0; i < a.length; i++) difference |= a.charCodeAt(i) ^ b.charCodeAt(i);
  return difference === 0;
};

/** A passcode as text of this length: restores the leading zeros of a number (D24). */
const asText = (typed: string | number, length: number): string =>
  typeof typed === "string" ? typed : String(typed).padStart(length, "0");

const matches = (typed: string | number, code: string): boolean => sameText(asText(typed, code.length), code);

/** Counts an attempt, before the comparison and permanently. */
const counted = (passcode: PasscodeRecord, typed: string | number): PasscodeRecord => ({
  ...passcode,
  attempts: passcode.attempts + 1,
  tried: [...passcode.tried, asText(typed, passcode.code.length)].slice(-BOUNDS.passcodeTries.most),
});

/**
 * Tries a passcode for a profile, and records the attempt in `changes` in any case.
 * @param typed as the client sent it. @returns undefined if it is correct and now used; otherwise the reason (D25).
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
  const issued = app.of("passcodes", profile.userId).filter(countsFor(app.app, profile));
  const now = env.now(appId);
  const isLive = (one: PasscodeRecord): boolean => passcodeStatus(one, profile, now) === "active";
  const { previous, maxAttempts, attemptsPer, ttlSeconds } = effectiveSettings(app.app.settings).passcode;
  // If older codes stay valid, attempts count on the newest one that is left.
  const newest = (previous === "valid" ? issued.findLast(isLive) : undefined) ?? issued.at(-1);
  const status = newest === undefined ? undefined : passcodeStatus(newest, profile, now);
  // A testPasscode stays active whatever is typed; its attempts are counted, but never lock it.
  const standing = newest !== undefined && newest.code === test;

  if (test !== undefined && matches(typed, test)) {
    if (newest !== undefined && standing && newest.state === "active")
      changes.put("passcodes", appId, counted(newest, typed));
    return undefined;
  }
  if (newest === undefined || status === undefined)
    return test === undefined ? "passcode_not_sent" : "passcode_mismatch";
  if (status !== "active") return `passcode_${status}`;

  const earlier = attemptsPer === "user" ? earlierOf(newest, now) : 0;
  const after = counted(newest, typed);
  const attempts = earlier + after.attempts;
  if (!standing && attempts > maxAttempts) return "passcode_exhausted";
  if (matches(typed, newest.code)) {
    changes.put("passcodes", appId, { ...after, state: "used" });
    return undefined;
  }
  const others = previous === "valid" ? issued.filter((one) => one !== newest && isLive(one)) : [];
  const older = others.find(({ code }) => matches(typed, code));
  if (older !== undefined) {
    changes.put("passcodes", appId, { ...counted(older, typed), state: "used" });
    return undefined;
  }
  // Wrong attempts of a user count for all codes together, so all of them are locked.
  const until = isoInstant(epochMs(now + ttlSeconds * 1000));
  const missed = attemptsPer === "user" ? { ...after, earlier: { attempts: earlier, until } } : after;
  if (standing || attempts < maxAttempts) changes.put("passcodes", appId, missed);
  else for (const one of [missed, ...others]) changes.put("passcodes", appId, { ...one, state: "exhausted" });
  return issued.some((one) => one.state === "replaced" && matches(typed, one.code))
    ? "passcode_replaced"
    : "passcode_mismatch";
};

/** Expires a passcode now (control API). */
export const expirePasscode = (
  world: World,
  app: AppWorld,
  passcode: PasscodeRecord,
  env: Env,
): Decision<PasscodeRecord> => {
  const now = isoInstant(env.now(app.app.appId));
  if (passcode.expiresAt <= now) return { value: passcode, changes: [] };
  return stored(world, "passcodes", app.app.appId, { ...passcode, expiresAt: now });
};

/** Deletes the passcodes of these apps (control API). */
export const clearPasscodes = (world: World, apps: readonly AppWorld[]): Decision<null> => {
  const changes = new Changes(world);
  for (const app of apps) changes.remove("passcodes", app.app.appId, app.passcodes.map(idOf));
  return changes.decided(null);
};

const arrivalOf = ({ arrivesAt, arrivals, seq }: Transit) => ({
  ...(arrivals === 0 && { arrivesAt }),
  arrivals,
  ...(seq !== undefined && { arrivedSeq: seq }),
});

/** @param devices its deliveries, which are not part of the world. @returns a passcode as the control API shows it. */
export const passcodeItem = (
  appId: string,
  passcode: PasscodeRecord,
  profile: ProfileRecord | undefined,
  now: EpochMs,
  devices: readonly DeviceItem[] = [],
): PasscodeItem => {
  const { id, seq, state: _, transit, earlier: __, ...shown } = passcode;
  const status = passcodeStatus(passcode, profile, now);
  const earlierAttempts = earlierOf(passcode, now);
  return {
    id,
    seq,
    appId,
    ...shown,
    ...(earlierAttempts > 0 && { earlierAttempts }),
    ...(transit && arrivalOf(transit)),
    status,
    devices: [...devices],
  };
};
