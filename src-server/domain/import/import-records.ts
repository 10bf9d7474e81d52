/** Imports the records of profiles: connections, and the volatile passcodes and sessions. */

import type { FixtureApp, FixtureConnection } from "#contract/control/state.ts";
import { type IsoInstant, isoInstant } from "#contract/scalars.ts";
import type { ConnectionRecord, RecordsOfApp } from "#contract/service/records.ts";
import { inSteps, type Steps } from "#contract/steps.ts";
import { clockErrors } from "../clock.ts";
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
