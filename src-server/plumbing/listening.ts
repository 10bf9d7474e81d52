/** Which processes listen where; nothing where the system is not Linux. */
import { readdirSync, readFileSync, readlinkSync } from "node:fs";

/** A port on which a process listens. */
export interface Listening {
  readonly pid: number;
  readonly port: number;
  /** The same for those that have inherited it. */
  readonly socket: string;
}

/** @returns undefined if it has gone, or is someone else's. */
export const tried = <T>(read: () => T): T | undefined => {
  try {
    return read();
  } catch {
    return undefined;
  }
};

/** @returns the ids of all processes. */
export const pidsOfLinux = (): readonly number[] =>
  (tried(() => readdirSync("/proc")) ?? []).map(Number).filter(Number.isInteger);

const LISTENS = "0A";
/** @returns where these listen; nothing where the system is not Linux. */
export const listening = (pids: readonly number[]): readonly Listening[] => {
  const ports = new Map<string, number>();
  for (const file of ["tcp", "tcp6"])
    for (const line of (tried(() => readFileSync(`/proc/net/${file}`, "latin1")) ?? "").split("\n").slice(1)) {
      const [, local = "", , state, , , , , , socket = ""] = line.trim().split(/ +/);
      if (state === LISTENS) ports.set(`socket:[${socket}]`, Number.parseInt(local.slice(local.indexOf(":") + 1), 16));
    }
  return pids.flatMap((pid) => {
    const files = tried(() => readdirSync(`/proc/${pid}/fd`)) ?? [];
    return files.flatMap((fd) => {
      const socket = tried(() => readlinkSync(`/proc/${pid}/fd/${fd}`)) ?? "";
      const port = ports.get(socket);
      return port === undefined ? [] : [{ pid, port, socket }];
    });
  });
};
