/** vitest runs this before each test file that runs the built product. */
import { beforeAll } from "vitest";

beforeAll(() => {
  // dist holds the last good build, not the sources under test.
  if (process.env["STAGEDOOR_TEST_BUILD_FAILED"] !== undefined)
    throw new Error("The build failed: see the start of the output.");
});
