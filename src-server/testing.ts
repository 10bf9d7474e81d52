/** `stagedoor/testing`: runs an emulator in the test process. */
import { connect, StagedoorError } from "#client/index.ts";
import type { Fixture, StartStagedoor } from "#client/started.ts";
import { unknownNames } from "#contract/validation.ts";
import { parseState } from "#domain/import/parse-state.ts";
import pkg from "../package.json" with { type: "json" };
import { StartError } from "./boot/start-error.ts";
import { debugWanted, readConfig } from "./config.ts";
import { NO_FILE } from "./config-file.ts";
import { createServer } from "./server.ts";

const OF_FILES = ["file", "map", "rest", "country", "encoding", "duplicates"] as const;
const OPTIONS = ["fixtures", "world", "dataDir", "ports", "lan", "log"] as const;

/** @throws StagedoorError for unknown options, with the nearest known name. */
const checkNames = (options: object, known: readonly string[], prefix = ""): void => {
  const unknown = Object.keys(options).filter((name) => !known.includes(name));
  const errors = Object.entries(unknownNames(unknown, known));
  if (errors.length === 0) return;
  const words = errors.map(([name, texts]) => `${prefix}${name} ${texts.join(", ")}`).join("; ");
  throw new StagedoorError(`startStagedoor: ${words}`, 422, "invalid_fields", Object.fromEntries(errors));
};

/** @returns a start error, worded for the options of `startStagedoor` instead of the command line. */
const inOptions = (reason: string, message: string): StagedoorError => {
  const words = message
    .replace(/--(admin|auth|console)-port( \(or \w+\))?/g, "ports.$1")
    .replace(/--(fixtures|lan)( \(or \w+\))?/g, "$1")
    .replace(/--data( \(or \w+\))?/g, "dataDir")
    .replaceAll('--map "Column=phone"', 'map: { Column: "phone" }')
    .replaceAll(/--country ([A-Z]{2})/g, 'country: "$1"')
    .replaceAll("--duplicates first, or last", 'duplicates: "first" or "last"');
  return new StagedoorError(words, 0, reason);
};

/** @returns the file without options that are undefined. */
const withoutAbsent = (fixture: Fixture): Fixture =>
  typeof fixture === "string"
    ? fixture
    : { ...Object.fromEntries(Object.entries(fixture).filter(([, value]) => value !== undefined)), file: fixture.file };

/** @see StartStagedoor */
export const startStagedoor: StartStagedoor = async (options = {}) => {
  checkNames(options, OPTIONS);
  const { fixtures, world, dataDir, ports = {}, lan = false, log = () => undefined } = options;
  checkNames(ports, ["admin", "auth", "console"], "ports.");
  for (const [i, fixture] of (fixtures ?? []).entries())
    if (typeof fixture === "object") checkNames(fixture, OF_FILES, `fixtures[${i}].`);
  const given = {
    adminPort: ports.admin ?? 0,
    authPort: ports.auth ?? 0,
    consolePort: ports.console ?? 0,
    durability: dataDir === undefined ? "memory" : "process",
    lan,
    ...(fixtures === undefined || world !== undefined ? {} : { fixtures: fixtures.map(withoutAbsent) }),
    ...(dataDir === undefined ? {} : { data: dataDir }),
  };
  const read = readConfig(given, {}, undefined, NO_FILE);
  if ("errors" in read) throw inOptions("invalid_options", read.errors.join("\n"));
  const home = world === undefined ? {} : { home: parseState(JSON.parse(JSON.stringify(world))) };
  const server = await createServer(read.config, { log, version: pkg.version, ...home }).catch((error: unknown) => {
    throw error instanceof StartError ? inOptions(error.failure.code, error.message) : error;
  });
  const { admin, auth, console: consoleUrl, lan: lanUrls } = server.urls;
  const client = connect({ consoleUrl });
  let closed: Promise<void> | undefined;
  const close = (): Promise<void> => {
    closed ??= client.close().then(() => server.close());
    return closed;
  };
  try {
    if (world !== undefined) await client.state.import(world, { mode: "replace" });
  } catch (error) {
    await close();
    throw error;
  }
  const reset = (): Promise<void> => client.state.reset();
  const { notices } = server;
  if (debugWanted()) for (const notice of notices) process.stderr.write(`stagedoor: ${notice}\n`);
  const urls = { adminUrl: admin, authUrl: auth, consoleUrl, lanUrls };
  return { ...urls, client, notices, reset, close, [Symbol.asyncDispose]: close };
};
