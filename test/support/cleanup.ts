/**
 * Cleanup for modules that test files share. Files of one worker share their modules, so a hook at the top of a shared
 * module would run for the first file that imports it, and for no other.
 */
import { afterAll, afterEach } from "vitest";

type Cleanup = () => unknown;

const pending: { readonly test: Cleanup[]; readonly file: Cleanup[] } = { test: [], file: [] };

/** Runs a function after the current test. */
export const afterTest = (cleanup: Cleanup): void => void pending.test.push(cleanup);

/** Runs a function after the last test of the current file. */
export const afterFile = (cleanup: Cleanup): void => void pending.file.push(cleanup);

/** Runs the newest first, each, and one after the other. @throws the first error. */
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

/** Registers the hooks; called for each test file, by its setup. */
export const registerCleanup = (): void => {
  afterEach(() => runAll(pending.test));
  afterAll(() => runAll(pending.file));
};
