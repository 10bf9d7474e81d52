/**
 * Cleanup for modules that test files share. The files of a worker share their modules, so a hook at the top of a
 * shared module would run for the first file that imports it and no other.
 */
import { afterAll, afterEach } from "vitest";

type Cleanup = () => unknown;

const pending: { readonly test: Cleanup[]; readonly file: Cleanup[] } = { test: [], file: [] };

/** Runs a function after the current test. */
export const afterTest = (cleanup: Cleanup): void => void pending.test.push(cleanup);

/** Runs a function after the last test of the current file. */
export const afterFile = (cleanup: Cleanup): void => void pending.file.push(cleanup);

/** Runs all of them one by one, newest first. @throws the first error. */
const runAll = async (cleanups: Cleanup[]): Promise<void> => {
  const errors: unknown[] = [];
  for (const cleanup of cleanups.splice(0).reverse())
    try {
      await cleanup();
    } catch (error) {
      errors.push(error);
    }
  if (errors.length > 0) throw errors[0];
};

/** Registers the hooks; the setup calls it for every test file. */
export const registerCleanup = (): void => {
  afterEach(() => runAll(pending.test));
  afterAll(() => runAll(pending.file));
};
