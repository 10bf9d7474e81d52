/** Runs the program once in a new Stagedoor of its own, with or without a failure. */
import { join } from "node:path";
import { connect, type RequestRow } from "#client/index.ts";
import { childEnvironment, importState } from "#server/commands/child.ts";
import { startOwn } from "#server/commands/own-server.ts";
import type { GivenOptions } from "#server/config.ts";
import { CommandError, type Io } from "#server/plumbing/io.ts";
import type { RunningServer } from "#server/server.ts";
import { runProgram } from "./run-program.ts";
import { secondCode } from "./second-code.ts";
import { type Failure, faultsFor } from "./steps.ts";
import { scriptsOf, withoutRetries } from "./suite.ts";

/** What all trials have in common. */
export interface TrialSetup {
  readonly version: string;
  readonly words: readonly string[];
  readonly start: GivenOptions;
  /** An export to start with. */
  readonly import: string | undefined;
  /** The service's clock at the start of each run, milliseconds since 1970. */
  readonly atMs: number;
  readonly ended: AbortSignal;
  readonly io: Io;
  /** A folder of this exploration, for what runners load and note. */
  readonly folder: string;
}

/** What happened in a run. */
export interface Trial {
  /** 128 plus the number of a signal; 127 if there is no such program. */
  readonly exitCode: number;
  readonly isTimedOut: boolean;
  /** The time of the program itself. */
  readonly ms: number;
  readonly output: string;
  /** Oldest first. */
  readonly rows: readonly RequestRow[];
  /** The scripts that its Nodes began. */
  readonly scripts: readonly string[];
  /** The request that met the failure; undefined: it never came, or a first code was never read. */
  readonly met: RequestRow | undefined;
  /** The login with it, as `stagedoor open` shows it; undefined: not wanted, or it never came. */
  readonly film: unknown;
}

let runs = 0;

const withServer = async <T>(
  setup: TrialSetup,
  start: GivenOptions,
  use: (server: RunningServer) => Promise<T>,
): Promise<T> => {
  const startedMs = performance.now();
  const server = await startOwn(start, {
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

/**
 * @param shown whether the program's output is shown. @param withFilm whether its login is wanted. @returns what happened.
 * @throws CommandError if a port of what it started stays taken: all later runs would meet the wrong server.
 */
export const tryOnce = async (
  setup: TrialSetup,
  failure: Failure | undefined,
  timeoutMs: number,
  { shown = false, withFilm = false } = {},
): Promise<Trial> => {
  const isSecond = failure?.kind === "twocodes";
  const { consolePort } = setup.start;
  // Then the command meets the console through another server.
  const start = isSecond ? { ...setup.start, consolePort: "0" } : setup.start;
  return await withServer(setup, start, async (server) => {
    const client = connect({ consoleUrl: server.urls.console });
    if (setup.import !== undefined) await importState(setup.import, server, setup.io);
    let faultId: string | undefined;
    if (failure !== undefined)
      for (const fault of faultsFor(failure.step, failure.kind)) faultId = (await client.faults.add(fault)).id;
    let second: Awaited<ReturnType<typeof secondCode>> | undefined;
    const env = withoutRetries(await childEnvironment(server), setup.folder);
    if (isSecond && faultId !== undefined) {
      second = await secondCode(client, server.urls.console, faultId, Number(consolePort ?? 0));
      env["STAGEDOOR_CONSOLE_URL"] = second.url;
    }
    const mark = join(setup.folder, `${++runs}.`);
    const startedMs = performance.now();
    const { taken, ...ended } = await runProgram(setup, mark, env, timeoutMs, shown).finally(second?.close);
    const ms = Math.round(performance.now() - startedMs);
    const [left] = taken;
    if (left !== undefined)
      throw new CommandError(
        `The command has listened on port ${left.port}, which process ${left.pid} has taken since: the next run would reach that process. End it, or choose another port.`,
      );
    const { items } = await client.requests.list({ limit: 1_000 });
    const rows = items.toReversed();
    const found = rows.find(({ fault }) => fault !== null && fault === faultId);
    const met = second?.wasSent() === false ? undefined : found;
    const film = withFilm && met !== undefined ? await client.requests.bundle(met.id) : undefined;
    return { ...ended, ms, rows, scripts: await scriptsOf(mark), met, film };
  });
};
