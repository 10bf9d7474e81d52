/**
 * What lives on this machine.
 */
import fs from "node:fs";
import { errorCode } from "./failure.ts";
import type { Processes } from "./lock.ts";

/** A process that was killed lives on as an entry until its parent has looked; it holds nothing any more. */
const isZombie = (pid: number): boolean => {
  if (process.platform !== "linux") return false;
  try {
    const stat = fs.readFileSync(`/proc/${pid}/stat`, "latin1");
    // The name of the program stands before the state, in brackets, and may itself hold brackets.
    return /^[ZX]/.test(stat.slice(stat.lastIndexOf(")") + 2));
  } catch {
    return false;
  }
};

/** The processes of this machine. One that belongs to somebody else lives too. */
export const machineProcesses: Processes = {
  pid: process.pid,
  lives: (pid) => {
    try {
      process.kill(pid, 0);
      return !isZombie(pid);
    } catch (error) {
      return errorCode(error) === "EPERM";
    }
  },
};
