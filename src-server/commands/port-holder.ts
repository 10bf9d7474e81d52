/**
 * Which process listens on a port, where the system tells: on Linux, of one's own processes.
 */
import { readdir, readFile, readlink } from "node:fs/promises";

const LISTENS = "0A";

/** @returns the inodes of the sockets that listen on a port. */
const listeningInodes = async (port: number): Promise<ReadonlySet<string>> => {
  const inodes = new Set<string>();
  for (const table of ["/proc/net/tcp", "/proc/net/tcp6"]) {
    const rows = (await readFile(table, "utf8").catch(() => "")).split("\n").slice(1);
    for (const row of rows) {
      const [, local = "", , state, , , , , , inode] = row.trim().split(/\s+/);
      const at = Number.parseInt(local.slice(local.lastIndexOf(":") + 1), 16);
      if (state === LISTENS && at === port && inode !== undefined) inodes.add(`socket:[${inode}]`);
    }
  }
  return inodes;
};

/** @returns the process that listens on the port; undefined if the system does not tell. */
export const portHolder = async (
  port: number,
): Promise<{ readonly pid: number; readonly name: string } | undefined> => {
  const sockets = await listeningInodes(port);
  if (sockets.size === 0) return undefined;
  const pids = (await readdir("/proc").catch(() => [])).filter((name) => /^\d+$/.test(name));
  for (const pid of pids) {
    const fds = await readdir(`/proc/${pid}/fd`).catch(() => []);
    const links = await Promise.all(fds.map((fd) => readlink(`/proc/${pid}/fd/${fd}`).catch(() => "")));
    if (!links.some((link) => sockets.has(link))) continue;
    const name = (await readFile(`/proc/${pid}/comm`, "utf8").catch(() => "")).trim();
    return { pid: Number(pid), name: name || "unknown" };
  }
  return undefined;
};
