/** Checks the data directory for `stagedoor doctor`: permissions, lock, damage. */
import { accessSync, constants, statSync } from "node:fs";
import { dirname } from "node:path";
import { many } from "#contract/words/words.ts";
import type { HolderReport } from "#server/boot/holder.ts";
import { printable, type Text } from "#server/plumbing/io.ts";
import { type Damage, type InspectedData, inspectData } from "#server/repair/inspect.ts";

/** The result of one check. */
export interface DataFinding {
  readonly check: "versions" | "ports" | "network" | "data" | "lock" | "electron" | "shared" | "listeners";
  /** `bad`: a start would fail. */
  readonly level: "ok" | "warn" | "bad";
  readonly text: string;
  readonly advice?: string;
  /** The affected file, and the byte offset in it. */
  readonly file?: string;
  readonly offset?: number;
}

const STYLES = { ok: 32, warn: 33, bad: 31 } as const;

/** @returns the findings as lines, each followed by its advice. */
export const findingLines = (findings: readonly DataFinding[]): Text =>
  findings.map(({ level, text, advice }) => [
    { text: level.padEnd(4), style: STYLES[level] },
    `  ${printable(text)}\n`,
    ...(advice === undefined ? [] : advice.split("\n").map((line) => `      ${printable(line)}\n`)),
  ]);

/** @returns the finding for the lock. */
export const lockFinding = (holder: HolderReport | undefined): DataFinding => {
  const { file, pid, fault, consoleUrl, standing } = holder ?? {};
  const finding = (text: string): DataFinding => ({
    check: "lock",
    level: "ok",
    text: `lock: ${text}`,
    ...(file && { file }),
  });
  if (holder === undefined) return finding("no process holds the data");
  if (fault !== undefined) {
    const advice = "Look at it, and remove it.";
    return { ...finding(`${file} cannot be read: ${fault}`), level: "bad", advice };
  }
  if (pid === undefined) return finding(`${file} names no process; the next start takes it over`);
  if (standing === "gone")
    return finding(`${file} names process ${pid}, which has ended; the next start takes it over`);
  const at = consoleUrl === null ? "still starting" : `console at ${consoleUrl}`;
  if (standing === "runs") return finding(`process ${pid} holds the data, ${at}`);
  return finding(
    `process ${pid} of another container or machine holds the data, ${at}; the next start watches its lock`,
  );
};

const data = (level: DataFinding["level"], text: string, more: Partial<DataFinding> = {}): DataFinding => ({
  check: "data",
  level,
  text: `data: ${text}`,
  ...more,
});

const mayUse = (path: string, mode: number): boolean => {
  try {
    accessSync(path, mode);
    return true;
  } catch {
    return false;
  }
};

const nearestFolder = (path: string): string => {
  const above = dirname(path);
  return above === path || statSync(above, { throwIfNoEntry: false }) !== undefined ? above : nearestFolder(above);
};

/** @returns the finding for the directory itself; undefined if it exists and is fine. */
const checkFolder = (file: string): DataFinding | undefined => {
  const stat = statSync(file, { throwIfNoEntry: false });
  if (stat === undefined) {
    const above = nearestFolder(file);
    if (mayUse(above, constants.W_OK | constants.X_OK))
      return data("ok", `${file} does not exist yet; the first start creates it`);
    const text = `${file} does not exist and cannot be created, because ${above} is not writable`;
    return data("bad", text, { advice: "Choose another with --data.", file });
  }
  if (!stat.isDirectory()) return data("bad", `${file} is not a folder`, { file });
  if (mayUse(file, constants.R_OK | constants.W_OK | constants.X_OK)) return undefined;
  const advice = "Change its permissions, or choose another with --data.";
  return data("bad", `${file} is not readable and writable`, { advice, file });
};

const checkRights = (dataDir: string): DataFinding[] => {
  if (process.platform === "win32" || (statSync(dataDir).mode & 0o077) === 0) return [];
  const text = `other users of this machine can read ${dataDir}, which contains secrets`;
  return [data("warn", text, { advice: `chmod 700 '${dataDir}'`, file: dataDir })];
};

const tornFinding = ({ file, offset, bytes }: NonNullable<InspectedData["torn"]>): DataFinding => {
  const advice = "The next start truncates it and backs it up next to the journal; every answered request is kept.";
  const text = `${file}, byte ${offset}: the last write is incomplete (${bytes} bytes)`;
  return data("warn", text, { advice, file, offset });
};

const damageFinding = ({ what, advice, file, offset }: Damage): DataFinding =>
  data("bad", what, { advice, ...(file === null ? {} : { file }), ...(offset === null ? {} : { offset }) });

/** @param inUse whether a running process holds the data, which is then not read. */
export const checkData = async (dataDir: string, inUse: boolean): Promise<DataFinding[]> => {
  const folder = checkFolder(dataDir);
  if (folder !== undefined) return [folder];
  const rights = checkRights(dataDir);
  if (inUse) return [...rights, data("ok", `${dataDir} is in use, so its files were not read`)];
  const read = await inspectData(dataDir);
  if ("damage" in read) return [...rights, damageFinding(read.damage)];
  const amount = read.apps === 0 ? "is empty" : `has ${many(read.apps, "app")} and ${many(read.profiles, "profile")}`;
  const torn = read.torn === undefined ? [] : [tornFinding(read.torn)];
  return [...rights, data("ok", `${dataDir} ${amount}`), ...torn];
};
