/** `stagedoor status`, `stop` and `apps`: shows or stops the running emulator. */
import { setTimeout as pause } from "node:timers/promises";
import { StagedoorError } from "#client/index.ts";
import type { Status } from "#client/records.ts";
import { inMebibytes, many } from "#contract/words/words.ts";
import { findHolder } from "#server/boot/holder.ts";
import { type ClientOptions, instanceWords, withEmulator } from "#server/plumbing/emulator.ts";
import { CommandError, type Io, print } from "#server/plumbing/io.ts";

/** @returns the URL of a listener on this machine, and the public one if there is one. */
const urlsOf = ({ urls, listening }: Status, listener: keyof Status["listening"]): string =>
  [...new Set([listening[listener], urls[listener]])].join("  ");

/** @returns what the apps of the join token keep; empty if there is no such token. */
const sharedLines = ({ shared }: Status): string[] => {
  if (shared === undefined) return [];
  const { apps, mostApps, bytes, mostBytes, largest } = shared;
  const most = largest === null ? "" : `; ${largest.appId} keeps the most, mainly ${largest.mostly}`;
  return [`  Shared   ${apps} of ${many(mostApps, "app")}, ${inMebibytes(bytes)} of ${inMebibytes(mostBytes)}${most}`];
};

const statusLines = (now: Status): string[] => [
  `Stagedoor ${now.version}, process ${now.pid}, running for ${Math.round(now.uptimeSeconds)} s`,
  `  Admin    ${urlsOf(now, "admin")}`,
  `  Auth     ${[urlsOf(now, "auth"), ...now.urls.lan].join("  ")}`,
  `  Console  ${urlsOf(now, "console")}`,
  `  Data     ${now.dataDir === null ? "in memory only" : `${now.dataDir} (durability ${now.durability})`}`,
  ...(now.unwritable === undefined ? [] : [`           ${now.unwritable}`]),
  `  ${Object.entries(now.counts)
    .map(([what, n]) => many(n, what.slice(0, -1)))
    .join(", ")}`,
  ...sharedLines(now),
];

/** Prints the status of the running emulator. @returns 0. @throws CommandError if there is none. */
export const status = async (io: Io, options: ClientOptions): Promise<number> => {
  const now = await withEmulator(options, (client) => client.status());
  return print(io, options.json, now, statusLines(now));
};

const STOP_MS = 10_000;
const AGAIN_MS = 20;

/** Stops the running emulator, and waits until it has exited. @returns 0. @throws CommandError if it stays. */
export const stop = async (io: Io, options: ClientOptions): Promise<number> => {
  const last = await withEmulator(options, async (client) => {
    const stopping = await client.stop();
    const { pid, dataDir } = stopping;
    const deadline = performance.now() + STOP_MS;
    const answers = (): Promise<boolean> =>
      client.status().then(
        (now) => now.pid === pid,
        (error: unknown) => !(error instanceof StagedoorError && error.reason === "unreachable"),
      );
    // The lock is released last, when everything is on disk. Not visible if it runs in a container or elsewhere.
    const holds = (): boolean => {
      const holder = dataDir === null ? undefined : findHolder(dataDir);
      return holder?.pid === pid && holder.standing !== "gone";
    };
    while ((await answers()) || holds()) {
      if (performance.now() > deadline)
        throw new CommandError(`Process ${pid} has not stopped within ${STOP_MS / 1_000} s.`);
      await pause(AGAIN_MS);
    }
    return stopping;
  });
  return print(io, options.json, last, [`Stopped Stagedoor at ${instanceWords(last)} (process ${last.pid}).`]);
};
