/**
 * Runs an operation against a server with several connections, and says how fast it was and what it cost.
 */
import { Client } from "./client.mjs";
import { cpuMs } from "./servers.mjs";

/** So many connections ask at the same time, each one request after the other. */
export const WORKERS = 8;

/** @param {number[]} values @returns the middle one; 0 of none */
export const median = (values) => quantile(values, 0.5);

/** @param {number[]} values @param {number} q from 0 to 1 */
export const quantile = (values, q) => {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))] ?? 0;
};

/**
 * @typedef {object} Measured
 * @property {number} rate operations a second
 * @property {number} cpuUs processor time of the server for one operation, in microseconds
 * @property {number} p99Ms of one operation
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
