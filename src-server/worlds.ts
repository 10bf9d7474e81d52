/**
 * Which world a data directory starts from, and goes back to: its fixtures, else the demo (CONTRACT 2, 6).
 */
import type { JsonObject } from "#contract/scalars.ts";
import type { WorldState } from "#contract/state.ts";
import { REAL_CLOCK } from "#domain/clock.ts";
import type { World } from "#domain/world.ts";
import { parseWorld, readFixtureFiles } from "./fixture-files.ts";

/** A world without anything. */
export const EMPTY_WORLD: World = {
  seq: 0,
  apps: [],
  clock: REAL_CLOCK,
  app: () => undefined,
  appBySecret: () => undefined,
};

const demo = async (): Promise<{ readonly state: WorldState } | { readonly errors: readonly string[] }> => {
  const { default: file }: { default: JsonObject } = await import("../fixtures/demo.json");
  const parsed = parseWorld(file, "demo.json");
  return "errors" in parsed ? parsed : { state: parsed.world };
};

/**
 * @param files absolute paths; none: the demo.
 * @returns all their apps in one world, or what is wrong with any of them.
 */
export const readWorlds = async (
  files: readonly string[],
): Promise<{ readonly state: WorldState } | { readonly errors: readonly string[] }> => {
  if (files.length === 0) return demo();
  const read = await readFixtureFiles(files);
  return "errors" in read ? read : { state: { version: 1, apps: read.worlds.flatMap(({ world }) => world.apps) } };
};
