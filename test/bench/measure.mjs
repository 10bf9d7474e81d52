/** Runs an operation against a server over several connections, and measures its rate and cost. */
import { Client } from "./client.mjs";
import { cpuMs } from "./servers.mjs";

/** Number of concurrent connections, each with one request at a time. */
export const WORKERS = 8;

/** @param {number[]} values @returns the median; 0 if empty */
export const median = (values) => quantile(values, 0.5);

/** @param {number[]} values @param {number} q from 0 to 1 */
export const quantile = (values, q) => {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))] ?? 0;
};

/**
 * @typedef {object} Measured
 * @property {number} rate operations per second
 * @property {number} cpuUs processor time of the server per operation, in microseconds
 * @property {number} p99Ms 99th percentile of the latency, in milliseconds
 */

/**
 * @param {import("./operations.mjs").Operation} operation
 * @param {import("./servers.mjs").Server} server
 * @param {import("./operations.mjs").Users} users
 * @param {number} count
 * @param {number} workers
 * @returns {Promise<Measured>}
 */
export const measure = async (operation, server, users, count, workers = WORKERS) => {
  const pid = server.child.pid ?? 0;
  /** @type {number[]} */
  const took = [];
  let next = 0;
  const clients = Array.from({ length: workers }, () => new Client());
  const cpuBefore = cpuMs(pid);
  const begun = performance.now();
  await Promise.all(
    clients.map(async (client) => {
      while (next < count) {
        const i = next++;
        const at = performance.now();
        await operation.run(client, server, users, i);
        took.push(performance.now() - at);
      }
    }),
  );
  const ms = performance.now() - begun;
  const cpu = cpuMs(pid) - cpuBefore;
  for (const client of clients) client.close();
  return { rate: (count * 1000) / ms, cpuUs: (cpu * 1000) / count, p99Ms: quantile(took, 0.99) };
};
