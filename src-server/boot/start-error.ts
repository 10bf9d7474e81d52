/** Why a start ends before it has begun (CONTRACT 7, 8). */
import type { Failed } from "#contract/ready.ts";
import type { StoreFailure } from "#store/failure.ts";

/** What a start that fails reports. */
export type StartFailure = Omit<Failed, "event">;

/** The message is complete, for people. */
export class StartError extends Error {
  override readonly name = "StartError";
  readonly failure: StartFailure;

  constructor(code: StartFailure["code"], message: string, more: Omit<StartFailure, "code" | "message"> = {}) {
    super(message);
    this.failure = { code, message, ...more };
  }

  /** Of the process: 3 for damaged data, 1 for what is in the way. */
  get exitStatus(): 1 | 3 {
    return this.failure.code === "data_damaged" ? 3 : 1;
  }
}

/** @returns the failure of the store as one of the start. */
export const dataError = ({ message, exitStatus, file, offset, holder }: StoreFailure): StartError => {
  const where = { ...(file === null ? {} : { file }), ...(offset === null ? {} : { offset }) };
  if (holder !== null) return new StartError("data_in_use", message, { ...where, holder });
  return new StartError(exitStatus === 3 ? "data_damaged" : "data_unusable", message, where);
};
