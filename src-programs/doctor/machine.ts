/** Checks whether the three ports are free, and who uses them, for `stagedoor doctor`. */
import { readFileSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import { joinSignals } from "#client/signals.ts";
import { type Config, type Environment, environment } from "#server/config.ts";
import { listening, pidsOfLinux } from "#server/plumbing/listening.ts";
import type { DataFinding } from "./data.ts";

const portHolder = (port: number): { readonly pid: number; readonly name: string } | undefined => {
  const pid = listening(pidsOfLinux()).find((one) => one.port === port)?.pid;
  return pid === undefined ? undefined : { pid, name: contentOf(`/proc/${pid}/comm`) || "unknown" };
};

/** @returns the Node error code of listening on a loopback port; undefined if that works. */
const listenError = (port: number): Promise<string | undefined> =>
  new Promise((resolve) => {
    const server = createServer();
    server.once("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    server.listen({ port, host: "127.0.0.1", exclusive: true }, () => server.close(() => resolve(undefined)));
  });

/** @returns the version of the Stagedoor on a port, if one responds within a second. */
const stagedoorAt = async (port: number): Promise<string | undefined> => {
  const { signal, release } = joinSignals([], 1_000);
  try {
    const answer = await fetch(`http://127.0.0.1:${port}/livez`, { signal });
    await answer.body?.cancel();
    return /^stagedoor\/(.+)$/.exec(answer.headers.get("Emulator") ?? "")?.[1];
  } catch {
    return undefined;
  } finally {
    release();
  }
};

const lookAt = async (name: string, port: number, ownPid: number | undefined): Promise<DataFinding> => {
  const ok = (text: string): DataFinding => ({ check: "ports", level: "ok", text: `${name}: ${text}` });
  const bad = (text: string): DataFinding => ({
    ...ok(text),
    level: "bad",
    advice: `Choose another with --${name}-port.`,
  });
  if (port === 0) return ok("any free port");
  const code = await listenError(port);
  if (code === undefined) return ok(`port ${port} is free`);
  if (code !== "EADDRINUSE")
    return bad(`port ${port} cannot be used (${code === "EACCES" ? "permission denied" : code})`);
  const holder = portHolder(port);
  const version = await stagedoorAt(port);
  const process = holder === undefined ? "" : ` (process ${holder.pid}, ${holder.name})`;
  if (version !== undefined && ownPid !== undefined && (holder === undefined || holder.pid === ownPid))
    return ok(`port ${port} serves the Stagedoor that holds this data`);
  const by = version === undefined ? "another program" : `another Stagedoor, version ${version}`;
  return bad(`port ${port} is in use by ${by}${process}`);
};

/** @param ownPid the running process that holds the data directory, which uses these ports rightly. */
export const checkPorts = (config: Config, ownPid: number | undefined): Promise<DataFinding[]> =>
  Promise.all([
    lookAt("admin", config.adminPort, ownPid),
    lookAt("auth", config.authPort, ownPid),
    lookAt("console", config.consolePort, ownPid),
  ]);

/** Electron's folder. Importing `electron` itself would download its binary. */
const electronFolder = (): string | undefined => {
  try {
    return dirname(createRequire(import.meta.url).resolve("electron/package.json"));
  } catch {
    return undefined;
  }
};

const contentOf = (file: string): string => {
  try {
    return readFileSync(file, "utf8").trim();
  } catch {
    return "";
  }
};

/** @returns the path of Electron's binary, or that it is missing. Never `bad`: the console works in a browser. */
export const checkElectron = (env: Environment = environment()): DataFinding => {
  const folder = electronFolder();
  const other = env["ELECTRON_OVERRIDE_DIST_PATH"] || undefined;
  const finding = (text: string): DataFinding => ({ check: "electron", level: "ok", text: `Electron: ${text}` });
  if (folder === undefined && other === undefined) return finding("not installed; open the console in your browser");
  const name =
    contentOf(join(folder ?? "", "path.txt")) || (process.platform === "win32" ? "electron.exe" : "electron");
  const binary = join(other ?? join(folder ?? "", "dist"), name);
  if (statSync(binary, { throwIfNoEntry: false })?.isFile() === true) return { ...finding(binary), file: binary };
  const text = `no binary at ${binary}; open the console in your browser`;
  const advice = "A start in the checkout downloads it, if there is a display.";
  return { ...finding(text), level: "warn", advice, file: binary };
};
