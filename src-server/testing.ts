/** `stagedoor/testing`: an emulator in the process of the tests. */
import { connect } from "#client/index.ts";
import type { StartStagedoor } from "#client/started.ts";
import pkg from "../package.json" with { type: "json" };
import { readConfig } from "./config.ts";
import { createServer } from "./server.ts";

/** @see StartStagedoor */
export const startStagedoor: StartStagedoor = async ({ fixtures, world, dataDir, ports, lan = false, log } = {}) => {
  const given = {
    adminPort: ports?.admin ?? 0,
    authPort: ports?.auth ?? 0,
    consolePort: ports?.console ?? 0,
    durability: dataDir === undefined ? "memory" : "process",
    lan,
    ...(fixtures === undefined ? {} : { fixtures }),
    ...(dataDir === undefined ? {} : { data: dataDir }),
  };
  const read = readConfig(given, {});
  if ("errors" in read) throw new Error(read.errors.join("\n"));
  const server = await createServer(read.config, { log: log ?? (() => undefined), version: pkg.version });
  const { admin, auth, console: consoleUrl, lan: lanUrls } = server.urls;
  const client = connect({ consoleUrl });
  let closed: Promise<void> | undefined;
  const close = (): Promise<void> => {
    closed ??= server.close();
    return closed;
  };
  try {
    if (world !== undefined) await client.state.import(world, { mode: "replace" });
  } catch (error) {
    await close();
    throw error;
  }
  return { adminUrl: admin, authUrl: auth, consoleUrl, lanUrls, client, close };
};
