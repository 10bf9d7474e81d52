/**
 * What `stagedoor doctor` says of the data directory: its rights, its holder, damage.
 */
import { accessSync, constants, statSync } from "node:fs";
import { dirname } from "node:path";
import { type Holder, readData, type TornEnd } from "#server/data-check.ts";
import type { Finding } from "./doctor-findings.ts";

/** @returns what is to be said of the lock. */
export const lockFinding = (holder: Holder | undefined): Finding => {
  if (holder === undefined) return { check: "lock", level: "ok", text: "lock: nobody holds the data" };
  const { file, pid, consoleUrl, lives } = holder;
  if (lives) {
    const at = consoleUrl === null ? "still starting" : `console at ${consoleUrl}`;
    return { check: "lock", level: "ok", text: `lock: process ${pid} holds the data, ${at}`, file };
  }
  const who = pid === undefined ? "cannot be read" : `names process ${pid}, which is gone`;
  return { check: "lock", level: "ok", text: `lock: ${file} ${who}; the next start takes it over`, file };
};

const mayUse = (path: string, mode: number): boolean => {
  try {
    accessSync(path, mode);
    return true;
  } catch {
    return false;
  }
};

/** @returns the nearest folder above a path that is there. */
const nearestFolder = (path: string): string => {
  const above = dirname(path);
  return above === path || statSync(above, { throwIfNoEntry: false }) !== undefined ? above : nearestFolder(above);
};

/** @returns what is to be said of the directory itself; undefined if it is fine and is there. */
const checkFolder = (dataDir: string): Finding | undefined => {
  const stat = statSync(dataDir, { throwIfNoEntry: false });
  if (stat === undefined) {
    const above = nearestFolder(dataDir);
    if (mayUse(above, constants.W_OK | constants.X_OK))
      return { check: "data", level: "ok", text: `data: ${dataDir} is not there yet; a start makes it` };
    const text = `data: ${dataDir} is not there and cannot be made, as ${above} may not be written`;
    return { check: "data", level: "bad", text, advice: "Choose another with --data.", file: dataDir };
  }
  if (!stat.isDirectory())
    return { check: "data", level: "bad", text: `data: ${dataDir} is not a folder`, file: dataDir };
  if (mayUse(dataDir, constants.R_OK | constants.W_OK | constants.X_OK)) return undefined;
  const advice = `Give yourself the right to, or choose another with --data.`;
  return { check: "data", level: "bad", text: `data: ${dataDir} may not be read and written`, advice, file: dataDir };
};

const checkRights = (dataDir: string): Finding[] => {
  if (process.platform === "win32" || (statSync(dataDir).mode & 0o077) === 0) return [];
  const text = `data: others on this machine may look into ${dataDir}, which holds secrets`;
  return [{ check: "data", level: "warn", text, advice: `chmod 700 '${dataDir}'`, file: dataDir }];
};

const tornFinding = ({ file, offset, bytes }: TornEnd): Finding => {
  const text = `data: ${file}, byte ${offset}: the last write was cut short (${bytes} bytes)`;
  const advice = "The next start cuts it off and keeps it beside; whatever was answered is there.";
  return { check: "data", level: "warn", text, advice, file, offset };
};

/** Damage of a file, as the store tells it. */
export interface Damage {
  /** What is wrong and where, that nothing was changed, and what to do. */
  readonly message: string;
  readonly file: string | null;
  readonly offset: number | null;
}

/** @returns a finding for damage, with file, byte and what to do. */
export const damageFinding = ({ message, file, offset }: Damage): Finding => {
  const [text = "", advice = ""] = message.split(" Nothing was changed. ");
  return {
    check: "data",
    level: "bad",
    text: `data: ${text}`,
    ...(advice === "" ? {} : { advice }),
    ...(file === null ? {} : { file }),
    ...(offset === null ? {} : { offset }),
  };
};

/** @param inUse whether a living process holds the data: what is being written is not read. */
export const checkData = (dataDir: string, inUse: boolean): Finding[] => {
  const folder = checkFolder(dataDir);
  if (folder !== undefined) return [folder];
  const rights = checkRights(dataDir);
  if (inUse)
    return [...rights, { check: "data", level: "ok", text: `data: ${dataDir} is in use, so its files were not read` }];
  const read = readData(dataDir);
  if ("damage" in read) return [...rights, damageFinding(read.damage)];
  const amount = read.apps === 0 ? "holds nothing yet" : `holds ${read.apps} apps and ${read.profiles} profiles`;
  const torn = read.torn === undefined ? [] : [tornFinding(read.torn)];
  return [...rights, { check: "data", level: "ok", text: `data: ${dataDir} ${amount}` }, ...torn];
};
