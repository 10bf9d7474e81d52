/**
 * Imports the records of profiles: connections, what users of a fixture stand with in short (sessions, and a code that
 * was sent), and the volatile passcodes and sessions.
 */

import type { FixtureApp, FixtureConnection, FixtureProfile } from "#contract/control/state.ts";
import { epochMs, type IsoInstant, isoInstant } from "#contract/scalars.ts";
import { effectiveSettings } from "#contract/service/effective-settings.ts";
import type { ConnectionRecord, RecordsOfApp } from "#contract/service/records.ts";
import { STRATEGIES, usernameField } from "#contract/service/strategies.ts";
import { inSteps, type Steps } from "#contract/steps.ts";
import { clockErrors } from "../clock.ts";
import { messageText } from "../message.ts";
import { newSession, sessionState } from "../sessions.ts";
import { type AppImport, importedTime } from "./import-context.ts";
import type { ImportedUsers } from "./import-profiles.ts";

const NO_PROFILE = "does not match any profile of this app";
const TWICE = "appears twice in this app";

/**
 * @returns finds the connection that an entry without an id means: the one of its user with its name, so that the same
 * import adds none the second time; a new one has an id made of app, user and name.
 */
const byName = ({ env, app, before }: AppImport, isSeen: (id: string) => boolean) => {
  const counts = new Map<string, number>();
  return (userId: string, { name, status = "connected" }: FixtureConnection) => {
    const key = `${app.appId}/${userId}/connections/${name}`;
    const place = (counts.get(key) ?? 0) + 1;
    counts.set(key, place);
    const id = env.nameId(`${key}/${place}`);
    const isMeant = (one: ConnectionRecord): boolean => one.name === name && one.status === status && !isSeen(one.id);
    const stored = before?.find("connections", id) ?? before?.of("connections", userId).find(isMeant);
    return { id: stored?.id ?? id, stored };
  };
};

/** Imports the connections of one app. */
export function* importConnections(
  of: AppImport,
  users: ImportedUsers,
  sent: readonly FixtureConnection[],
): Steps<void> {
  const { app, before, path, errors, changes } = of;
  const now = isoInstant(of.nowMs);
  const seen = new Set<string>();
  const findByName = byName(of, (id) => seen.has(id));
  yield* inSteps(sent, (entry, i) => {
    const at = `${path}.connections[${i}]`;
    const { userId: given, user: username } = entry;
    const found =
      given === undefined ? (username === undefined ? undefined : users.byUsername(username)) : users.byId(given);
    // Disabled connections remain after their profile is deleted (D14), so their userId may be unknown.
    const userId = found ?? (entry.status === "disabled" ? given : undefined);
    if (userId === undefined) {
      errors.add(given === undefined ? `${at}.user` : `${at}.userId`, NO_PROFILE);
      return;
    }
    const { id, stored } =
      entry.id === undefined
        ? findByName(userId, entry)
        : { id: entry.id, stored: before?.find("connections", entry.id) };
    if (seen.has(id)) {
      errors.add(`${at}.id`, TWICE);
      return;
    }
    seen.add(id);
    const status = entry.status ?? stored?.status ?? "connected";
    const endedAt = (): IsoInstant =>
      importedTime(of, entry.disabledAt, `${at}.disabledAt`) ?? stored?.disabledAt ?? now;
    changes.put("connections", app.appId, {
      id,
      seq: stored?.seq ?? changes.seq,
      userId,
      name: entry.name,
      managed: entry.managed ?? stored?.managed ?? true,
      status,
      createdAt: importedTime(of, entry.createdAt, `${at}.createdAt`) ?? stored?.createdAt ?? now,
      disabledAt: status === "connected" ? null : endedAt(),
    });
  });
}

/** Gives the users sessions and codes as far as they do not have them, so that a second import adds nothing. */
export function* importStanding(of: AppImport, users: ImportedUsers, sent: readonly FixtureProfile[]): Steps<void> {
  const { app, before, path, nowMs, isTaken, changes, env, errors } = of;
  const { appId, strategy, settings } = app;
  const random = env.random(app);
  const { passcode: codes } = effectiveSettings(settings);
  const field = usernameField(app);
  const now = isoInstant(nowMs);
  const addSessions = (userId: string, wanted: number, key: string): void => {
    const held = before?.of("sessions", userId) ?? [];
    const active = held.filter((one) => sessionState(one, nowMs) === "active");
    for (let nth = active.length; nth < wanted; nth += 1) {
      const id = random.uuid(`${key}.sessions[${nth}]`, isTaken);
      changes.put("sessions", appId, newSession(app, { id, seq: changes.seq, userId, nowMs }, env.urls));
    }
  };
  const addCode = (userId: string, to: string, code: string, key: string): void => {
    const held = (before?.of("passcodes", userId) ?? []).filter(({ state }) => state === "active");
    if (held.some((one) => one.code === code && now < one.expiresAt)) return;
    for (const one of codes.previous === "valid" ? [] : held)
      changes.put("passcodes", appId, { ...one, state: "replaced" });
    const { channel } = STRATEGIES[strategy];
    changes.put("passcodes", appId, {
      id: random.uuid(`${key}.passcode`, isTaken),
      seq: changes.seq,
      userId,
      channel,
      to,
      code,
      message: messageText(app, channel, code),
      state: "active",
      delivery: "sent",
      attempts: 0,
      tried: [],
      requestId: null,
      createdAt: now,
      expiresAt: isoInstant(epochMs(nowMs + codes.ttlSeconds * 1000)),
    });
  };
  yield* inSteps(sent, (entry, place) => {
    const { signedIn = false, passcode, sessions = signedIn ? 1 : 0 } = entry;
    if (sessions === 0 && passcode === undefined) return;
    const known = entry.userId === undefined ? undefined : users.byId(entry.userId);
    const username = entry[field] ?? (known === undefined ? null : (before?.find("profiles", known)?.[field] ?? null));
    const userId = known ?? (username === null ? undefined : users.byUsername(username));
    const key = `profiles[${place}]`;
    if (passcode !== undefined && username === null)
      errors.add(`${path}.${key}.passcode`, `needs a ${field} to be sent to`);
    if (userId === undefined) {
      if (username === null) errors.add(`${path}.${key}`, `needs a ${field} or a userId for its sessions`);
      return;
    }
    addSessions(userId, sessions, key);
    if (passcode !== undefined && username !== null) addCode(userId, username, passcode, key);
  });
}

/** Imports the passcodes, sessions and clock of one app; the records are stored later, with those of the other apps. */
export function* importVolatile(of: AppImport, users: ImportedUsers, sent: FixtureApp): Steps<void> {
  const { app, before, clock, path, errors, changes, env, volatile } = of;
  const { appId } = app;
  const seen = new Set<string>();
  const keep = <C extends "passcodes" | "sessions">(noun: C, list: readonly RecordsOfApp[C][] = []): Steps<void> =>
    inSteps(list, (record, i) => {
      const at = `${path}.${noun}[${i}]`;
      const userId = users.byId(record.userId.toLowerCase());
      const id = record.id.toLowerCase();
      if (userId === undefined) errors.add(`${at}.userId`, NO_PROFILE);
      if (seen.has(id)) errors.add(`${at}.id`, TWICE);
      seen.add(id);
      if (userId === undefined) return;
      const stored = before?.find(noun, id)?.seq;
      const put = () => changes.put(noun, appId, { ...record, id, userId, seq: stored ?? changes.seq });
      volatile.push({ seq: record.seq, put });
    });
  yield* keep("passcodes", sent.passcodes);
  yield* keep("sessions", sent.sessions);
  if (sent.clock === undefined) return;
  if (sent.clock !== null) errors.addAll(clockErrors(clock, env.now(), app), `${path}.clock`);
  changes.putClock(appId, sent.clock && clock);
}
