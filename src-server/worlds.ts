/**
 * Which world a data directory starts from, and goes back to: its fixtures, else the demo (CONTRACT 2, 6).
 */
import type { JsonObject } from "#contract/scalars.ts";
import type { FixtureApp, WorldState } from "#contract/state.ts";
import { REAL_CLOCK } from "#domain/clock.ts";
import type { World } from "#domain/world.ts";
import { type FixtureFile, parseWorld, readFixtureFiles } from "./fixture-files.ts";

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

/** An app that stands in several files: what the later ones say of it goes, their profiles and connections are added. */
const joinFiles = (files: readonly FixtureFile[]): FixtureApp[] => {
  const [only, another] = files;
  // Within one file an app stands once: the import says so of another.
  if (only !== undefined && another === undefined) return only.world.apps;
  const byId = new Map<string, FixtureApp>();
  for (const app of files.flatMap(({ world }) => world.apps)) {
    const before = byId.get(app.appId);
    const profiles = [...(before?.profiles ?? []), ...(app.profiles ?? [])];
    const connections = [...(before?.connections ?? []), ...(app.connections ?? [])];
    byId.set(app.appId, before === undefined ? app : { ...before, ...app, profiles, connections });
  }
  return [...byId.values()];
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
  if ("errors" in read) return read;
  return { state: { version: 1, apps: joinFiles(read.worlds) } };
};
