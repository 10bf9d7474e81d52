/**
 * Whether the three ports are free, and who has them (`stagedoor doctor`).
 */
import { createServer } from "node:net";
import { z } from "zod";
import type { Config } from "#server/config.ts";
import type { Finding } from "./doctor-findings.ts";
import { portHolder } from "./port-holder.ts";

/** @returns why one cannot listen on the port of loopback, as Node's error code; undefined if one can. */
const whyNot = (port: number): Promise<string | undefined> =>
  new Promise((resolve) => {
    const server = createServer();
    server.once("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    server.listen({ port, host: "127.0.0.1", exclusive: true }, () => server.close(() => resolve(undefined)));
  });

/** @returns the version of the Stagedoor that answers on a port, if one does within a second. */
const stagedoorAt = async (port: number): Promise<string | undefined> => {
  try {
    const answer = await fetch(`http://127.0.0.1:${port}/livez`, { signal: AbortSignal.timeout(1_000) });
    const named = answer.headers.get("Emulator");
    if (named?.startsWith("stagedoor/") === true) return named.slice("stagedoor/".length);
    const status = await fetch(`http://127.0.0.1:${port}/emulator/v1/status`, { signal: AbortSignal.timeout(1_000) });
    return z.object({ name: z.literal("stagedoor"), version: z.string() }).safeParse(await status.json()).data?.version;
  } catch {
    return undefined;
  }
};

const lookAt = async (name: string, port: number, ownPid: number | undefined): Promise<Finding> => {
  const flag = `--${name}-port`;
  if (port === 0) return { check: "ports", level: "ok", text: `${name}: any free port` };
  const code = await whyNot(port);
  if (code === undefined) return { check: "ports", level: "ok", text: `${name}: port ${port} is free` };
  const advice = `Choose another with ${flag}.`;
  if (code !== "EADDRINUSE") {
    const text = `${name}: port ${port} cannot be had (${code === "EACCES" ? "it needs more rights" : code})`;
    return { check: "ports", level: "bad", text, advice };
  }
  const [holder, version] = await Promise.all([portHolder(port), stagedoorAt(port)]);
  const process = holder === undefined ? "" : ` (process ${holder.pid}, ${holder.name})`;
  if (version !== undefined && ownPid !== undefined && (holder === undefined || holder.pid === ownPid))
    return { check: "ports", level: "ok", text: `${name}: port ${port} serves the Stagedoor that holds this data` };
  const by = version === undefined ? "another program" : `another Stagedoor, version ${version}`;
  return { check: "ports", level: "bad", text: `${name}: port ${port} is in use by ${by}${process}`, advice };
};

/** @param ownPid the living process that holds the data directory: its ports are in use as they should be. */
export const checkPorts = (config: Config, ownPid: number | undefined): Promise<Finding[]> =>
  Promise.all([
    lookAt("admin", config.adminPort, ownPid),
    lookAt("auth", config.authPort, ownPid),
    lookAt("console", config.consolePort, ownPid),
  ]);
