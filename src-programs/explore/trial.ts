/** Runs the program once in a new Stagedoor of its own, with or without a failure. */
import { setTimeout } from "node:timers/promises";
import type { Client } from "#client/client.ts";
import { connect, type RequestRow } from "#client/index.ts";
import type { Kind } from "#contract/documents/explorations.ts";
import { childEnvironment, importState } from "#server/commands/child.ts";
import { startOwn } from "#server/commands/own-server.ts";
import type { GivenOptions } from "#server/config.ts";
import type { Io } from "#server/plumbing/io.ts";
import type { RunningServer } from "#server/server.ts";
import { runProgram } from "./run-program.ts";
import { faultsFor, type LoginStep } from "./steps.ts";

/** What all trials have in common. */
export interface TrialSetup {
  readonly version: string;
  readonly words: readonly string[];
  readonly start: GivenOptions;
  /** An export to start with. */
  readonly import: string | undefined;
  /** The service's clock at the start of each run, milliseconds since 1970. */
  readonly atMs: number;
  /** Ends a run. */
  readonly ended: AbortSignal;
  readonly io: Io;
}

/** What happened in a run. */
export interface Trial {
  /** 128 plus the number of a signal; 127 if there is no such program. */
  readonly exitCode: number;
  readonly isTimedOut: boolean;
  /** The time of the program itself. */
  readonly ms: number;
  /** What the program printed. */
  readonly output: string;
  /** Oldest first. */
  readonly rows: readonly RequestRow[];
  /** The request that met the failure; undefined: it never came. */
  readonly met: RequestRow | undefined;
  /** The login with it, as `stagedoor open` shows it; undefined: not wanted, or it never came. */
  readonly film: unknown;
}

/** A failure to try. */
export interface Failure {
  readonly step: LoginStep;
  readonly kind: Kind;
}

/** How often it is looked whether a step has come. */
const LOOK_MS = 20;

/** Sends a newer code to whoever asks for one at the step, before the request is answered. */
const sendBeside = async (client: Client, faultId: string, ended: AbortSignal): Promise<void> => {
  let seen = 0;
  while (!ended.aborted) {
    const { used } = await client.faults.get(faultId);
    const [sent] = (await client.passcodes.list({ limit: 1 })).items;
    if (used > 0 && sent !== undefined && sent.seq > seen) {
      await client.passcodes.send({ appId: sent.appId, userId: sent.userId });
      return;
    }
    seen = sent?.seq ?? 0;
    await setTimeout(LOOK_MS);
  }
};

const withServer = async <T>(setup: TrialSetup, use: (server: RunningServer) => Promise<T>): Promise<T> => {
  const startedMs = performance.now();
  const server = await startOwn(setup.start, {
    log: (line) => setup.io.err(line),
    version: setup.version,
    seed: "explore",
    realNow: () => setup.atMs + Math.floor(performance.now() - startedMs),
  });
  try {
    return await use(server);
  } finally {
    await server.close();
  }
};

/** @param shown whether the program's output is shown. @param withFilm whether its login is wanted. @returns what happened. */
export const tryOnce = async (
  setup: TrialSetup,
  failure: Failure | undefined,
  timeoutMs: number,
  { shown = false, withFilm = false } = {},
): Promise<Trial> =>
  await withServer(setup, async (server) => {
    const client = connect({ consoleUrl: server.urls.console });
    if (setup.import !== undefined) await importState(setup.import, server, setup.io);
    let faultId: string | undefined;
    if (failure !== undefined)
      for (const fault of faultsFor(failure.step, failure.kind)) faultId = (await client.faults.add(fault)).id;
    const over = new AbortController();
    const beside =
      failure?.kind === "twocodes" && faultId !== undefined
        ? sendBeside(client, faultId, over.signal).catch(() => undefined)
        : undefined;
    const env = await childEnvironment(server);
    const startedMs = performance.now();
    const { exitCode, isTimedOut, output } = await runProgram(setup, env, timeoutMs, shown);
    const ms = Math.round(performance.now() - startedMs);
    over.abort();
    const { items } = await client.requests.list({ limit: 1_000 });
    const rows = items.toReversed();
    const met = rows.find(({ fault }) => fault !== null && fault === faultId);
    const film = withFilm && met !== undefined ? await client.requests.bundle(met.id) : undefined;
    void beside;
    return { exitCode, isTimedOut, ms, output, rows, met, film };
  });
