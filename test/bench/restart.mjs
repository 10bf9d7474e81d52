/**
 * Measures restarts with existing data, after a clean stop and after kill -9, and how long the event loop is blocked.
 */
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { measure, median } from "./measure.mjs";
import { operationOf } from "./operations.mjs";
import { startServer, stopServer } from "./servers.mjs";

const UPDATE = operationOf("update");
const PAUSES = fileURLToPath(new URL("./pauses.mjs", import.meta.url));

/**
 * @param {string} dataDir left by a stopped Stagedoor
 * @param {number} runs
 * @returns {Promise<number>} median milliseconds to the ready line
 */
export const restartMs = async (dataDir, runs) => {
  /** @type {number[]} */
  const took = [];
  for (let run = 0; run < runs; run++) {
    const server = await startServer("Stagedoor", { dataDir });
    took.push(server.startedMs);
    await stopServer(server);
  }
  return median(took);
};

/**
 * Writes for a while, kills the server and restarts it.
 *
 * @param {string} dataDir
 * @param {import("./operations.mjs").Users} users
 * @param {number} writes
 * @returns {Promise<number>} milliseconds from the restart to the ready line
 */
export const restartAfterKillMs = async (dataDir, users, writes) => {
  const server = await startServer("Stagedoor", { dataDir });
  await measure(UPDATE, server, users, writes);
  await stopServer(server, "SIGKILL");
  const again = await startServer("Stagedoor", { dataDir });
  await stopServer(again);
  return again.startedMs;
};

/**
 * @param {string} dataDir
 * @param {import("./operations.mjs").Users} users
 * @param {number} writes enough to cause a write of the document file
 * @returns {Promise<{ p99: number, max: number }>} how long the event loop was blocked, in milliseconds
 */
export const heldMs = async (dataDir, users, writes) => {
  const server = await startServer("Stagedoor", { dataDir, nodeFlags: ["--import", PAUSES], stderr: "pipe" });
  await measure(UPDATE, server, users, 2_000);
  server.child.kill("SIGUSR2");
  await measure(UPDATE, server, users, writes);
  let said = "";
  server.child.stderr?.on("data", (chunk) => {
    said += chunk;
  });
  const closed = once(server.child, "close");
  await stopServer(server);
  await closed;
  const line = said.split("\n").find((text) => text.startsWith('{"heldMs"'));
  return line === undefined ? { p99: Number.NaN, max: Number.NaN } : JSON.parse(line).heldMs;
};
