/**
 * Why a start ends before it has begun (CONTRACT 7, 8).
 */

/** The message is complete, for people; the exit status is 1 for what is in the way, 3 for damaged data. */
export class StartError extends Error {
  override readonly name = "StartError";
  readonly exitStatus: 1 | 3;

  constructor(message: string, exitStatus: 1 | 3) {
    super(message);
    this.exitStatus = exitStatus;
  }
}
