/** Measures rates: all servers run, operations in rounds, servers alternating within each round. */
import { Client } from "./client.mjs";
import { measure, median } from "./measure.mjs";
import { OPERATIONS } from "./operations.mjs";
import { memoryMb } from "./servers.mjs";

/**
 * @typedef {object} Rate
 * @property {number} rate median of the rounds, operations per second
 * @property {number} cpuUs median, microseconds of processor time per operation
 * @property {number} p99Ms median of the rounds' 99th percentiles
 * @property {number} ofExpress median of the rounds' ratios to Express 5
 * @property {number} ofBare median of the rounds' ratios to node:http
 */

/**
 * @param {import("./servers.mjs").Server[]} servers node:http, Express 5, Stagedoor
 * @param {Map<string, import("./operations.mjs").Users>} usersOf by the server's name
 * @param {object} options
 * @param {number} options.rounds
 * @param {number} options.share of each operation's count
 * @param {string[]} [options.only] names of operations
 * @param {(line: string) => void} options.say
 * @returns {Promise<Map<string, Map<string, Rate>>>} by operation, by server
 */
export const measureRates = async (servers, usersOf, { rounds, share, only, say }) => {
  const operations = OPERATIONS.filter(({ name }) => only === undefined || only.includes(name));
  /** @type {Map<string, Map<string, import("./measure.mjs").Measured[]>>} */
  const measured = new Map(operations.map(({ name }) => [name, new Map(servers.map((server) => [server.name, []]))]));
  // Round 0 warms up: the first few thousand requests measure the JIT compiler.
  for (let round = 0; round <= rounds; round++)
    for (const operation of operations) {
      say(round === 0 ? `  warming up: ${operation.name}` : `  round ${round} of ${rounds}: ${operation.name}`);
      for (let turn = 0; turn < servers.length; turn++) {
        const server = servers[(turn + round) % servers.length];
        const users = server && usersOf.get(server.name);
        if (server === undefined || users === undefined) continue;
        const result = await measure(operation, server, users, Math.ceil(operation.count * share));
        if (round > 0) measured.get(operation.name)?.get(server.name)?.push(result);
      }
    }
  return new Map(
    operations.map(({ name }) => {
      const of = measured.get(name) ?? new Map();
      /** @param {string} server */
      const rates = (server) => (of.get(server) ?? []).map((/** @type {{ rate: number }} */ { rate }) => rate);
      const rows = servers.map((server) => {
        const results = of.get(server.name) ?? [];
        /** @param {string} other */
        const ratio = (other) =>
          median(
            rates(server.name).map(
              (/** @type {number} */ rate, /** @type {number} */ i) => rate / (rates(other)[i] ?? Number.NaN),
            ),
          );
        /** @type {Rate} */
        const row = {
          rate: median(rates(server.name)),
          cpuUs: median(results.map((/** @type {{ cpuUs: number }} */ { cpuUs }) => cpuUs)),
          p99Ms: median(results.map((/** @type {{ p99Ms: number }} */ { p99Ms }) => p99Ms)),
          ofExpress: ratio("Express 5"),
          ofBare: ratio("node:http"),
        };
        return /** @type {const} */ ([server.name, row]);
      });
      return [name, new Map(rows)];
    }),
  );
};

/**
 * @param {import("./servers.mjs").Server} server
 * @returns {Promise<number>} MB, a second after the last request
 */
export const idleMemory = async (server) => {
  const client = new Client();
  await client.ask(server.admin, "GET", "/v1/profiles");
  client.close();
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  return memoryMb(server.child.pid ?? 0);
};
