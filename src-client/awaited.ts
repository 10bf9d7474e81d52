/** Waits that a test starts now and awaits later. */
import { StagedoorError } from "./error.ts";

/**
 * @returns the promise of `start`. If the test does not await it, because it failed earlier, a rejection is not reported as
 * unhandled; when awaited, its stack names the line that started the wait.
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
