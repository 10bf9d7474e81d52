/** Says in words what a past transaction did, for the timeline. */

import { effectiveSettings } from "#contract/service/effective-settings.ts";
import type {
  ClockRecord,
  Collection,
  ConnectionRecord,
  PasscodeRecord,
  ProfileRecord,
  RecordsOfApp,
  SessionRecord,
} from "#contract/service/records.ts";
import { recipientText } from "#contract/words/phone-words.ts";
import { lengthWords, many } from "#contract/words/words.ts";
import { type Difference, sameApp, sameRecord } from "#domain/history/differences.ts";
import type { HistoryEntry } from "#domain/history/history.ts";
import type { AppWorld } from "#domain/world.ts";

interface Pair<R> {
  readonly before: R | undefined;
  readonly after: R | undefined;
}

const SENT: Readonly<Record<PasscodeRecord["delivery"], (to: string) => string>> = {
  sent: (to) => `Passcode sent to ${to}`,
  pending: (to) => `Passcode for ${to} is delayed`,
  failed: (to) => `Passcode for ${to} was not delivered`,
};

const of = <C extends Collection>(differences: readonly Difference[], noun: C): readonly Pair<RecordsOfApp[C]>[] => {
  const pairs: Pair<RecordsOfApp[C]>[] = [];
  // A union of all collections: TypeScript cannot tell that `noun` and the records match.
  for (const one of differences) if (one.noun === noun) pairs.push(one as Pair<RecordsOfApp[C]>);
  return pairs;
};

const NOTHING = { before: undefined, after: undefined } as const;

const called = ({ name, phone, email }: ProfileRecord): string => name ?? recipientText(phone ?? email ?? "no name");

const ofPasscodes = (pairs: readonly Pair<PasscodeRecord>[], app: AppWorld | undefined): string | undefined => {
  for (const { before, after } of pairs) {
    if (after === undefined) continue;
    const to = recipientText(after.to);
    if (before === undefined) return SENT[after.delivery](to);
    if (after.transit?.arrivals !== before.transit?.arrivals)
      return `Passcode arrived ${after.transit?.arrivals === 2 ? "again " : ""}at ${to}`;
    if (after.attempts > before.attempts) {
      if (after.state === "used") return "Correct code";
      if (after.state === "exhausted") return "Wrong code: locked";
      // A fixed code of the user is never locked (D24).
      if (app?.find("profiles", after.userId)?.testPasscode === after.code) return "Wrong code";
      const { maxAttempts } = effectiveSettings(app?.app.settings ?? {}).passcode;
      return `Wrong code: ${many(Math.max(0, maxAttempts - after.attempts), "attempt")} left`;
    }
    if (before.expiresAt !== after.expiresAt) return "Passcode expired";
  }
  const gone = pairs.filter(({ after }) => after === undefined).length;
  return gone > 0 ? `${many(gone, "passcode")} removed` : undefined;
};

const ofSessions = (pairs: readonly Pair<SessionRecord>[]): string | undefined => {
  const revoked = pairs.filter(
    ({ before, after }) => before?.revokedAt === null && (after?.revokedAt ?? null) !== null,
  );
  if (revoked.length > 0) return revoked.length === 1 ? "Session revoked" : `${revoked.length} sessions revoked`;
  return pairs.some(({ before, after }) => before && after) ? "Session expired" : undefined;
};

const ofProfiles = (pairs: readonly Pair<ProfileRecord>[]): string | undefined => {
  const [{ before, after } = NOTHING] = pairs;
  if (pairs.length > 1)
    return `${many(pairs.length, "profile")} ${pairs.every(({ after }) => after === undefined) ? "deleted" : "changed"}`;
  if (after === undefined) return before && `Profile deleted: ${called(before)}`;
  if (before === undefined) return `Profile created: ${called(after)}`;
  const now = new Map<string, unknown>(Object.entries(after));
  const then: Readonly<Record<string, unknown>> = before;
  const names = [...new Set([...now.keys(), ...Object.keys(then)])].filter(
    (name) => name !== "updatedAt" && name !== "seq" && !sameRecord({ is: now.get(name) }, { is: then[name] }),
  );
  return `Profile updated: ${names.join(", ") || "no field"}`;
};

const ofConnections = (pairs: readonly Pair<ConnectionRecord>[]): string | undefined => {
  const [{ before, after } = NOTHING] = pairs;
  const record = after ?? before;
  if (record === undefined) return undefined;
  if (pairs.length > 1) return `${many(pairs.length, "connection")} changed`;
  return `Connection ${before === undefined ? "created" : after === undefined ? "deleted" : "changed"}: ${record.name}`;
};

const clockWords = (before: ClockRecord | null, after: ClockRecord | null): string => {
  if (after === null || (after.frozenAtMs === null && after.offsetMs === 0)) return "Clock reset to real time";
  const [from, to] = [before?.frozenAtMs ?? null, after.frozenAtMs];
  if (from === null && to !== null) return "Clock frozen";
  if (from !== null && to === null) return "Clock resumed";
  const byMs = from !== null && to !== null ? to - from : after.offsetMs - (before?.offsetMs ?? 0);
  return `Clock moved ${byMs < 0 ? "back" : "forward"} ${lengthWords(Math.abs(byMs) / 1_000)}`;
};

const ofApp = (differences: readonly Difference[]): string | undefined => {
  for (const one of differences) {
    if (one.noun === "clocks") return clockWords(one.before, one.after);
    if (one.noun !== "apps") continue;
    if (one.before === undefined || one.after === undefined) return one.after ? "App created" : "App deleted";
    if (!sameApp(one.before, one.after)) return "App changed";
  }
  return undefined;
};

/** @param app as it is now. @returns the name of the user whom the changes concern; undefined: none, or several. */
export const userOf = (differences: readonly Difference[], app: AppWorld | undefined): string | undefined => {
  const users = new Set<string>();
  let name: string | undefined;
  for (const one of differences) {
    if (one.noun === "apps" || one.noun === "clocks") continue;
    const record = one.after ?? one.before;
    if (record === undefined) continue;
    if (users.add(record.userId).size > 1) return undefined;
    if ("phone" in record) name = called(record);
  }
  const [userId] = users;
  const profile = userId === undefined ? undefined : app?.find("profiles", userId);
  return name ?? (profile && called(profile));
};

/** @param app as it is now. @returns a short sentence without a full stop. */
export const entryWords = (
  entry: HistoryEntry,
  differences: readonly Difference[],
  app: AppWorld | undefined,
): string => {
  const { rewoundTo, undoes, what } = entry;
  if (what !== undefined) return what;
  if (rewoundTo !== undefined)
    return `Rewound to change ${rewoundTo}${differences.some(({ noun }) => noun === "clocks") ? ", and turned the clock back" : ""}`;
  if (undoes !== undefined) return `Undid change ${undoes}`;
  const profiles = of(differences, "profiles");
  const passcodes = of(differences, "passcodes");
  const sessions = of(differences, "sessions");
  const isNew = ({ before, after }: Pair<unknown>): boolean => before === undefined && after !== undefined;
  if (profiles.filter(isNew).length > 1) return `${many(profiles.length, "profile")} imported`;
  if (sessions.some(isNew)) {
    if (profiles.some(isNew)) return "Signed up";
    return passcodes.length > 0 ? "Signed in" : "Session created";
  }
  return (
    (profiles.some(({ after }) => after === undefined) ? ofProfiles(profiles) : undefined) ??
    ofPasscodes(passcodes, app) ??
    ofSessions(sessions) ??
    ofProfiles(profiles) ??
    ofConnections(of(differences, "connections")) ??
    ofApp(differences) ??
    many(differences.length, "change")
  );
};
