/** Which process holds a data directory, for those who only want to know: the commands and `stagedoor doctor`. */
import { join } from "node:path";
import { nodeFiles } from "#store/disk/files.ts";
import { machineProcesses, readHolder, type Standing, standingOf } from "#store/disk/lock-file.ts";
import { errorText } from "#store/failure.ts";

/** What the lock says. */
export interface HolderReport {
  /** The lock's file. */
  readonly file: string;
  /** Undefined: the file names none, as a power cut leaves it, or `fault` is why. */
  readonly pid: number | undefined;
  /** Why a start could not take the lock, whoever holds it; undefined as a rule. */
  readonly fault: string | undefined;
  /** Null: it is still starting. */
  readonly consoleUrl: string | null;
  /** Of one that is gone, the next start takes the lock over. */
  readonly standing: Standing;
}

/** @returns the holder that the lock names; undefined if there is no lock. Touches nothing, and never throws. */
export const findHolder = (dataDir: string): HolderReport | undefined => {
  const file = join(dataDir, "lock.json");
  const unknown: HolderReport = { file, pid: undefined, fault: undefined, consoleUrl: null, standing: "gone" };
  try {
    const seen = readHolder(nodeFiles, file);
    if (seen === "gone") return undefined;
    if (seen === "unreadable") return unknown;
    return { ...unknown, pid: seen.pid, consoleUrl: seen.consoleUrl, standing: standingOf(seen, machineProcesses) };
  } catch (error) {
    return { ...unknown, fault: errorText(error) };
  }
};
