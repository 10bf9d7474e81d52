/** Independent Stagedoors, like the pods of a StatefulSet: each on its own ports, in memory, open with tokens. */
import { cpuMs, memoryMb, startServer, stopServer } from "./servers.mjs";

export const JOIN_TOKEN = "join-the-others";
const FIRST_PORT = 24_010;
const SAMPLE_MS = 250;

/**
 * @typedef {object} Shard
 * @property {string} name like a pod's
 * @property {string} url of the console
 * @property {import("./servers.mjs").Server} server
 * @property {number} idleMb
 * @property {number} mostMb
 * @property {number} cpuMs processor time of its predecessors
 * @property {NodeJS.Timeout} sampling
 */

/** @param {number} index @returns {string} the console URL */
export const urlOf = (index) => `http://127.0.0.1:${FIRST_PORT + 10 * index + 2}`;

/** @param {number} index @returns {Promise<Shard>} */
export const startShard = async (index) => {
  const ports = ["admin", "auth", "console"].flatMap((name, i) => [`--${name}-port`, `${FIRST_PORT + 10 * index + i}`]);
  const server = await startServer("Stagedoor", {
    args: ["--console-host", "127.0.0.1", ...ports],
    env: {
      STAGEDOOR_ACCESS_TOKEN: "whole-console",
      STAGEDOOR_JOIN_TOKEN: JOIN_TOKEN,
      STAGEDOOR_KEEP_REQUESTS: "20000",
    },
  });
  const pid = server.child.pid ?? 0;
  const idleMb = memoryMb(pid);
  /** @type {Shard} */
  const shard = {
    ...{ name: `stagedoor-${index}`, url: urlOf(index), server, idleMb, mostMb: idleMb, cpuMs: 0 },
    sampling: setInterval(() => {
      if (server.child.exitCode === null && server.child.signalCode === null) {
        shard.mostMb = Math.max(shard.mostMb, memoryMb(pid));
        shard.cpuMs = cpuMs(pid);
      }
    }, SAMPLE_MS),
  };
  return shard;
};

/** @param {Shard} shard @param {NodeJS.Signals} [signal] */
export const stopShard = async ({ server, sampling }, signal) => {
  clearInterval(sampling);
  await stopServer(server, signal);
};
