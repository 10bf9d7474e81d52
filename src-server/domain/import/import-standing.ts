/** What users of a fixture stand with, in short: sessions, and a code that was sent. */

import type { FixtureProfile } from "#contract/control/state.ts";
import { epochMs, isoInstant } from "#contract/scalars.ts";
import { effectiveSettings } from "#contract/service/effective-settings.ts";
import { STRATEGIES, usernameField } from "#contract/service/strategies.ts";
import { inSteps, type Steps } from "#contract/steps.ts";
import { messageText } from "../message.ts";
import { newSession, sessionState } from "../sessions.ts";
import type { AppImport } from "./import-context.ts";
import type { ImportedUsers } from "./import-profiles.ts";

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
