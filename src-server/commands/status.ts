/** `stagedoor status`: shows the running emulator. */
import type { Status } from "#client/records.ts";
import { inMebibytes, many } from "#contract/words/words.ts";
import { type ClientOptions, withEmulator } from "#server/plumbing/emulator.ts";
import { type Io, print } from "#server/plumbing/io.ts";

/** @returns the URL of a listener on this machine, and the public one if there is one. */
const urlsOf = ({ urls, listening }: Status, listener: keyof Status["listening"]): string =>
  [...new Set([listening[listener], urls[listener]])].join("  ");

/** So many addresses are named that created apps of the join token. */
const MOST_HOLDERS = 5;

/** @returns what the apps of the join token keep; empty if there is no such token. */
const sharedLines = ({ shared }: Status): string[] => {
  if (shared === undefined) return [];
  const { apps, mostApps, bytes, mostBytes, largest, holders } = shared;
  const most = largest === null ? "" : `; ${largest.appId} keeps the most, mainly ${largest.mostly}`;
  const held = holders.slice(0, MOST_HOLDERS).map((one) => `${one.address ?? "before the start"} ${one.apps}`);
  const others = holders.length > MOST_HOLDERS ? ", …" : "";
  return [
    `  Shared   ${apps} of ${many(mostApps, "app")}, ${inMebibytes(bytes)} of ${inMebibytes(mostBytes)}${most}`,
    ...(held.length === 0 ? [] : [`           created from ${held.join(", ")}${others}`]),
  ];
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
