/**
 * `stagedoor doctor`: says what is wrong on this machine and with the data, and mends the data if asked to (CONTRACT 7, 8).
 */
import { type GivenOptions, readConfig } from "#server/config.ts";
import { StoreFailure } from "#store/failure.ts";
import { checkData, checkLock, damageFinding } from "./doctor-data.ts";
import { checkElectron } from "./doctor-electron.ts";
import { type Finding, findingLines } from "./doctor-findings.ts";
import { checkPorts } from "./doctor-ports.ts";
import { repairData } from "./doctor-repair.ts";
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

const repair = async (dataDir: string, repaired: string[]): Promise<Finding[]> => {
  const stamp = new Date().toISOString().replace(/[-:]|\.\d+/g, "");
  try {
    const damage = await repairData(dataDir, stamp, (line) => void repaired.push(line));
    return damage === undefined ? [] : [damageFinding(damage)];
  } catch (error) {
    if (error instanceof StoreFailure) throw new CommandError(error.message);
    throw new CommandError(`The data could not be mended: ${error instanceof Error ? error.message : String(error)}`);
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
  const repaired: string[] = [];
  if (asked === true) await repair(config.dataDir, repaired);
  const lock = await checkLock(config.dataDir);
  const findings: Finding[] = [
    checkVersions(version),
    ...(await checkPorts(config, lock.living?.pid)),
    ...checkData(config.dataDir, lock.living),
    lock.finding,
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
