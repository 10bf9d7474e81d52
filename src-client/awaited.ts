/** A wait that a test starts now and awaits later. */
import { StagedoorError } from "./error.ts";

/**
 * @param start begins the wait.
 * @returns its promise. A rejection that nobody awaits, since the test failed before, is not an unhandled one; the stack of
 * one that is awaited names the line where the wait began.
 */
export const awaitedLater = <T>(start: () => Promise<T>): Promise<T> => {
  const frames = new Error().stack?.replace(/^Error:?.*\n/, "");
  const promise = start().catch((error: unknown) => {
    if (error instanceof StagedoorError && frames !== undefined) error.stack = `${error}\n${frames}`;
    throw error;
  });
  promise.catch(() => undefined);
  return promise;
};
