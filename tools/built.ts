import { buildStale } from "./build.mjs";

/**
 * Builds what is stale before tests that run the built product, once for all of them. A build that fails is shown, and
 * then fails those tests one by one (`built-setup.ts`), so that the others still run and the tally is still printed.
 */
export async function setup(): Promise<void> {
  delete process.env["STAGEDOOR_TEST_BUILD_FAILED"];
  await buildStale({ say: (line) => console.log(line) }).catch((error: unknown) => {
    console.error(error);
    process.env["STAGEDOOR_TEST_BUILD_FAILED"] = "1";
  });
}
