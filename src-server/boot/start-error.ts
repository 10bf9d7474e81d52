/** Why a start fails. */
import type { Failed } from "#contract/control/ready.ts";
import type { Problem } from "#contract/service/problems.ts";
import type { StoreFailure } from "#store/failure.ts";

/** The report of a failed start. */
export type StartFailure = Omit<Failed, "event">;

/** A failed start, or what fails later for the same reason; the message is complete and human-readable. */
export class StartError extends Error {
  override readonly name = "StartError";
  readonly failure: StartFailure;

  constructor(code: StartFailure["code"], message: string, more: Omit<StartFailure, "code" | "message"> = {}) {
    super(message);
    this.failure = { code, message, ...more };
  }

  /** The response to a request that could not open a listener. */
  get problem(): Problem {
    const code = this.failure.code === "ca_unusable" ? "ca_unusable" : "port_taken";
    return { code, instruction: this.message };
  }

  /** Exit status of the process: 3 for damaged data, 1 otherwise. */
  get exitStatus(): 1 | 3 {
    return this.failure.code === "data_damaged" ? 3 : 1;
  }
}

/** @returns a failure of the store as a `StartError`. */
export const dataError = ({ message, exitStatus, file, offset, holder }: StoreFailure): StartError => {
  const where = { ...(file === null ? {} : { file }), ...(offset === null ? {} : { offset }) };
  if (holder !== null) return new StartError("data_in_use", message, { ...where, holder });
  return new StartError(exitStatus === 3 ? "data_damaged" : "data_unusable", message, where);
};
