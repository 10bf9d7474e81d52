/**
 * `stagedoor doctor`: says what is wrong on this machine and with the data, and mends the data if asked to (CONTRACT 7, 8).
 */
import { existsSync } from "node:fs";
import { type GivenOptions, readConfig } from "#server/config.ts";
import { readHolder } from "#server/data-check.ts";
import { repairData } from "#server/data-repair.ts";
import { checkData, lockFinding } from "./doctor-data.ts";
import { checkElectron } from "./doctor-electron.ts";
import { type Finding, findingLines } from "./doctor-findings.ts";
import { checkPorts } from "./doctor-ports.ts";
import { CommandError, type Io } from "./io.ts";

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

/** @returns what was done. @throws CommandError saying why it could not be. */
const repair = async (dataDir: string): Promise<readonly string[]> => {
  const done: string[] = [];
  const stamp = new Date().toISOString().replace(/[-:]|\.\d+/g, "");
  const sofar = (): string => done.map((line) => `mended  ${line}\n`).join("");
  try {
    const failure = await repairData(dataDir, stamp, (line) => void done.push(line));
    if (failure === undefined) return done;
    throw new CommandError(`${sofar()}${failure.message}`);
  } catch (error) {
    if (error instanceof CommandError) throw error;
    const why = error instanceof Error ? error.message : String(error);
    throw new CommandError(`${sofar()}The data could not be mended: ${why}`);
  }
};

/**
 * Looks at versions, ports, data, lock and Electron.
 * @param options as `start` takes them; with `repair` the data is mended first.
 * @returns 0 if nothing is bad, else 1. @throws CommandError if the data cannot be mended, as when it is in use.
 */
export const doctor = async (options: DoctorOptions, version: string, io: Io): Promise<number> => {
  const { json, repair: asked, ...given } = options;
  const read = readConfig(given);
  if ("errors" in read) throw new CommandError(read.errors.join("\n"));
  const { config } = read;
  const repaired = asked === true && existsSync(config.dataDir) ? await repair(config.dataDir) : [];
  const holder = await readHolder(config.dataDir);
  const inUse = holder?.lives === true;
  const findings: Finding[] = [
    checkVersions(version),
    ...(await checkPorts(config, inUse ? holder.pid : undefined)),
    ...checkData(config.dataDir, inUse),
    lockFinding(holder),
    checkElectron(),
  ];
  const healthy = findings.every((finding) => finding.level !== "bad");
  if (json === true) io.out(`${JSON.stringify({ ok: healthy, repaired, findings })}\n`);
  else {
    for (const line of repaired) io.out(`mended  ${line}\n`);
    io.out(findingLines(findings, io.colors));
  }
  return healthy ? 0 : 1;
};
