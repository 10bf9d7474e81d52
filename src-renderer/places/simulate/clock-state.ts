import type { Passcode, Session } from "#client/index.ts";
import { statusAt } from "../../shared/login/passcode-status.ts";
import { stateAt } from "../../shared/session/session-words.ts";

/** The clock jumps in seconds, shortest first. */
export const JUMPS: readonly number[] = [60, 600, 3_600, 86_400];

/** An upcoming expiry of a passcode or a session. */
export interface Ending extends Pick<Passcode, "id" | "appId" | "userId"> {
  readonly kind: "code" | "session";
  readonly code?: string;
  readonly atMs: number;
}

/** A moment to jump to. */
export interface ClockMoment {
  readonly id: "before-code" | "after-code" | "session-end";
  readonly title: string;
  readonly ending: Ending | null;
  /** The new time of the clock in ms since 1970. */
  readonly atMs: number;
  readonly why: string;
}

const JUST_BEFORE_MS = 1_000;

const activeAt = (passcodes: readonly Passcode[], sessions: readonly Session[], nowMs: number): Ending[] => {
  const codes = passcodes.filter((passcode) => statusAt(passcode, nowMs) === "active");
  const active = sessions.filter((session) => stateAt(session, nowMs) === "active");
  return [
    ...codes.map((code) => ({ ...code, kind: "code" as const, atMs: Date.parse(code.expiresAt) })),
    ...active.map((session) => ({ ...session, kind: "session" as const, atMs: Date.parse(session.expiresAt) })),
  ];
};

/** @param passcodes newest first, like the sessions. @returns moments of the newest active passcode and session. */
export const momentsOf = (
  passcodes: readonly Passcode[],
  sessions: readonly Session[],
  nowMs: number,
): ClockMoment[] => {
  const active = activeAt(passcodes, sessions, nowMs);
  const code = active.find(({ kind }) => kind === "code") ?? null;
  const session = active.find(({ kind }) => kind === "session") ?? null;
  const atMs = code?.atMs ?? 0;
  const ofCode = { ending: code, why: "No code is active." };
  const ofSession = { ending: session, why: "No session is active." };
  return [
    { id: "before-code", title: "Just before the code expires", atMs: atMs - JUST_BEFORE_MS, ...ofCode },
    { id: "after-code", title: "Just after the code expires", atMs, ...ofCode },
    { id: "session-end", title: "When the session expires", atMs: session?.atMs ?? 0, ...ofSession },
  ];
};

/** @returns the next expiries on this clock, soonest first. @param most the maximum number. */
export const nextEndings = (
  passcodes: readonly Passcode[],
  sessions: readonly Session[],
  nowMs: number,
  most: number,
): Ending[] =>
  activeAt(passcodes, sessions, nowMs)
    .sort((a, b) => a.atMs - b.atMs)
    .slice(0, most);
