/** Why the data could not be opened: what is wrong with it, and where. */
import type { Problem } from "#contract/service/problems.ts";

/** A flaw in a document: its path (keys and positions from the root) and a description. */
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
  readonly file?: string;
  readonly offset?: number | undefined;
  readonly holder?: HolderName;
  /** What to do; the end of the message. */
  readonly advice?: string;
  readonly isRepairable?: boolean;
  readonly cause?: unknown;
}

/** The store cannot be opened. The message is for users and names file, place and what to do. */
export class StoreFailure extends Error {
  override readonly name = "StoreFailure";
  /** Exit status of the process: 1 for an obstacle, 3 for damaged data. */
  readonly exitStatus: 1 | 3;
  /** The message without the advice, and the advice. */
  readonly what: string;
  readonly advice: string;
  /** The affected file, and the byte offset of the flaw in it; null if there is none. */
  readonly file: string | null;
  readonly offset: number | null;
  /** The process that holds the directory; null if that is not the cause. */
  readonly holder: HolderName | null;
  /** Whether `stagedoor doctor --repair` can repair the directory. */
  readonly isRepairable: boolean;

  constructor(exitStatus: 1 | 3, what: string, about: About = {}) {
    const { advice = "", file = null, offset = null, holder = null, isRepairable = false } = about;
    super(advice === "" ? what : `${what} ${advice}`, about);
    this.exitStatus = exitStatus;
    this.what = what;
    this.advice = advice;
    this.file = file;
    this.offset = offset;
    this.holder = holder;
    this.isRepairable = isRepairable;
  }
}

const REPAIR = "`stagedoor doctor --repair`";
const RESET = "start from scratch with `stagedoor start --reset`";

/** What to do about each kind of damage. */
const ADVICE = {
  journal: `${REPAIR} cuts the journal before this place and keeps the damaged file.`,
  document: `Edit the file at this place, put a copy of it back, or ${RESET}, which keeps the damaged file.`,
  missing: `Put the file back, or let ${REPAIR} set the journal aside, so that the next start begins from scratch.`,
  unreadable: `Look at what is there. Put a copy of the file back, or ${RESET}.`,
  newer: "Start it with the newer Stagedoor, or choose another folder with --data.",
} as const;

/** @param offset of the flaw in bytes. @returns the failure for unusable data (exit status 3); nothing was changed. */
export const damaged = (
  kind: keyof typeof ADVICE,
  file: string,
  offset: number | undefined,
  what: string,
): StoreFailure => {
  const place = offset === undefined ? "" : `, byte ${offset}`;
  const isRepairable = kind === "journal" || kind === "missing";
  const about = { file, offset, advice: ADVICE[kind], isRepairable };
  return new StoreFailure(3, `${file}${place}: ${what}. Nothing was changed.`, about);
};

/** @param error from a file system call. @returns its code, such as `ENOSPC`, or "" if it has none. */
export const errorCode = (error: unknown): string =>
  error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";

/** @param error anything thrown. @returns its message. */
export const errorText = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Refused by the system for now, or for this user; the file itself is fine. */
const REFUSED: readonly string[] = ["EACCES", "EPERM", "EMFILE", "ENFILE", "ENOMEM", "EBUSY", "EAGAIN"];

/** @param error from reading the file. @returns damage, or (exit status 1) a failure if the system refused. */
export const unreadable = (file: string, error: unknown): StoreFailure => {
  const what = `cannot be read: ${errorText(error)}`;
  if (!REFUSED.includes(errorCode(error))) return damaged("unreadable", file, undefined, what);
  const advice = "Check its permissions, then start again.";
  return new StoreFailure(1, `${file} ${what}. Nothing was changed.`, { file, advice, cause: error });
};

/** @param error from a write. @returns the problem for the client: `disk_full` or `disk_failed`. */
export const diskProblem = (error: unknown): Problem => ({
  code: ["ENOSPC", "EDQUOT", "EFBIG"].includes(errorCode(error)) ? "disk_full" : "disk_failed",
});

const UNSAFE =
  "The disk failed. With --durability disk, Stagedoor responds to no request, not even a read, until its data is stored. It retries every 2 seconds.";

/** A commit could not be made durable; `problem` is the response to the client. */
export class NotDurable extends Error {
  override readonly name = "NotDurable";
  readonly problem: Problem;

  constructor(message: string, problem: Problem = { code: "disk_failed", instruction: UNSAFE }, cause?: unknown) {
    super(message, { cause });
    this.problem = problem;
  }
}

/** Calls `action` after this many milliseconds. @returns a function that cancels it. */
export type Later = (ms: number, action: () => void) => () => void;

/** Real time. */
export const realLater: Later = (ms, action) => {
  const timer = setTimeout(action, ms).unref();
  return () => clearTimeout(timer);
};
