import { buildStale } from "./build.mjs";
import { writeClientStub } from "./client-stub.mjs";
import { buildSingle } from "./single.mjs";

/**
 * Builds stale parts once, before all tests that run the built product. A failed build is printed and then fails those
 * tests one by one (`built-setup.ts`), so that all others still run and the tally is printed.
 */
export async function setup(): Promise<void> {
  // Some of these tests pack the package.
  writeClientStub();
  delete process.env["STAGEDOOR_TEST_BUILD_FAILED"];
  await buildStale({ say: (line) => console.log(line) }).catch((error: unknown) => {
    console.error(error);
    process.env["STAGEDOOR_TEST_BUILD_FAILED"] = "1";
  });
  // The tests of the command line then run the single executable.
  if (process.env["STAGEDOOR_TEST_PROGRAM"] === "single") process.env["STAGEDOOR_TEST_PROGRAM"] = await buildSingle();
}
