/**
 * Why the data could not be opened, and what is wrong with it and where.
 */
import type { Problem } from "#contract/problems.ts";

/** A fault in a document: where (keys and positions from the top) and what. */
export interface Fault {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** @param path keys and positions. @returns it as people write it: `apps[0].profiles[3].phone`. */
export const pathText = (path: Fault["path"]): string =>
  path.reduce<string>(
    (text, step) => (typeof step === "number" ? `${text}[${step}]` : text === "" ? step : `${text}.${step}`),
    "",
  );

/** The store cannot be opened. The message names file, place and what to do, and is meant for people (CONTRACT 7, 8). */
export class StoreFailure extends Error {
  override readonly name = "StoreFailure";
  /** The exit status of the process: 1 for what the surroundings refuse, 3 for damaged data. */
  readonly exitStatus: 1 | 3;
  /** The file that is concerned, or null when it is not one file. */
  readonly file: string | null;
  /** Where in that file the fault is, in bytes; null when it has no place. */
  readonly offset: number | null;

  /** @param exitStatus 1 or 3. @param message for people. @param where the file and the byte in it. */
  constructor(exitStatus: 1 | 3, message: string, where: { file?: string; offset?: number; cause?: unknown } = {}) {
    super(message, where.cause === undefined ? undefined : { cause: where.cause });
    this.exitStatus = exitStatus;
    this.file = where.file ?? null;
    this.offset = where.offset ?? null;
  }
}

const MEND =
  "Mend it by hand, put the file back from a copy, or run `stagedoor doctor --repair`, which keeps the damaged file.";

/**
 * @param offset the byte at which the fault is. @param advice what to do.
 * @returns the failure for data that cannot be used (exit status 3): nothing was touched.
 */
export const damaged = (file: string, offset: number | undefined, what: string, advice = MEND): StoreFailure =>
  new StoreFailure(
    3,
    `${file}${offset === undefined ? "" : `, byte ${offset}`}: ${what}. Nothing was changed. ${advice}`,
    offset === undefined ? { file } : { file, offset },
  );

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
  if (!REFUSED.has(errorCode(error))) return damaged(file, undefined, what);
  const advice = "See to its permissions and to what the system allows, then start again.";
  return new StoreFailure(1, `${file} ${what}. Nothing was changed. ${advice}`, { file, cause: error });
};

const FULL = new Set(["ENOSPC", "EDQUOT", "EFBIG"]);

/** @param error what a write threw. @returns the problem that the client gets (CONTRACT 5): `disk_full` or `disk_failed`. */
export const diskProblem = (error: unknown): Problem => ({
  code: FULL.has(errorCode(error)) ? "disk_full" : "disk_failed",
});

/** What was committed could not be made durable; `problem` is what a client should be told. */
export class NotDurable extends Error {
  override readonly name = "NotDurable";
  readonly problem: Problem = { code: "disk_failed" };
}
