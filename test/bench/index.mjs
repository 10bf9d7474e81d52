/**
 * `npm run bench`: compares Stagedoor with a bare `node:http` server and a plain Express 5 one, in the same run on the
 * same machine, as a table of ratios. It only reports and never fails: a run on a busy machine proves nothing.
 *
 * `--quick`: under a minute, 1,000 profiles, fewer rounds. `--sizes 1000,20000`: other numbers of profiles.
 * `--against COMMIT`: compares with that commit instead. `--young`: only young processes; `--nodes PATH,PATH`: those on these
 * Nodes, too. `--window`: only the console, in a browser.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import * as module from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { buildStale } from "../../tools/build.mjs";
import { buildSingle } from "../../tools/single.mjs";
import { compareWith } from "./against.mjs";
import { measureColdStart } from "./cold-start.mjs";
import { eventDelay } from "./events.mjs";
import { writeFixtures } from "./fixtures.mjs";
import { measureImport, measureSeeds } from "./import.mjs";
import { idleMemory, measureRates } from "./phases.mjs";
import { fixed, machine, ratesTable, ratioRow, table } from "./report.mjs";
import { heldMs, restartAfterKillMs, restartMs } from "./restart.mjs";
import { rewindMs } from "./rewind.mjs";
import { KINDS, memoryMb, startServer, stopServer } from "./servers.mjs";
import { measureWindow } from "./window.mjs";
import { youngTable } from "./young.mjs";

const { values: options } = parseArgs({
  options: {
    quick: { type: "boolean", default: false },
    sizes: { type: "string" },
    against: { type: "string" },
    young: { type: "boolean", default: false },
    window: { type: "boolean", default: false },
    nodes: { type: "string" },
  },
});
const sizes = (options.sizes ?? (options.quick ? "1000" : "1000,20000,100000")).split(",").map(Number);
const rounds = options.quick ? 3 : 5;
const share = options.quick ? 0.25 : 1;

/** Progress goes to stderr, the report to stdout. @param {string} line */
const say = (line) => console.error(line);

await buildStale({ parts: ["client", "server", ...(options.window ? ["ui"] : [])], say });
if (options.against !== undefined) {
  console.log(await compareWith(options.against, { rounds, share, say }));
  process.exit();
}
/** @returns {Promise<string[]>} a title and a table for each Node */
const young = async () => {
  const parts = [];
  for (const node of [process.execPath, ...(options.nodes?.split(",") ?? [])]) {
    const version = execFileSync(node, ["--version"], { encoding: "utf8" }).trim();
    say(`young processes, Node ${version}`);
    parts.push(`A young process on Node ${version}:`, await youngTable({ node, turns: options.quick ? 3 : 7, say }));
  }
  return parts;
};
if (options.window) {
  await measureWindow();
  process.exit();
}
if (options.young) {
  console.log([`${machine()}.`, ...(await young())].join("\n\n"));
  process.exit();
}
const folder = mkdtempSync(join(tmpdir(), "stagedoor-bench-"));

/** @param {number} size */
const measureSize = async (size) => {
  say(`${size} profiles`);
  const fixtures = join(folder, "fixtures.json");
  const dataDir = join(folder, `data-${size}`);
  const usersOf = new Map(KINDS.map((name) => [name, writeFixtures(fixtures, size)]));
  const servers = [];
  for (const name of KINDS) servers.push(await startServer(name, { fixtures, dataDir }));
  const idle = new Map();
  for (const server of servers) idle.set(server.name, await idleMemory(server));
  const rates = await measureRates(servers, usersOf, { rounds, share, say });
  const loaded = new Map(servers.map((server) => [server.name, memoryMb(server.child.pid ?? 0)]));
  const own = servers.find(({ name }) => name === "Stagedoor");
  const users = usersOf.get("Stagedoor");
  if (own === undefined || users === undefined) throw new Error("Stagedoor is not among the servers.");
  const event = await eventDelay(own, users.phones, options.quick ? 100 : 1_000);
  const rewind = await rewindMs(own, users.ids, options.quick ? 50 : 300);
  for (const server of servers) await stopServer(server);
  say("  restarts");
  const restart = await restartMs(dataDir, options.quick ? 1 : 5);
  const killed = await restartAfterKillMs(dataDir, users, options.quick ? 1_000 : 20_000);
  const held = await heldMs(dataDir, users, options.quick ? 4_000 : 60_000);
  rmSync(dataDir, { recursive: true, force: true });
  say("  import");
  const imported = await measureImport(mkdtempSync(join(folder, "import-")), fixtures);
  const seeds = await measureSeeds(mkdtempSync(join(folder, "seed-")), fixtures);
  return { size, idle, loaded, rates, event, rewind, restart, killed, held, imported, seeds };
};

try {
  say("cold starts");
  const cold = await measureColdStart(folder, options.quick ? 3 : 15);
  const uncached = await measureColdStart(folder, options.quick ? 3 : 15, { env: { NODE_DISABLE_COMPILE_CACHE: "1" } });
  const single = await measureColdStart(folder, options.quick ? 3 : 15, { single: await buildSingle() });
  /** @type {Awaited<ReturnType<typeof measureSize>>[]} */
  const measured = [];
  for (const size of sizes) measured.push(await measureSize(size));

  /** @param {(of: import("./cold-start.mjs").ColdStart) => number} figure */
  const ofCold = (figure, runs = cold) => new Map([...runs].map(([name, of]) => [name, figure(of)]));
  const resources = [
    ratioRow(
      "cold start, ms",
      ofCold(({ ms }) => ms),
    ),
    ratioRow(
      "cold start, ms of CPU",
      ofCold(({ cpuMs }) => cpuMs),
    ),
    ratioRow(
      "cold start of the single executable, ms",
      ofCold(({ ms }) => ms, single),
    ),
    ratioRow(
      "cold start of the single executable, ms of CPU",
      ofCold(({ cpuMs }) => cpuMs, single),
    ),
    // Node 20 has no such cache.
    ...("enableCompileCache" in module
      ? [
          ratioRow(
            "cold start without the compile cache, ms of CPU",
            ofCold(({ cpuMs }) => cpuMs, uncached),
          ),
        ]
      : []),
    ...measured.flatMap(({ size, idle, loaded }) => [
      ratioRow(`memory with ${size} profiles, idle, MB`, idle),
      ratioRow(`memory with ${size} profiles, after the load, MB`, loaded),
    ]),
  ];
  const parts = [
    `${machine()}; ${rounds} rounds${options.quick ? ", quick" : ""}.`,
    table(["", ...KINDS, "Stagedoor of node:http"], resources),
    ...measured.map(({ size, rates }) => `With ${size} profiles:\n\n${ratesTable(rates)}`),
    table(
      ["Stagedoor alone", ...measured.map(({ size }) => `${size} profiles`)],
      [
        ["restart after a clean stop, ms", ...measured.map(({ restart }) => fixed(restart))],
        ["restart after kill -9, ms", ...measured.map(({ killed }) => fixed(killed))],
        [
          "event loop held under writes of the document file, p99, ms",
          ...measured.map(({ held }) => fixed(held.p99, 1)),
        ],
        [
          "event loop held under writes of the document file, most, ms",
          ...measured.map(({ held }) => fixed(held.max, 1)),
        ],
        ["import, ms", ...measured.map(({ imported }) => fixed(imported.ms))],
        ["import, ms of CPU", ...measured.map(({ imported }) => fixed(imported.cpuMs))],
        ["import, ms of CPU of plain Node", ...measured.map(({ imported }) => fixed(imported.plainCpuMs))],
        [
          "import, CPU of plain Node's",
          ...measured.map(({ imported }) => fixed(imported.cpuMs / imported.plainCpuMs, 2)),
        ],
        ["memory 10 s after the import, MB", ...measured.map(({ imported }) => fixed(imported.memoryMb))],
        ["memory of plain Node, MB", ...measured.map(({ imported }) => fixed(imported.plainMemoryMb))],
        ["export, ms of CPU", ...measured.map(({ imported }) => fixed(imported.exportCpuMs))],
        ...["json", "ndjson", "csv"].map((kind, place) => [
          `seed from ${kind}, command and server, CPU of plain Node's`,
          ...measured.map(({ seeds }) =>
            fixed((seeds[place]?.cpuMs ?? Number.NaN) / (seeds[place]?.plainCpuMs ?? 1), 2),
          ),
        ]),
        ["rewind of 10 changes, median, ms", ...measured.map(({ rewind }) => fixed(rewind, 2))],
        ["request to its event at a reader, median, ms", ...measured.map(({ event }) => fixed(event.medianMs, 2))],
        ["request to its event at a reader, p99, ms", ...measured.map(({ event }) => fixed(event.p99Ms, 2))],
      ],
    ),
  ];
  const first = measured.at(0);
  const most = measured.at(-1);
  if (first !== undefined && most !== undefined && most !== first)
    parts.push(
      table(
        [`Stagedoor's rate with ${most.size} profiles, of that with ${first.size}`, "ratio"],
        [...most.rates].map(([operation, of]) => [
          operation,
          fixed(
            (of.get("Stagedoor")?.rate ?? Number.NaN) /
              (first.rates.get(operation)?.get("Stagedoor")?.rate ?? Number.NaN),
            2,
          ),
        ]),
      ),
    );
  parts.push(...(await young()));
  console.log(parts.join("\n\n"));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
