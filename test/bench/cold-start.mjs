/** Measures a start with empty data, from process start to ready line: wall time and processor time. */
import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { median } from "./measure.mjs";
import { KINDS, startServer, stopServer } from "./servers.mjs";

/**
 * @typedef {object} ColdStart
 * @property {number} ms
 * @property {number} cpuMs
 */

/**
 * @param {string} folder for data, which is deleted afterwards
 * @param {number} runs of each server, alternating
 * @param {{ env?: Record<string, string>, single?: string }} [more] additional variables; the single executable, to measure it
 * @returns {Promise<Map<string, ColdStart>>} medians by server
 */
export const measureColdStart = async (folder, runs, more = {}) => {
  /** @type {Map<string, { ms: number, cpu: number }[]>} */
  const all = new Map(KINDS.map((name) => [name, []]));
  for (let run = 0; run < runs; run++)
    for (const name of KINDS) {
      const dataDir = mkdtempSync(join(folder, "cold-"));
      const server = await startServer(name, { dataDir, ...more });
      all.get(name)?.push({ ms: server.startedMs, cpu: server.startCpuMs });
      // Not killed: Node writes its compile cache when it ends.
      await stopServer(server);
      rmSync(dataDir, { recursive: true, force: true });
    }
  return new Map(
    [...all].map(([name, runs]) => [
      name,
      { ms: median(runs.map(({ ms }) => ms)), cpuMs: median(runs.map(({ cpu }) => cpu)) },
    ]),
  );
};
