/**
 * The moments that tests of a login want to be at, from the codes and sessions that there are.
 */
import type { Passcode, Session } from "#client/index.ts";
import { statusAt } from "../inbox/passcode-status.ts";
import { stateAt } from "../sessions/session-words.ts";

/** What will come to its end. */
export type Ending =
  | { readonly kind: "code"; readonly passcode: Passcode; readonly atMs: number }
  | { readonly kind: "session"; readonly session: Session; readonly atMs: number };

/** A moment to go to. */
export interface Moment {
  readonly id: "before-code" | "after-code" | "session-end";
  readonly title: string;
  /** Null: there is nothing to tie it to. */
  readonly ending: Ending | null;
  /** Where the clock is put, in ms since 1970. */
  readonly atMs: number;
  /** Why it cannot be gone to. */
  readonly why: string;
}

/** So much earlier is just before. */
const JUST_BEFORE_MS = 1_000;

/** @returns the codes and sessions that are active at a time, the newest first. */
const activeAt = (passcodes: readonly Passcode[], sessions: readonly Session[], nowMs: number): Ending[] => [
  ...passcodes
    .filter((passcode) => statusAt(passcode, nowMs) === "active")
    .map((passcode) => ({ kind: "code", passcode, atMs: Date.parse(passcode.expiresAt) }) as const),
  ...sessions
    .filter((session) => stateAt(session, nowMs) === "active")
    .map((session) => ({ kind: "session", session, atMs: Date.parse(session.expiresAt) }) as const),
];

/** @param passcodes newest first; so are the sessions. @returns the moments of the newest active code and session. */
export const momentsOf = (passcodes: readonly Passcode[], sessions: readonly Session[], nowMs: number): Moment[] => {
  const active = activeAt(passcodes, sessions, nowMs);
  const code = active.find(({ kind }) => kind === "code") ?? null;
  const session = active.find(({ kind }) => kind === "session") ?? null;
  const codeEnd = code?.atMs ?? 0;
  const noCode = "No code is active.";
  return [
    {
      id: "before-code",
      title: "Just before the code expires",
      ending: code,
      atMs: codeEnd - JUST_BEFORE_MS,
      why: noCode,
    },
    { id: "after-code", title: "Just after the code expires", ending: code, atMs: codeEnd, why: noCode },
    {
      id: "session-end",
      title: "When the session expires",
      ending: session,
      atMs: session?.atMs ?? 0,
      why: "No session is active.",
    },
  ];
};

/** @returns what ends next on this clock, the first first. @param most how many at most. */
export const nextEndings = (
  passcodes: readonly Passcode[],
  sessions: readonly Session[],
  nowMs: number,
  most: number,
): Ending[] =>
  activeAt(passcodes, sessions, nowMs)
    .sort((a, b) => a.atMs - b.atMs)
    .slice(0, most);
