import { buildStale } from "./build.mjs";

/** Builds what is stale before tests that run the built product, once for all of them. */
export async function setup(): Promise<void> {
  await buildStale({ say: (line) => console.log(line) });
}
