/**
 * `npm run scale`: simulates a CI system with several independent Stagedoors. Each job creates an app with a join
 * token, and selects its emulator with `connect({ shards })`. During the run, one process is killed and restarted, one
 * is killed permanently, and one is added; then all run at full load. `--jobs 400 --processes 8 --seconds 100`.
 */
import { parseArgs } from "node:util";
import { buildStale } from "../../tools/build.mjs";
import { fixed, machine } from "./report.mjs";
import { jobsTable, killsTable, shardsTable } from "./scale-report.mjs";
import { appCost, fullSpeed } from "./shard-load.mjs";
import { JOIN_TOKEN, startShard, stopShard, urlOf } from "./shards.mjs";

const { values: options } = parseArgs({
  options: {
    jobs: { type: "string", default: "400" },
    processes: { type: "string", default: "8" },
    seconds: { type: "string", default: "100" },
  },
});
const [jobCount, processes, seconds] = [Number(options.jobs), Number(options.processes), Number(options.seconds)];
/** How long a killed process stays down, like a replaced pod, in milliseconds. */
const BACK_MS = 4_000;

/** @param {string} line */
const say = (line) => console.error(line);
const pause = (/** @type {number} */ ms) => new Promise((resolve) => setTimeout(resolve, ms));
let state = 7;
/** @returns {number} from 0 to 1, the same sequence in every run */
const random = () => {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
  return state / 2 ** 32;
};

await buildStale({ parts: ["client", "server"], say });
// Only now: dist has been built.
const { runJob } = await import("./jobs.mjs");

/** All processes so far. @type {import("./shards.mjs").Shard[]} */
const shards = [];
let urls = Array.from({ length: processes }, (_, i) => urlOf(i));
for (let i = 0; i < processes; i++) shards.push(await startShard(i));

const begun = performance.now();
/** @type {import("./jobs.mjs").Job[]} */
const done = [];
const startJob = async (/** @type {string} */ name) => {
  const lastsMs = seconds * 250 * (0.5 + random());
  const job = await runJob({ name, shards: urls, accessToken: JOIN_TOKEN, lastsMs, random });
  done.push(job);
  // CI systems retry failed jobs.
  if (job.error !== undefined && !name.endsWith("again")) await startJob(`${name} again`);
};

/** @type {import("./scale-report.mjs").Event[]} */
const events = [];
const note = (/** @type {string} */ what, /** @type {string} */ url) => {
  const event = { what, url, at: performance.now(), back: Number.POSITIVE_INFINITY };
  say(`  ${fixed((event.at - begun) / 1000)} s: ${url} ${what}`);
  events.push(event);
  return event;
};
const kill = async (/** @type {number} */ index) => {
  const shard = shards[index];
  if (shard !== undefined) await stopShard(shard, "SIGKILL");
};
const plan = [
  {
    at: 0.25,
    run: async () => {
      const event = note("killed, back after 4 s", urlOf(2));
      await kill(2);
      await pause(BACK_MS);
      shards.push(await startShard(2));
      event.back = performance.now();
    },
  },
  {
    at: 0.45,
    run: () => {
      note("killed for good", urlOf(processes - 3));
      return kill(processes - 3);
    },
  },
  {
    at: 0.6,
    run: async () => {
      shards.push(await startShard(processes));
      urls = [...urls, urlOf(processes)];
      note("added", urlOf(processes));
    },
  },
];

say(`${jobCount} jobs in ${seconds} s`);
/** @type {Promise<void>[]} */
const all = [];
for (let i = 0; i < jobCount; i++) {
  while (plan[0] !== undefined && performance.now() - begun > plan[0].at * seconds * 1000)
    all.push(Promise.resolve(plan.shift()?.run()));
  all.push(startJob(`job ${i}`));
  await pause((seconds * 750) / jobCount);
}
await Promise.all(all);
const tookS = (performance.now() - begun) / 1000;
const mostMb = new Map(shards.map((shard) => [shard, shard.mostMb]));
const cpu = new Map(shards.map((shard) => [shard, shard.cpuMs]));

say("full speed");
const live = shards.filter(({ server: { child } }) => child.exitCode === null && child.signalCode === null);
// One at a time, so that each has JIT-compiled the code of a login.
for (const shard of live) await fullSpeed([shard], 2_000);
const together = await fullSpeed(live, 8_000);
const fullMb = new Map(live.map((shard) => [shard, shard.mostMb]));
const alone = await fullSpeed(live.slice(0, 1), 5_000);
const [first] = live;
const cost = first === undefined ? { cpuUs: Number.NaN, kb: Number.NaN } : await appCost(first, 2_000);
for (const shard of live) await stopShard(shard);

console.log(
  [
    `${machine()}; ${jobCount} jobs in ${fixed(tookS)} s, ${processes} processes. Times: least / median / p99 / most, in milliseconds.`,
    killsTable(done, events),
    jobsTable(done, events, tookS, cost),
    shardsTable(done, shards, { mostMb, fullMb, cpu, live, together }),
    `Full speed in sum: ${fixed(together.reduce((sum, { rate }) => sum + rate, 0))} logins a second; one process alone: ${fixed(alone[0]?.rate ?? Number.NaN)}, ${fixed(alone[0]?.cpuUs ?? Number.NaN)} µs of CPU each.`,
  ].join("\n\n"),
);
