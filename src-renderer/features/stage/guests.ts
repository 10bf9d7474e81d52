/** The audience of a stage: all who use its app from their own phone. */
import type { Passcode, Profile, Session } from "#client/index.ts";
import { isPersona } from "#contract/words/personas.ts";
import { isAlive, standingAt } from "../../shared/login/passcode-status.ts";

/** A guest, by what their phone waits for: `code` if they have one to type, `in` if they are signed in. */
export interface Guest {
  readonly userId: string;
  /** The last two digits of the number, or the address without its domain. */
  readonly label: string;
  readonly state: "joined" | "code" | "in";
  /** Empty unless `state` is `code`. */
  readonly code: string;
}

const labelOf = (username: string | null | undefined): string =>
  username?.startsWith("+") ? username.slice(-2) : (username?.split("@")[0] ?? "");

interface Room {
  readonly profiles: readonly Profile[];
  /** Newest first. */
  readonly passcodes: readonly Passcode[];
  readonly sessions: readonly Session[];
}

/** @returns the guests in the order of their profiles. @param own the requests of the stage's phone. */
export const guestsOf = ({ profiles, passcodes, sessions }: Room, own: readonly string[], nowMs: number): Guest[] => {
  const ours = new Set<string | null>(own);
  const byPhone = new Set(
    [...passcodes, ...sessions].flatMap(({ requestId, userId }) => (ours.has(requestId) ? [userId] : [])),
  );
  const codes = new Map<string, Passcode>();
  for (const one of passcodes) if (!ours.has(one.requestId) && !codes.has(one.userId)) codes.set(one.userId, one);
  const others = sessions.filter(({ requestId }) => !ours.has(requestId));
  const users = new Set([...codes.keys(), ...others.map(({ userId }) => userId)]);
  const isIn = new Set(others.flatMap(({ userId, state }) => (state === "active" ? [userId] : [])));
  return profiles.flatMap((profile): Guest[] => {
    const { userId, phone, email } = profile;
    if (!users.has(userId) && (isPersona(profile) || byPhone.has(userId))) return [];
    const newest = codes.get(userId);
    const isWaiting = newest !== undefined && isAlive(standingAt(newest, nowMs, profile));
    const state = isWaiting ? "code" : isIn.has(userId) ? "in" : "joined";
    const label = labelOf(newest?.to ?? phone ?? email);
    return [{ userId, label, state, code: isWaiting ? newest.code : "" }];
  });
};
