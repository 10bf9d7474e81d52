/**
 * `npm run bench -- --against COMMIT`: builds that commit too, and says which operation takes more processor time now.
 * Two servers of each build run at once; what the two of a pair differ by is the noise.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { writeFixtures } from "./fixtures.mjs";
import { measure, median } from "./measure.mjs";
import { OPERATIONS } from "./operations.mjs";
import { fixed, table } from "./report.mjs";
import { startServer, stopServer } from "./servers.mjs";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const PROFILES = 1_000;

/**
 * @param {string} commit
 * @param {{ rounds: number, share: number, say: (line: string) => void }} how
 * @returns {Promise<string>} a table
 */
export const compareWith = async (commit, { rounds, share, say }) => {
  const folder = mkdtempSync(join(tmpdir(), "stagedoor-against-"));
  const other = join(folder, "checkout");
  /** @type {import("./servers.mjs").Server[]} */
  const servers = [];
  try {
    execFileSync("git", ["worktree", "add", "--quiet", "--detach", other, commit], { cwd: ROOT, stdio: "inherit" });
    symlinkSync(join(ROOT, "node_modules"), join(other, "node_modules"));
    execFileSync(process.execPath, ["tools/build.mjs", "client", "server"], { cwd: other, stdio: "ignore" });
    const fixtures = join(folder, "fixtures.json");
    const users = [0, 1, 2, 3].map(() => writeFixtures(fixtures, PROFILES));
    for (const [place, root] of [other, ROOT, ROOT, other].entries())
      servers.push(await startServer("Stagedoor", { fixtures, dataDir: join(folder, `data-${place}`), root }));
    const rows = OPERATIONS.map((operation) => ({
      operation,
      changes: /** @type {number[]} */ ([]),
      noise: /** @type {number[]} */ ([]),
      cpu: /** @type {number[][]} */ ([]),
    }));
    // Round 0 warms up.
    for (let round = 0; round <= rounds; round++)
      for (const { operation, changes, noise, cpu } of rows) {
        say(`  round ${round} of ${rounds}: ${operation.name}`);
        const [a = 0, b = 0, c = 0, d = 0] = await inTurn(round, servers, users, operation, share);
        if (round === 0) continue;
        cpu.push([(a + d) / 2, (b + c) / 2]);
        changes.push((b + c) / (a + d));
        noise.push(Math.abs(a / d - 1), Math.abs(b / c - 1));
      }
    const cells = rows.map(({ operation, changes, noise, cpu }) => {
      const change = median(changes) - 1;
      // Both sides are means of two, and the result is a median.
      const most = Math.max(0.02, median(noise));
      const word = change > most ? "**slower**" : change < -most ? "faster" : "within the noise";
      const of = (/** @type {0 | 1} */ side) => fixed(median(cpu.map((pair) => pair[side] ?? Number.NaN)));
      return [operation.name, of(0), of(1), `${fixed(change * 100, 1)} %`, `${fixed(most * 100, 1)} %`, word];
    });
    return table(["operation", `${commit}, µs CPU`, "now, µs CPU", "change", "noise", ""], cells);
  } finally {
    for (const server of servers) await stopServer(server);
    execFileSync("git", ["worktree", "remove", "--force", other], { cwd: ROOT, stdio: "ignore" });
    rmSync(folder, { recursive: true, force: true });
  }
};

/**
 * @param {number} round decides who is first
 * @param {import("./servers.mjs").Server[]} servers
 * @param {import("./operations.mjs").Users[]} users
 * @param {import("./operations.mjs").Operation} operation
 * @param {number} share of its usual count
 * @returns {Promise<number[]>} the processor time of an operation of each server, in microseconds
 */
const inTurn = async (round, servers, users, operation, share) => {
  const cpu = servers.map(() => 0);
  for (let turn = 0; turn < servers.length; turn++) {
    const place = (turn + round) % servers.length;
    const [server, own] = [servers[place], users[place]];
    if (server === undefined || own === undefined) continue;
    cpu[place] = (await measure(operation, server, own, Math.ceil(operation.count * share))).cpuUs;
  }
  return cpu;
};
