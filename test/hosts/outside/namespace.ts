/** A network namespace of its own, which is what a container has: its loopback is another one, and a cable leads to it. */
import { execFile, spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import { once } from "node:events";
import { readlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { until } from "#test/http/control/support.ts";
import { onPath } from "./proxy.ts";

const run = promisify(execFile);

/** Both ends of its cable. */
export interface Namespace {
  /** The address of this machine, as seen from inside. */
  readonly host: string;
  /** The address of what is inside, as seen from this machine. */
  readonly inside: string;
  /** Words before a command that is to run inside. */
  readonly wrap: readonly string[];
  /** @param hosts names that resolve to addresses inside. @returns words before a command that knows them. */
  knowing(dir: string, hosts: Readonly<Record<string, string>>): Promise<readonly string[]>;
  remove(): Promise<void>;
}

/** @returns a namespace, or why there can be none here. */
export const createNamespace = async (): Promise<Namespace | string> => {
  for (const program of ["unshare", "nsenter", "ip"])
    if (onPath(program) === undefined) return `${program} is not installed`;
  // It lives as long as this process, which keeps the other end of the pipe.
  const holder = spawn("unshare", ["--net", "cat"], { stdio: ["pipe", "ignore", "ignore"] });
  const ended = once(holder, "exit");
  const remove = async (): Promise<void> => {
    holder.stdin.end();
    await ended;
  };
  const own = await readlink("/proc/self/ns/net");
  const isApart = async () => holder.exitCode !== null || (await readlink(`/proc/${holder.pid}/ns/net`)) !== own;
  await until(isApart, Boolean);
  if (holder.exitCode !== null) return "network namespaces are not permitted here";
  const [pid, net] = [String(holder.pid), `10.${randomInt(200, 255)}.${randomInt(1, 255)}`];
  const [host, inside, cable] = [`${net}.1`, `${net}.2`, `sd${pid}`];
  const wrap = ["nsenter", "--target", pid, "--net"];
  try {
    await run("ip", ["link", "add", cable, "type", "veth", "peer", "name", "eth0", "netns", pid]);
    await run("ip", ["address", "add", `${host}/30`, "dev", cable]);
    await run("ip", ["link", "set", cable, "up"]);
    const inner = `ip link set lo up && ip address add ${inside}/30 dev eth0 && ip link set eth0 up`;
    await run("nsenter", [...wrap.slice(1), "sh", "-c", inner]);
  } catch (error) {
    await remove();
    return `no network can be made here: ${error instanceof Error ? error.message : String(error)}`;
  }
  return {
    host,
    inside,
    wrap,
    knowing: async (dir, hosts) => {
      const file = join(dir, "hosts");
      await writeFile(
        file,
        Object.entries(hosts)
          .map(([name, address]) => `${address} ${name}\n`)
          .join(""),
      );
      return [...wrap, "unshare", "--mount", "sh", "-c", `mount --bind '${file}' /etc/hosts && exec "$@"`, "sh"];
    },
    remove,
  };
};
