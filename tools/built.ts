import { buildStale } from "./build.mjs";

/**
 * Builds what is stale before tests that run the built product, once for all of them. A build that fails is shown, and
 * then fails those tests one by one, so that the others still run and the tally is still printed.
 */
export async function setup(): Promise<void> {
  await buildStale({ say: (line) => console.log(line) }).catch((error: unknown) => console.error(error));
}
