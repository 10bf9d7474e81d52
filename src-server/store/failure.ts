/** Why the data could not be opened, and what is wrong with it and where. */
import type { Problem } from "#contract/problems.ts";

/** A flaw in a document: where (keys and positions from the top) and what. */
export interface Flaw {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** The process that holds a data directory; `consoleUrl` is null while it starts. */
export interface HolderName {
  readonly pid: number;
  readonly consoleUrl: string | null;
}

interface About {
  readonly file?: string | undefined;
  readonly offset?: number | undefined;
  readonly holder?: HolderName;
  /** What to do. It is the end of the message. */
  readonly advice?: string;
  readonly isRepairable?: boolean;
  readonly cause?: unknown;
}

/** The store cannot be opened. The message names file, place and what to do, and is meant for people (CONTRACT 7, 8). */
export class StoreFailure extends Error {
  override readonly name = "StoreFailure";
  /** The exit status of the process: 1 for what is in the way, 3 for damaged data. */
  readonly exitStatus: 1 | 3;
  /** The message without the advice at its end, and that advice. */
  readonly what: string;
  readonly advice: string;
  /** The file that is concerned, or null when it is not one file. */
  readonly file: string | null;
  /** Where in that file the flaw is, in bytes; null when it has no place. */
  readonly offset: number | null;
  /** The process that holds the directory; null if that is not why. */
  readonly holder: HolderName | null;
  /** Whether `stagedoor doctor --repair` can make the directory startable again. */
  readonly isRepairable: boolean;

  constructor(exitStatus: 1 | 3, what: string, about: About = {}) {
    const { advice = "", cause } = about;
    super(advice === "" ? what : `${what} ${advice}`, cause === undefined ? undefined : { cause });
    this.exitStatus = exitStatus;
    this.what = what;
    this.advice = advice;
    this.file = about.file ?? null;
    this.offset = about.offset ?? null;
    this.holder = about.holder ?? null;
    this.isRepairable = about.isRepairable ?? false;
  }
}

/** What to do about damage of each kind. */
export const ADVICE = {
  journal: "`stagedoor doctor --repair` cuts the journal before this place and keeps the damaged file.",
  document:
    "Edit the file at this place, put a copy of it back, or begin anew with `stagedoor start --reset`, which keeps the " +
    "damaged file.",
  missing:
    "Put the file back, or let `stagedoor doctor --repair` set the journal aside, so that the next start begins anew.",
  unreadable: "See what lies there. Put a copy of the file back, or begin anew with `stagedoor start --reset`.",
  newer: "Start it with the newer Stagedoor, or choose another directory with --data.",
} as const;

const REPAIRABLE: readonly (keyof typeof ADVICE)[] = ["journal", "missing"];

/**
 * @param offset the byte at which the flaw is. @param kind of damage, which tells what to do.
 * @returns the failure for data that cannot be used (exit status 3): nothing was touched.
 */
export const damaged = (
  kind: keyof typeof ADVICE,
  file: string,
  offset: number | undefined,
  what: string,
): StoreFailure => {
  const place = offset === undefined ? "" : `, byte ${offset}`;
  const isRepairable = REPAIRABLE.includes(kind);
  const about = { file, offset, advice: ADVICE[kind], isRepairable };
  return new StoreFailure(3, `${file}${place}: ${what}. Nothing was changed.`, about);
};

/** @param error what a file system call threw. @returns its code, such as `ENOSPC`, or "" for something else. */
export const errorCode = (error: unknown): string =>
  error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";

/** @param error anything thrown. @returns its message. */
export const errorText = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** What the surroundings refuse for now, or to this user: nothing is wrong with the file. */
const REFUSED = new Set(["EACCES", "EPERM", "EMFILE", "ENFILE", "ENOMEM", "EBUSY", "EAGAIN"]);

/** @param error what reading the file threw. @returns the failure: damage, or (exit status 1) what the system refuses. */
export const unreadable = (file: string, error: unknown): StoreFailure => {
  const what = `cannot be read: ${errorText(error)}`;
  if (!REFUSED.has(errorCode(error))) return damaged("unreadable", file, undefined, what);
  const advice = "Check its permissions, then start again.";
  return new StoreFailure(1, `${file} ${what}. Nothing was changed.`, { file, advice, cause: error });
};

const FULL = new Set(["ENOSPC", "EDQUOT", "EFBIG"]);

/** @param error what a write threw. @returns the problem that the client gets (CONTRACT 5): `disk_full` or `disk_failed`. */
export const diskProblem = (error: unknown): Problem => ({
  code: FULL.has(errorCode(error)) ? "disk_full" : "disk_failed",
});

/** What was committed could not be made durable; `problem` is what a client should be told. */
export class NotDurable extends Error {
  override readonly name = "NotDurable";
  readonly problem: Problem;

  constructor(message: string, problem: Problem = { code: "disk_failed" }) {
    super(message);
    this.problem = problem;
  }
}

/** Calls `action` after so many milliseconds, unless it is called off. @returns how to call it off. */
export type Later = (ms: number, action: () => void) => () => void;

/** Real time. */
export const realLater: Later = (ms, action) => {
  const timer = setTimeout(action, ms);
  timer.unref();
  return () => clearTimeout(timer);
};
