/**
 * A machine with a second address, in a network namespace: local network access is turned on and off under load. When
 * it is off nothing responds there, and loopback connections are never affected.
 */
import { execFile, spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { z } from "zod";
import { CLI } from "#test/hosts/built.ts";
import type { Trial } from "./trial.ts";

const WRAP = ["unshare", "--net", "sh", "-c"];
const ADDRESS = [
  "ip link set lo up",
  "ip link add test0 type veth peer name test1",
  "ip address add 192.168.77.2/24 dev test0",
  "ip link set test0 up",
  "ip link set test1 up",
].join(" && ");
const mayUnshare = (): boolean =>
  process.platform === "linux" && spawnSync(WRAP[0] ?? "", [...WRAP.slice(1), ADDRESS]).status === 0;

const seen = z.object({
  opened: z.int(),
  slowestOpenMs: z.int(),
  onLan: z.int(),
  onLoopback: z.int(),
  loopbackFailures: z.int(),
  reachedAfterClose: z.int(),
});

/** @param rounds how often it is turned on and off. */
export const lanNamespace =
  (rounds: number) =>
  async (trial: Trial): Promise<void> => {
    if (!mayUnshare()) {
      trial.figures.set("NOT DONE: this user may make no network namespaces (unshare, ip)", "");
      return;
    }
    const script = fileURLToPath(new URL("lan-load.mjs", import.meta.url));
    const inside = [`${ADDRESS} && exec "$@"`, "sh", process.execPath, script, CLI, String(rounds)];
    const { stdout } = await promisify(execFile)(WRAP[0] ?? "", [...WRAP.slice(1), ...inside]);
    const found = seen.parse(JSON.parse(stdout));
    for (const [figure, value] of Object.entries(found)) trial.figures.set(figure, value);
    trial.same(found.opened, rounds, "rounds in which the network answered");
    trial.same(found.loopbackFailures, 0, "failed calls over loopback");
    trial.same(found.reachedAfterClose, 0, "connections to the closed network");
    trial.check(found.onLan > 0 && found.onLoopback > 0, "nothing was sent");
  };
