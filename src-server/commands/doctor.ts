/** `stagedoor doctor`: checks this machine and the data, and optionally repairs the data (CONTRACT 7, 8). */
import { existsSync } from "node:fs";
import { findHolder } from "#server/boot/holder.ts";
import { type GivenOptions, readConfig } from "#server/config.ts";
import { repairData } from "#server/repair/repair.ts";
import { checkData, type Finding, findingLines, lockFinding } from "./doctor-data.ts";
import { checkElectron, checkPorts } from "./doctor-machine.ts";
import { checkNetwork } from "./doctor-network.ts";
import { CommandError, type Io, wrongUsage } from "./io.ts";

/** @see doctor */
export interface DoctorOptions extends GivenOptions {
  readonly repair?: boolean;
  readonly json?: boolean;
}

const checkVersions = (version: string): Finding => {
  const text = `Stagedoor ${version}, Node ${process.version}, ${process.platform} ${process.arch}`;
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return { check: "versions", level: "ok", text };
  return { check: "versions", level: "bad", text, advice: "Stagedoor needs Node 20.19 or newer." };
};

/** @returns the actions taken. @throws CommandError if the data cannot be repaired. */
const repair = async (dataDir: string, io: Io): Promise<readonly string[]> => {
  const done: string[] = [];
  const stamp = new Date().toISOString().replace(/[-:]|\.\d+/g, "");
  const options = { stamp, say: (line: string) => void done.push(line), onNotice: (line: string) => io.err(line) };
  const refuse = (why: string): never => {
    throw new CommandError([...done, why].join("\n"));
  };
  try {
    const failure = await repairData(dataDir, options);
    return failure === undefined ? done : refuse(failure.message);
  } catch (error) {
    if (error instanceof CommandError) throw error;
    return refuse(`The data could not be repaired: ${error instanceof Error ? error.message : String(error)}`);
  }
};

/**
 * Checks versions, ports, the URLs of a running Stagedoor, data, lock and Electron. @param options of `start`; with
 * `repair` the data is repaired first.
 * @returns 0 if nothing is bad, otherwise 1. @throws CommandError if the data cannot be repaired.
 */
export const doctor = async (options: DoctorOptions, version: string, io: Io): Promise<number> => {
  const { json, repair: asked, ...given } = options;
  const read = readConfig(given);
  if ("errors" in read) throw wrongUsage(read.errors.join("\n"));
  const { config } = read;
  const repaired = asked === true && existsSync(config.dataDir) ? await repair(config.dataDir, io) : [];
  const holder = findHolder(config.dataDir);
  const inUse = holder !== undefined && holder.standing !== "gone";
  const findings: Finding[] = [
    checkVersions(version),
    ...(await checkPorts(config, inUse ? holder.pid : undefined)),
    ...(inUse && holder.consoleUrl !== null ? await checkNetwork(holder.consoleUrl) : []),
    ...(await checkData(config.dataDir, inUse)),
    lockFinding(holder),
    checkElectron(),
  ];
  const healthy = findings.every((finding) => finding.level !== "bad");
  if (json === true) io.json(`${JSON.stringify({ ok: healthy, repaired, findings })}\n`);
  else {
    for (const line of repaired) io.out(`${line}\n`);
    io.out(findingLines(findings));
  }
  return healthy ? 0 : 1;
};
