/** vitest runs this before each file of tests that run the built product. */
import { beforeAll } from "vitest";

beforeAll(() => {
  // What is there is the last good build, not the sources that are to be tested.
  if (process.env["STAGEDOOR_TEST_BUILD_FAILED"] !== undefined)
    throw new Error("The build failed: see the start of the output.");
});
