/**
 * Whole worlds: out of the server, into it, and back to the fixtures.
 */
import { queryOptions } from "@tanstack/react-query";
import type { z } from "zod";
import { routes } from "#contract/routes.ts";
import type { WorldState } from "#contract/state.ts";
import { ask, tell } from "./client.ts";

/** `merge` adds and updates, `replace` makes the world be what is sent. */
export type ImportMode = "merge" | "replace";
/** What an import came to. */
export type ImportCounts = z.output<(typeof routes.writeState.answers)[200]>;
/** Most bytes of one import. */
export const MOST_BYTES: number = routes.writeState.maxBodyBytes;

const ofApp = (appId: string | null) => (appId === null ? {} : { appId });

/** The world as one would commit it, of an app or of all (null). @param withVolatile passcodes, sessions and clocks too. */
export const stateQuery = (appId: string | null, withVolatile: boolean) =>
  queryOptions({
    queryKey: ["state", appId, withVolatile],
    queryFn: ({ signal }): Promise<WorldState> =>
      ask(routes.readState, { signal, query: { ...ofApp(appId), volatile: withVolatile ? "1" : "0" } }),
    // A world may weigh megabytes: it is not compared with the one before, and let go soon.
    structuralSharing: false,
    gcTime: 5_000,
  });

/** How an import is to be done. */
export interface ImportOptions {
  readonly mode: ImportMode;
  /** The one app that is taken; null: all that are sent. */
  readonly only: string | null;
}

/** Has a world checked and counted by the server, which changes nothing. @throws RequestFailed with what is wrong by its path. */
export const tryImport = (
  state: WorldState,
  { mode, only }: ImportOptions,
  signal?: AbortSignal,
): Promise<ImportCounts> =>
  ask(routes.writeState, {
    ...(signal === undefined ? {} : { signal }),
    query: { ...ofApp(only), dryRun: "1" },
    body: { mode, state },
  });

/** Takes a world in, all or nothing. @throws RequestFailed, as `tryImport`. */
export const importState = (state: WorldState, { mode, only }: ImportOptions): Promise<ImportCounts> =>
  ask(routes.writeState, { query: ofApp(only), body: { mode, state } });

/** Goes back to the fixtures that the server was started with, for an app or for all (null). */
export const resetState = (appId: string | null): Promise<void> => tell(routes.resetState, { query: ofApp(appId) });
