/** Reports which process holds a data directory, for the commands and `stagedoor doctor`. */
import { join } from "node:path";
import { nodeFiles } from "#store/disk/files.ts";
import { type HolderState, machineProcesses, readHolder, standingOf } from "#store/disk/lock-file.ts";
import { errorText } from "#store/failure.ts";

/** The content of the lock file. The next start takes over the lock of a process that is gone. */
export interface HolderReport {
  readonly file: string;
  /** Undefined if the file has none, as after a power cut, or because of `fault`. */
  readonly pid: number | undefined;
  /** Why a start could not take the lock, whoever holds it; usually undefined. */
  readonly fault: string | undefined;
  /** Null while it starts. */
  readonly consoleUrl: string | null;
  readonly standing: HolderState;
}

/** @returns the holder of the lock; undefined if there is no lock. Changes nothing, and never throws. */
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
