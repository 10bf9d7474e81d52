/** `stagedoor doctor`: checks this machine and the data, and optionally repairs the data. */
import { existsSync } from "node:fs";
import type { Reach, Status } from "#client/index.ts";
import { inMebibytes, many } from "#contract/words/words.ts";
import { findHolder } from "#server/boot/holder.ts";
import type { GivenOptions } from "#server/config.ts";
import { withEmulator } from "#server/plumbing/emulator.ts";
import { CommandError, type Io } from "#server/plumbing/io.ts";
import { configOf } from "#server/plumbing/options.ts";
import { repairData } from "#server/repair/repair.ts";
import { checkData, type DataFinding, findingLines, lockFinding } from "./data.ts";
import { checkElectron, checkPorts } from "./machine.ts";

/** @see doctor. The other options are those of `start`. */
export interface DoctorOptions extends GivenOptions {
  readonly repair?: boolean;
  readonly json?: boolean;
}

const checkVersions = (version: string): DataFinding => {
  const text = `Stagedoor ${version}, Node ${process.version}, ${process.platform} ${process.arch}`;
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return { check: "versions", level: "ok", text };
  return { check: "versions", level: "bad", text, advice: "Stagedoor needs Node 20.19 or newer." };
};

const reachFinding = ({ url, addresses, problem, instruction }: Reach): DataFinding => {
  const at = addresses.length === 0 ? "" : ` (${addresses.join(", ")})`;
  if (problem === null) return { check: "network", level: "ok", text: `auth: ${url} answers${at}` };
  const advice = instruction === null ? {} : { advice: instruction };
  return { check: "network", level: "warn", text: `auth: ${url} cannot be used: ${problem}${at}`, ...advice };
};

/** @returns findings about what the running Stagedoor keeps for others, and what of it has failed. */
const runningFindings = ({ shared, failures = [] }: Status): DataFinding[] => {
  const failed = failures.map(({ who, text, count }): DataFinding => {
    const advice = "Requests go on without it. This is a bug in Stagedoor: report it with the lines that it printed.";
    return { check: "listeners", level: "warn", text: `${who} failed ${many(count, "time")}: ${text}`, advice };
  });
  if (shared === undefined) return failed;
  const { apps, mostApps, bytes, mostBytes, largest } = shared;
  const isFull = apps >= mostApps || bytes >= mostBytes;
  const most =
    largest === null ? "" : `; ${largest.appId} keeps ${inMebibytes(largest.bytes)}, mainly ${largest.mostly}`;
  const text = `shared: ${apps} of ${many(mostApps, "app")}, ${inMebibytes(bytes)} of ${inMebibytes(mostBytes)}${most}`;
  const advice = "Delete apps that are no longer used, or start with larger --shared-apps and --shared-memory.";
  return [{ check: "shared", level: isFull ? "warn" : "ok", text, ...(isFull && { advice }) }, ...failed];
};

/** @param url the console of the running Stagedoor. @returns findings about it; none if it does not respond. */
const checkRunning = async (url: string): Promise<DataFinding[]> => {
  try {
    return await withEmulator({ url }, async ({ connect, status }) => {
      const [{ items }, now] = await Promise.all([connect.check(), status()]);
      return [...items.map(reachFinding), ...runningFindings(now)];
    });
  } catch {
    return [];
  }
};

const repair = async (dataDir: string, io: Io): Promise<readonly string[]> => {
  const done: string[] = [];
  const stamp = new Date().toISOString().replace(/[-:]|\.\d+/g, "");
  const options = { stamp, say: (line: string) => void done.push(line), onNotice: (line: string) => io.err(line) };
  const failure = await repairData(dataDir, options).catch((error: unknown) => ({
    message: `The data could not be repaired: ${error instanceof Error ? error.message : String(error)}`,
  }));
  if (failure !== undefined) throw new CommandError([...done, failure.message].join("\n"));
  return done;
};

/**
 * Checks versions, ports, the URLs of a running Stagedoor, data, lock and Electron. With `repair` the data is repaired
 * first. @returns 0 if nothing is bad, otherwise 1. @throws CommandError if the data cannot be repaired.
 */
export const doctor =
  (version: string) =>
  async (io: Io, { json, repair: asked, ...given }: DoctorOptions): Promise<number> => {
    const config = configOf(given);
    const { dataDir } = config;
    const repaired = asked === true && existsSync(dataDir) ? await repair(dataDir, io) : [];
    const holder = findHolder(dataDir);
    const inUse = holder !== undefined && holder.standing !== "gone";
    const findings: DataFinding[] = [
      checkVersions(version),
      ...(await checkPorts(config, inUse ? holder.pid : undefined)),
      ...(inUse && holder.consoleUrl !== null ? await checkRunning(holder.consoleUrl) : []),
      ...(await checkData(dataDir, inUse)),
      lockFinding(holder),
      checkElectron(),
    ];
    const healthy = findings.every((finding) => finding.level !== "bad");
    if (json === true) io.json({ ok: healthy, repaired, findings });
    else io.out([...repaired.map((line) => `${line}\n`), findingLines(findings)]);
    return healthy ? 0 : 1;
  };
