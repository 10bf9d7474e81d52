/**
 * `npm run soak`: minutes of mixed load with event readers, tracking rate, memory, files and retention. Users come and
 * go, so that the data stays the same size and whatever grows is a leak. `--minutes 10` (the default).
 */
import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { get } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { buildStale } from "../../tools/build.mjs";
import { Client } from "./client.mjs";
import { writeFixtures } from "./fixtures.mjs";
import { median, WORKERS } from "./measure.mjs";
import { APP, operationOf } from "./operations.mjs";
import { fixed, machine, table } from "./report.mjs";
import { cpuMs, memoryMb, startServer, stopServer } from "./servers.mjs";

const { values: options } = parseArgs({ options: { minutes: { type: "string", default: "10" } } });
const minutes = Number(options.minutes);
const PROFILES = 20_000;
const SAMPLE_MS = 15_000;
const READERS = 3;
/** Until then the sessions that are kept (50,000) fill up: three of ten steps are logins. */
const FILLED_S = 120;

/** Signs a user up and deletes it again. @type {import("./operations.mjs").Operation["run"]} */
const comeAndGo = async (client, server, users) => {
  const user = { phone: `+1404${5_000_000 + (users.signedUp++ % 900_000)}` };
  const signedUp = await client.ask(server.auth, "POST", "/v1/users/session", {}, { appId: APP.appId, user });
  if (signedUp.status !== 200) throw new Error(`sign-up: ${signedUp.status} ${signedUp.body}`);
  const { userId } = JSON.parse(signedUp.body);
  const secret = { Authorization: `Bearer ${APP.secret}` };
  const deleted = await client.ask(server.admin, "DELETE", `/v1/profiles/${userId}`, secret);
  if (deleted.status !== 204) throw new Error(`delete: ${deleted.status} ${deleted.body}`);
};

/** Ten operations, in the proportions of an app and its backend. */
const MIX = [
  operationOf("OTP login").run,
  operationOf("get one").run,
  operationOf("update").run,
  operationOf("get one").run,
  operationOf("OTP login").run,
  comeAndGo,
  operationOf("list").run,
  operationOf("get one").run,
  operationOf("update").run,
  operationOf("OTP login").run,
];

await buildStale({ parts: ["client", "server"], say: (line) => console.error(line) });
const folder = mkdtempSync(join(tmpdir(), "stagedoor-soak-"));
/** @type {(() => unknown)[]} */
const ended = [];
try {
  const fixtures = join(folder, "fixtures.json");
  const dataDir = join(folder, "data");
  const users = writeFixtures(fixtures, PROFILES);
  const server = await startServer("Stagedoor", { fixtures, dataDir });
  ended.push(() => stopServer(server));
  const pid = server.child.pid ?? 0;
  let isOver = false;
  for (let reader = 1; reader <= READERS; reader++) {
    const stream = get(`${server.console}/emulator/v1/events`, (response) => response.resume());
    stream.on("error", (error) => {
      if (!isOver) console.error(`  reader ${reader} of events: ${error.message}`);
    });
    ended.push(() => stream.destroy());
  }
  const ends = performance.now() + minutes * 60_000;
  let steps = 0;
  /** @type {{ at: number, rate: number, cpuUs: number, memory: number, disk: number }[]} */
  const samples = [];
  const workers = Array.from({ length: WORKERS }, async () => {
    const client = new Client();
    while (performance.now() < ends) {
      const i = steps++;
      await MIX[i % MIX.length]?.(client, server, users, i);
    }
    client.close();
  });
  const sampling = (async () => {
    let [stepsBefore, cpuBefore, atBefore] = [steps, cpuMs(pid), performance.now()];
    while (atBefore < ends - SAMPLE_MS / 2) {
      await new Promise((resolve) => setTimeout(resolve, SAMPLE_MS));
      const [stepsNow, cpuNow, now] = [steps, cpuMs(pid), performance.now()];
      const disk = readdirSync(dataDir).reduce((sum, name) => sum + statSync(join(dataDir, name)).size, 0) / 2 ** 20;
      const done = stepsNow - stepsBefore;
      samples.push({
        at: minutes * 60 - (ends - now) / 1000,
        rate: (done * 1000) / (now - atBefore),
        cpuUs: ((cpuNow - cpuBefore) * 1000) / done,
        memory: memoryMb(pid),
        disk,
      });
      const { at = 0, rate = 0, memory = 0 } = samples.at(-1) ?? {};
      console.error(`  ${fixed(at)} s: ${fixed(rate)} steps a second, ${fixed(memory)} MB`);
      [stepsBefore, cpuBefore, atBefore] = [stepsNow, cpuNow, now];
    }
  })();
  await Promise.all([...workers, sampling]);

  const client = new Client();
  const status = JSON.parse((await client.ask(server.console, "GET", "/emulator/v1/status")).body);
  const log = JSON.parse((await client.ask(server.console, "GET", "/emulator/v1/requests?limit=1")).body);
  client.close();
  isOver = true;

  const quarter = Math.max(1, Math.floor(samples.length / 4));
  const filled = samples.findIndex(({ at }) => at > FILLED_S);
  // The first samples include JIT compilation, and those of a longer run the sessions that come to be kept.
  const first = minutes * 60 > 2 * FILLED_S ? filled : 1;
  const early = samples.slice(first, first + quarter);
  const late = samples.slice(-quarter);
  /** @param {typeof samples} part @param {(sample: (typeof samples)[number]) => number} figure */
  const middle = (part, figure) => median(part.map(figure));
  /** @param {string} what @param {(sample: (typeof samples)[number]) => number} figure @param {number} digits */
  const line = (what, figure, digits = 0) => [
    what,
    fixed(middle(early, figure), digits),
    fixed(middle(late, figure), digits),
    fixed(middle(late, figure) / middle(early, figure), 2),
    fixed(Math.max(...samples.slice(Math.ceil(60_000 / SAMPLE_MS)).map(figure)), digits),
  ];
  console.log(
    [
      `${machine()}; ${minutes} minutes, ${steps} steps, ${PROFILES} profiles, ${READERS} readers of events.`,
      table(
        ["", "first quarter", "last quarter", "ratio", "most after the first minute"],
        [
          line("steps a second", ({ rate }) => rate),
          line("µs of CPU for a step", ({ cpuUs }) => cpuUs),
          line("memory, MB", ({ memory }) => memory),
          line("data directory, MB", ({ disk }) => disk, 1),
        ],
      ),
      `At the end: ${JSON.stringify(status.counts)}, ${log.total} rows in the request log.`,
    ].join("\n\n"),
  );
} finally {
  for (const end of ended.reverse()) await end();
  rmSync(folder, { recursive: true, force: true });
}
