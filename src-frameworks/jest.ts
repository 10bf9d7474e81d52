/**
 * `stagedoor/jest`: one emulator for the whole run, `globalSetup: "stagedoor/jest"`. It is a process of its own, which ends
 * with Jest, so there is nothing to tear down.
 */
import { fork } from "node:child_process";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Stagedoor, StartOptions } from "stagedoor/client";
import { isGiven, isSharded, openEmulator, publish } from "./emulator.ts";

const SERVER = join(dirname(fileURLToPath(import.meta.url)), "jest-server.js");

/** What the process answers. */
export type ServerMessage =
  | { readonly ready: Pick<Stagedoor, "adminUrl" | "authUrl" | "consoleUrl"> }
  | { readonly failed: string };

/** The options that another process can be told. */
export type JestOptions = Omit<StartOptions, "log">;

/**
 * A global setup with options: `module.exports = createSetup({ fixtures: ["qa.json"] })`.
 * @returns a setup that starts an emulator and sets `STAGEDOOR_CONSOLE_URL`, `STAGEDOOR_AUTH_URL` and `STAGEDOOR_ADMIN_URL`
 * for the workers. It does nothing if STAGEDOOR_CONSOLE_URL names an emulator already, as in the second run of `--watch`; of STAGEDOOR_SHARDS
 * it picks this job's.
 * @throws Error if the emulator cannot be started.
 */
export const createSetup = (options: JestOptions = {}) => {
  return async (): Promise<void> => {
    if (isGiven()) return;
    if (isSharded()) return void publish(await openEmulator());
    const server = fork(SERVER, {
      stdio: ["ignore", "inherit", "inherit", "ipc"],
      // Options of Jest's own process, such as a debugger's port, are not for this one.
      execArgv: [],
    });
    const message = await new Promise<ServerMessage>((resolve, reject) => {
      server.once("message", (text) => resolve(JSON.parse(String(text))));
      server.once("exit", (code) => reject(new Error(`Stagedoor ended with status ${code} before it was ready.`)));
      server.send(JSON.stringify(options));
    });
    if ("failed" in message) throw new Error(`Stagedoor could not be started: ${message.failed}`);
    publish(message.ready);
    // Jest must not wait for it.
    server.unref();
    server.channel?.unref();
  };
};

export default createSetup();
