/**
 * A young process: the first 1,000 operations after a start, which is what a test run is. Each run starts new servers, in
 * turns, and is compared within its turn; the result is the median of the turns' ratios.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { writeFixtures } from "./fixtures.mjs";
import { measure, median } from "./measure.mjs";
import { operationOf } from "./operations.mjs";
import { fixed, table } from "./report.mjs";
import { PREPARED_EXPRESS, startServer, stopServer } from "./servers.mjs";

const SERVERS = ["Express 5", PREPARED_EXPRESS, "Stagedoor"];
const PROFILES = 1_000;
const COUNT = 1_000;
/** An old process has done this many logins before it is measured. */
const BEFORE = 10_000;

/** @type {{ name: string, operation: string, workers: number, before: number }[]} */
const ROWS = [
  { name: "login, one connection", operation: "OTP login", workers: 1, before: 0 },
  { name: "login, eight connections", operation: "OTP login", workers: 8, before: 0 },
  { name: "sign-up, one connection", operation: "sign-up", workers: 1, before: 0 },
  { name: "update, one connection", operation: "update", workers: 1, before: 0 },
  { name: "login after 10,000, one connection", operation: "OTP login", workers: 1, before: BEFORE },
];

/**
 * @param {string} kind of `SERVERS` @param {typeof ROWS[number]} row @param {string} node the path of a Node
 * @returns {Promise<{ rate: number, cpuUs: number }>} of all threads
 */
const run = async (kind, { operation, workers, before }, node) => {
  const folder = mkdtempSync(join(tmpdir(), "stagedoor-young-"));
  const fixtures = join(folder, "fixtures.json");
  const users = writeFixtures(fixtures, PROFILES);
  const server = await startServer(kind, { fixtures, dataDir: join(folder, "data"), node });
  try {
    if (before > 0) await measure(operationOf(operation), server, users, before, workers);
    return await measure(operationOf(operation), server, users, COUNT, workers);
  } finally {
    await stopServer(server);
    rmSync(folder, { recursive: true, force: true });
  }
};

/**
 * @param {object} options
 * @param {string} options.node the path of the Node that runs the servers
 * @param {number} options.turns
 * @param {string[]} [options.only] names of rows; all if absent
 * @param {(line: string) => void} options.say
 * @returns {Promise<string>} a table: Stagedoor's rate and processor time, of each Express's
 */
export const youngTable = async ({ node, turns, only, say }) => {
  const cells = [];
  for (const row of ROWS) {
    if (only !== undefined && !only.includes(row.name)) continue;
    /** @type {Map<string, { rate: number, cpuUs: number }[]>} */
    const measured = new Map(SERVERS.map((kind) => [kind, []]));
    for (let turn = 0; turn < turns; turn++) {
      say(`  ${row.name}: ${turn + 1} of ${turns}`);
      for (let place = 0; place < SERVERS.length; place++) {
        const kind = SERVERS[(place + turn) % SERVERS.length] ?? "";
        measured.get(kind)?.push(await run(kind, row, node));
      }
    }
    /** @param {"rate" | "cpuUs"} figure @param {string} kind */
    const of = (figure, kind) => (measured.get(kind) ?? []).map((one) => one[figure]);
    /** @param {"rate" | "cpuUs"} figure @param {string} kind */
    const ratio = (figure, kind) =>
      median(of(figure, "Stagedoor").map((own, turn) => own / (of(figure, kind)[turn] ?? Number.NaN)));
    cells.push([
      row.name,
      ...SERVERS.map((kind) => fixed(median(of("rate", kind)))),
      `**${fixed(ratio("rate", "Express 5"), 2)}**`,
      fixed(ratio("rate", PREPARED_EXPRESS), 2),
      ...SERVERS.map((kind) => fixed(median(of("cpuUs", kind)))),
      `**${fixed(ratio("cpuUs", "Express 5"), 2)}**`,
      fixed(ratio("cpuUs", PREPARED_EXPRESS), 2),
    ]);
  }
  return table(
    [
      `first ${COUNT}`,
      ...SERVERS.map((kind) => `${kind}, 1/s`),
      "of Express 5",
      "of it prepared",
      ...SERVERS.map((kind) => `${kind}, µs CPU`),
      "of Express 5",
      "of it prepared",
    ],
    cells,
  );
};
