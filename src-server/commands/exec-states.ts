/**
 * The states of `stagedoor exec`, in order:
 *
 *     look → start → prepare → run → write … → close
 *
 * Each of them can fail, and each can be ended by a signal (`ExecSignals` says how). From every one the way out leads
 * through `close` if `start` has begun, and then signals act as usual again.
 */
import { type ExecSignals, Interrupted } from "./exec-signals.ts";

/** What `exec` does in each state. */
export interface ExecWork<Server, Environment> {
  /** Tries the files to write. @returns what writes each of them, and returns the status with which to go on. */
  look(): Promise<readonly ((server: Server, status: number) => Promise<number>)[]>;
  /** Starts the emulator. @param stopped aborts that. */
  start(stopped: AbortSignal): Promise<Server>;
  /** Fills it. @returns what the command gets. */
  prepare(server: Server): Promise<Environment>;
  /** Runs the command, which gets the signals. @returns its status. */
  run(environment: Environment): Promise<number>;
  close(server: Server): Promise<void>;
}

/**
 * Goes through the states.
 * @returns the status of the command, as the files written change it; 128 plus the number of a signal before or after it.
 * @throws what a state throws, once everything is closed.
 */
export const runStates = async <Server, Environment>(
  { look, start, prepare, run, close }: ExecWork<Server, Environment>,
  signals: ExecSignals,
): Promise<number> => {
  let starting: Promise<Server> | undefined;
  try {
    const writes = await signals.during(look());
    starting = start(signals.stopped);
    const server = await signals.during(starting);
    const environment = await signals.during(prepare(server));
    let status = await run(environment);
    for (const write of writes) status = await signals.during(write(server, status));
    return status;
  } catch (error) {
    if (error instanceof Interrupted) return error.exitStatus;
    throw error;
  } finally {
    // A signal may have come while it was starting.
    const server = await starting?.catch(() => undefined);
    if (server !== undefined) await close(server);
    signals.release();
  }
};
