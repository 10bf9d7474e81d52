/**
 * What `stagedoor doctor` finds in the data directory, without touching it: its rights, its holder, damage.
 */
import { accessSync, constants, statSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { z } from "zod";
import { journalNumbers, prepareDir } from "#store/data-dir.ts";
import { StoreFailure } from "#store/failure.ts";
import { type FileSystem, nodeFiles } from "#store/files.ts";
import { JournalReader } from "#store/journal.ts";
import { machineProcesses } from "#store/processes.ts";
import { recover } from "#store/recovery.ts";
import type { Finding } from "./doctor-findings.ts";

/** The file system, but nothing is ever changed. */
const lookOnly: FileSystem = {
  ...nodeFiles,
  makeDir: () => {},
  create: () => -1,
  open: () => -1,
  write: (_fd, _bytes, _offset, length) => length,
  truncate: () => {},
  sync: () => {},
  close: (fd) => (fd === -1 ? undefined : nodeFiles.close(fd)),
  rename: () => {},
  link: () => {},
  remove: () => {},
  setMode: () => {},
};

const holder = z.object({ pid: z.int(), consoleUrl: z.string().nullable() });
/** The living process that holds a data directory. */
export type LivingHolder = z.infer<typeof holder>;

/** @returns who holds the directory, and what is to be said of the lock. */
export const checkLock = async (
  dataDir: string,
): Promise<{ readonly finding: Finding; readonly living: LivingHolder | undefined }> => {
  const file = join(dataDir, "lock.json");
  const text = await readFile(file, "utf8").catch(() => undefined);
  if (text === undefined)
    return { finding: { check: "lock", level: "ok", text: "lock: nobody holds the data" }, living: undefined };
  let named: LivingHolder | undefined;
  try {
    named = holder.safeParse(JSON.parse(text)).data;
  } catch {
    named = undefined;
  }
  if (named !== undefined && machineProcesses.lives(named.pid)) {
    const at = named.consoleUrl === null ? "still starting" : `console at ${named.consoleUrl}`;
    const finding: Finding = {
      check: "lock",
      level: "ok",
      text: `lock: process ${named.pid} holds the data, ${at}`,
      file,
    };
    return { finding, living: named };
  }
  const who = named === undefined ? "cannot be read" : `names process ${named.pid}, which is gone`;
  return {
    finding: { check: "lock", level: "ok", text: `lock: ${file} ${who}; the next start takes it over`, file },
    living: undefined,
  };
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

const tornEnd = (file: string): Finding[] => {
  const { tornBytes, end } = new JournalReader(nodeFiles.read(file));
  if (tornBytes === 0 && end > 0) return [];
  const text = `data: ${file}, byte ${end}: the last write was cut short (${tornBytes} bytes)`;
  const advice = "The next start cuts it off and keeps it beside; whatever was answered is there.";
  return [{ check: "data", level: "warn", text, advice, file, offset: end }];
};

/**
 * Reads all the data as a start would. @returns the damage, if there is any; else how much there is.
 * @throws Node's errors.
 */
export const readData = (
  dataDir: string,
):
  | { readonly damage: StoreFailure }
  | { readonly profiles: number; readonly apps: number; readonly torn: Finding[] } => {
  const dir = prepareDir(lookOnly, dataDir);
  try {
    const found = recover(lookOnly, dir, () => {});
    const apps = found?.index.apps ?? [];
    const newest = journalNumbers(lookOnly, dir).at(-1);
    const torn = newest === undefined ? [] : tornEnd(dir.journal(newest));
    return { apps: apps.length, profiles: apps.reduce((sum, app) => sum + app.profiles.length, 0), torn };
  } catch (error) {
    if (error instanceof StoreFailure) return { damage: error };
    throw error;
  }
};

/** @returns a finding for damage, with file, byte and what to do. */
export const damageFinding = (damage: StoreFailure): Finding => {
  const [text = "", ...advice] = damage.message.split("\n");
  return {
    check: "data",
    level: "bad",
    text: `data: ${text}`,
    ...(advice.length === 0 ? {} : { advice: advice.join("\n") }),
    ...(damage.file === null ? {} : { file: damage.file }),
    ...(damage.offset === null ? {} : { offset: damage.offset }),
  };
};

/** @param living who holds the data: what is being written is not read. */
export const checkData = (dataDir: string, living: LivingHolder | undefined): Finding[] => {
  const folder = checkFolder(dataDir);
  if (folder !== undefined) return [folder];
  const rights = checkRights(dataDir);
  if (living !== undefined)
    return [...rights, { check: "data", level: "ok", text: `data: ${dataDir} is in use, so its files were not read` }];
  const read = readData(dataDir);
  if ("damage" in read) return [...rights, damageFinding(read.damage)];
  const amount = read.apps === 0 ? "holds nothing yet" : `holds ${read.apps} apps and ${read.profiles} profiles`;
  return [...rights, { check: "data", level: "ok", text: `data: ${dataDir} ${amount}` }, ...read.torn];
};
