import { buildStale } from "./build.mjs";
import { writeClientStub } from "./client-stub.mjs";

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
}
