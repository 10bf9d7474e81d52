/** Issues passcodes (service.md 4.2.2, D24), and makes room for them: a code that is active is never thrown away. */
import { BOUNDS } from "#contract/bounds.ts";
import { type EpochMs, epochMs, isoInstant } from "#contract/scalars.ts";
import { effectiveSettings } from "#contract/service/effective-settings.ts";
import { invalid, type Problem, problem } from "#contract/service/problems.ts";
import { idOf, type PasscodeRecord, type ProfileRecord } from "#contract/service/records.ts";
import { STRATEGIES, usernameField } from "#contract/service/strategies.ts";
import { counted } from "#contract/words/words.ts";
import { Changes, type Decision } from "./decision.ts";
import { messageText } from "./message.ts";
import { newId, requestIdOf } from "./new-ids.ts";
import { countsFor, earlierOf, passcodeStatus } from "./passcodes.ts";
import type { AppWorld, Env, World } from "./world.ts";

/** @param newest of the user's codes. @returns what a new code inherits if attempts count per user. */
const inheritedBy = (newest: PasscodeRecord | undefined, now: EpochMs): Pick<PasscodeRecord, "earlier"> => {
  const { until } = newest?.earlier ?? {};
  if (newest === undefined || until === undefined || newest.state === "used") return {};
  const attempts = earlierOf(newest, now) + newest.attempts;
  return attempts === 0 || isoInstant(now) >= until ? {} : { earlier: { attempts, until } };
};

/** What is issued for: the user, the address, and the app's rules and time. */
interface Issue {
  readonly app: AppWorld;
  readonly profile: ProfileRecord;
  readonly rules: ReturnType<typeof effectiveSettings>["passcode"];
  readonly now: EpochMs;
  /** The newest of the user's codes. */
  readonly newest: PasscodeRecord | undefined;
}

/** @returns the active code that is sent again (`passcode.resend`); undefined: a new one is made. */
const sentAgain = ({ app, profile, rules, now, newest }: Issue): PasscodeRecord | undefined =>
  rules.resend === "same" &&
  newest?.state === "active" &&
  isoInstant(now) < newest.expiresAt &&
  countsFor(app.app, profile)(newest)
    ? newest
    : undefined;

/**
 * Removes the oldest ended codes beyond the limit.
 * @param replaced codes that end with this one. @returns the problem if the app has too many active ones.
 */
const makeRoom = (
  changes: Changes,
  { app, now }: Issue,
  replaced: readonly PasscodeRecord[],
  mostEnded: number,
): Problem | undefined => {
  const { most } = BOUNDS.activePasscodes;
  const { passcodes } = app;
  if (passcodes.length < Math.min(mostEnded, most)) return undefined;
  const ended = passcodes.filter(
    (one) => replaced.includes(one) || passcodeStatus(one, app.find("profiles", one.userId), now) !== "active",
  );
  if (passcodes.length - ended.length >= most) {
    const instruction = `${counted(most)} codes of this app are active. Wait until some expire, or delete unused codes.`;
    return { code: "too_many_passcodes", instruction };
  }
  changes.remove("passcodes", app.app.appId, ended.slice(0, Math.max(0, ended.length - mostEnded)).map(idOf));
  return undefined;
};

/** @returns what is new of a code, or taken over from the one that is sent again. */
const codeOf = ({ app, profile, rules, now, newest }: Issue, again: PasscodeRecord | undefined, env: Env) => {
  if (again !== undefined) {
    const { code, attempts, tried, expiresAt, earlier } = again;
    return { code, attempts, tried, expiresAt, resent: true, ...(earlier && { earlier }) } as const;
  }
  return {
    code: profile.testPasscode ?? rules.fixed ?? env.random(app.app).digits(rules.length, "code"),
    attempts: 0,
    tried: [],
    expiresAt: isoInstant(epochMs(now + rules.ttlSeconds * 1000)),
    ...(rules.attemptsPer === "user" && inheritedBy(newest, now)),
  };
};

/** @returns how its message travels, by a fault of the request. */
const journeyOf = ({ message }: Env["request"]): Pick<PasscodeRecord, "delivery" | "transit"> => {
  const { isLost = false, transit } = message ?? {};
  const isLate = transit !== undefined && transit.arrivesAt > transit.sentAt;
  return {
    delivery: isLost ? "failed" : isLate ? "pending" : "sent",
    ...(transit && { transit: { ...transit, arrivals: isLate ? 0 : 1 } }),
  };
};

/** Issues a passcode (test, fixed or random); replaces an active one. @returns it, or `too_many_passcodes`. */
export const issuePasscode = (
  changes: Changes,
  app: AppWorld,
  profile: ProfileRecord,
  to: string,
  env: Env,
): PasscodeRecord | { readonly problem: Problem } => {
  const { appId, strategy, settings } = app.app;
  const { passcode: rules } = effectiveSettings(settings);
  const now = env.now(appId);
  const issued = app.of("passcodes", profile.userId);
  const issue: Issue = { app, profile, rules, now, newest: issued.at(-1) };
  const again = sentAgain(issue);
  const older = rules.previous === "valid" ? (again ? [again] : []) : issued;
  const replaced = older.filter(({ state }) => state === "active");
  for (const one of replaced) changes.put("passcodes", appId, { ...one, state: "replaced" });
  const full = makeRoom(changes, issue, replaced, env.retention.passcodes);
  if (full !== undefined) return { problem: full };
  const { channel } = STRATEGIES[strategy];
  const { code, attempts, tried, expiresAt, ...more } = codeOf(issue, again, env);
  return changes.put("passcodes", appId, {
    id: newId(env, app, "passcode"),
    seq: changes.seq,
    userId: profile.userId,
    channel,
    to,
    code,
    message: messageText(app.app, channel, code),
    state: "active",
    ...journeyOf(env.request),
    attempts,
    ...more,
    tried,
    requestId: requestIdOf(env, app),
    createdAt: isoInstant(now),
    expiresAt,
  });
};

/** Sends a passcode without a request from the client (control API). */
export const sendPasscode = (world: World, app: AppWorld, userId: string, env: Env): Decision<PasscodeRecord> => {
  const profile = app.find("profiles", userId);
  if (profile === undefined) return problem("unknown_profile");
  const field = usernameField(app.app);
  const to = profile[field];
  if (to === null) return invalid({ userId: [`has no ${field} to send a passcode to`] });
  const changes = new Changes(world);
  const issued = issuePasscode(changes, app, profile, to, env);
  return "problem" in issued ? issued : changes.decided(issued);
};
