/** Tries a passcode that a client sent: used, wrong, replaced, expired, exhausted (service.md 4.2.3, D24, D25). */
import { BOUNDS } from "#contract/bounds.ts";
import { type EpochMs, epochMs, isoInstant } from "#contract/scalars.ts";
import { effectiveSettings } from "#contract/service/effective-settings.ts";
import type { ProblemCode } from "#contract/service/problems.ts";
import type { PasscodeRecord, ProfileRecord } from "#contract/service/records.ts";
import type { Changes } from "./decision.ts";
import { countsFor, earlierOf, passcodeStatus, sameText } from "./passcodes.ts";
import type { AppWorld, Env } from "./world.ts";

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

/** An attempt of a user. */
interface Attempt {
  readonly app: AppWorld;
  readonly profile: ProfileRecord;
  readonly typed: string | number;
  readonly now: EpochMs;
  readonly rules: ReturnType<typeof effectiveSettings>["passcode"];
  /** The user's codes that count, oldest first. */
  readonly issued: readonly PasscodeRecord[];
  /** The code that attempts count on; undefined: none was sent. */
  readonly newest: PasscodeRecord | undefined;
}

const isLive = ({ profile, now }: Attempt, one: PasscodeRecord): boolean =>
  passcodeStatus(one, profile, now) === "active";

const attemptOf = (app: AppWorld, profile: ProfileRecord, typed: string | number, env: Env): Attempt => {
  const issued = app.of("passcodes", profile.userId).filter(countsFor(app.app, profile));
  const { passcode: rules } = effectiveSettings(app.app.settings);
  const attempt = { app, profile, typed, now: env.now(app.app.appId), rules, issued, newest: issued.at(-1) };
  if (rules.previous !== "valid") return attempt;
  // If older codes stay valid, attempts count on the newest one that is left.
  return { ...attempt, newest: issued.findLast((one) => isLive(attempt, one)) ?? attempt.newest };
};

/** Stores a wrong attempt; the last one that is allowed locks the code. */
const miss = (
  changes: Changes,
  { app, rules, now }: Attempt,
  after: PasscodeRecord,
  others: readonly PasscodeRecord[],
  { earlier, isLast }: { readonly earlier: number; readonly isLast: boolean },
): void => {
  const { appId } = app.app;
  const until = isoInstant(epochMs(now + rules.ttlSeconds * 1000));
  const missed = rules.attemptsPer === "user" ? { ...after, earlier: { attempts: earlier, until } } : after;
  if (!isLast) changes.put("passcodes", appId, missed);
  // Wrong attempts of a user count for all codes together, so all of them are locked.
  else for (const one of [missed, ...others]) changes.put("passcodes", appId, { ...one, state: "exhausted" });
};

/** Tries an active code, and those that are still valid next to it. */
const tryActive = (changes: Changes, attempt: Attempt, newest: PasscodeRecord): ProblemCode | undefined => {
  const { app, profile, typed, now, rules, issued } = attempt;
  // A testPasscode stays active whatever is typed; its attempts are counted, but never lock it.
  const standing = newest.code === profile.testPasscode;
  const earlier = rules.attemptsPer === "user" ? earlierOf(newest, now) : 0;
  const after = counted(newest, typed);
  const attempts = earlier + after.attempts;
  if (!standing && attempts > rules.maxAttempts) return "passcode_exhausted";
  const others = rules.previous === "valid" ? issued.filter((one) => one !== newest && isLive(attempt, one)) : [];
  const older = others.find(({ code }) => matches(typed, code));
  const right = matches(typed, newest.code) ? after : older && counted(older, typed);
  if (right !== undefined) {
    changes.put("passcodes", app.app.appId, { ...right, state: "used" });
    return undefined;
  }
  miss(changes, attempt, after, others, { earlier, isLast: !standing && attempts >= rules.maxAttempts });
  return issued.some((one) => one.state === "replaced" && matches(typed, one.code))
    ? "passcode_replaced"
    : "passcode_mismatch";
};

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
  const attempt = attemptOf(app, profile, typed, env);
  const { newest, now } = attempt;
  const { testPasscode: test } = profile;
  if (test !== undefined && matches(typed, test)) {
    if (newest?.code === test && newest.state === "active")
      changes.put("passcodes", app.app.appId, counted(newest, typed));
    return undefined;
  }
  if (newest === undefined) return test === undefined ? "passcode_not_sent" : "passcode_mismatch";
  const status = passcodeStatus(newest, profile, now);
  return status === "active" ? tryActive(changes, attempt, newest) : `passcode_${status}`;
};
