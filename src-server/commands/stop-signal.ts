/**
 * How a start is stopped (CONTRACT 7): the first signal ends it in order, a second one at once.
 */
import { constants } from "node:os";

/** A start must be over within 2 s of the signal. */
const GRACE_MS = 1_900;
/** One press of ^C may come twice: from the terminal, and passed on by npm or the like. */
const ECHO_MS = 100;
const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/**
 * Waits for a signal that asks the process to stop. From then on a second signal, or the passing of the time that a stop
 * may take, ends the process on the spot: what was answered is in the journal by then.
 * @param late told in words when the time has passed.
 * @returns a promise of the first signal.
 */
export const stopSignal = (late: (line: string) => void): Promise<void> =>
  new Promise((resolve) => {
    let askedAt: number | undefined;
    const stop = (signal: (typeof SIGNALS)[number]): void => {
      if (askedAt !== undefined) {
        if (performance.now() - askedAt > ECHO_MS) process.exit(128 + constants.signals[signal]);
        return;
      }
      askedAt = performance.now();
      setTimeout(() => {
        late("Stopping took too long. The data is safe; the next start reads the journal.");
        process.exit(0);
      }, GRACE_MS).unref();
      resolve();
    };
    for (const signal of SIGNALS) process.on(signal, stop);
  });
