/** Formats the results of `npm run scale` as tables. */
import { quantile } from "./measure.mjs";
import { fixed, table } from "./report.mjs";

/** @typedef {import("./jobs.mjs").Job} Job */
/** @typedef {import("./shards.mjs").Shard} Shard */

/**
 * Something that happened to a process.
 * @typedef {object} Event
 * @property {string} what
 * @property {string} url
 * @property {number} at by `performance.now()`, milliseconds
 * @property {number} back when it responded again, likewise; infinity if it never did
 */

/** @param {number[]} values */
const spread = (values) =>
  values.length === 0 ? "–" : [0, 0.5, 0.99, 1].map((q) => fixed(quantile(values, q))).join(" / ");

/** @param {Job[]} jobs @returns {string} their errors with counts */
const errorsOf = (jobs) => {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const { error } of jobs) if (error !== undefined) counts.set(error, (counts.get(error) ?? 0) + 1);
  return [...counts].map(([error, count]) => `${count} × ${error}`).join("; ") || "none";
};

const isAddition = (/** @type {Event} */ { what }) => what === "added";
/** @param {Job} job @param {Event} event */
const ranAt = (job, { at }) => job.begun < at && job.ended > at;
/** @param {Job} job @param {Event} event */
const beganWhileAway = (job, { url, at, back }) => job.prefers === url && job.begun >= at && job.begun < back;

/** @param {Job[]} done @param {Event[]} events @returns {string} the effect of a kill on running and on new jobs */
export const killsTable = (done, events) =>
  table(
    ["process", "its jobs that noticed", "after", "saw", "other jobs", "wanted it while away", "had an app after"],
    events
      .filter((event) => !isAddition(event))
      .map((event) => {
        const running = done.filter((job) => ranAt(job, event) && !Number.isNaN(job.readyMs));
        const there = running.filter(({ url }) => url === event.url);
        const others = running.filter(({ url }) => url !== event.url);
        const noticed = there.filter(({ error }) => error !== undefined);
        const wanted = done.filter((job) => beganWhileAway(job, event));
        return [
          event.what,
          `${noticed.length} of ${there.length}`,
          spread(noticed.map(({ ended }) => ended - event.at)),
          errorsOf(noticed),
          `${others.filter(({ error, ended }) => error !== undefined && ended < event.at + 3_000).length} of ${others.length}`,
          `${wanted.length}, of which ${wanted.filter(({ passed }) => passed > 0).length} moved`,
          spread(wanted.map(({ readyMs }) => readyMs)),
        ];
      }),
  );

/** @param {Job[]} done @param {Event[]} events @param {number} tookS @param {{ cpuUs: number, kb: number }} app what one costs */
export const jobsTable = (done, events, tookS, app) => {
  const steps = done.flatMap(({ tookMs }) => tookMs);
  const calm = done.filter((job) => !events.some((event) => !isAddition(event) && beganWhileAway(job, event)));
  const added = events.find(isAddition);
  const later = done.filter(({ begun }) => begun > (added?.at ?? Number.POSITIVE_INFINITY));
  const atOnce = done.map(({ begun: at }) => done.filter((job) => job.begun <= at && job.ended > at).length);
  const unexplained = done.filter((job) => !events.some((event) => ranAt(job, event)));
  return table(
    ["jobs", ""],
    [
      [
        "ended well, of all and of those that ran again",
        `${done.filter(({ error }) => !error).length} of ${done.length}`,
      ],
      ["errors of jobs during which no process was killed", errorsOf(unexplained)],
      ["at the same time, most", String(Math.max(...atOnce))],
      ["steps (logins, wrong codes, look-ups, sign-ups)", `${steps.length}, ${fixed(steps.length / tookS)} a second`],
      ["a step took", spread(steps)],
      ["had its app after, where its first choice was there", spread(calm.map(({ readyMs }) => readyMs))],
      [
        "on the added process, of those that began later",
        `${later.filter(({ url }) => url === added?.url).length} of ${later.length}`,
      ],
      ["memory of an app with 20 users, kB", fixed(app.kb)],
      ["CPU to make and delete an app, µs", fixed(app.cpuUs)],
    ],
  );
};

/**
 * @param {Job[]} done @param {Shard[]} shards including stopped ones
 * @param {object} measured
 * @param {Map<Shard, number>} measured.mostMb during the jobs
 * @param {Map<Shard, number>} measured.fullMb at full load
 * @param {Map<Shard, number>} measured.cpu likewise, milliseconds
 * @param {Shard[]} measured.live at full load
 * @param {{ rate: number, cpuUs: number }[]} measured.together of the live ones
 */
export const shardsTable = (done, shards, { mostMb, fullMb, cpu, live, together }) =>
  table(
    [
      "process",
      "jobs",
      "CPU, s",
      "when started, MB",
      "with jobs, MB",
      "full speed, MB",
      "logins a second",
      "µs of CPU for one",
    ],
    [...new Set(shards.map(({ url }) => url))].map((url) => {
      const own = shards.filter((shard) => shard.url === url);
      const at = live.findIndex((shard) => shard.url === url);
      const most = (/** @type {(shard: Shard) => number} */ of) => fixed(Math.max(...own.map(of)));
      return [
        `${own[0]?.name}${own.length > 1 ? ", twice" : ""}`,
        String(done.filter((job) => job.url === url).length),
        fixed(own.reduce((sum, shard) => sum + (cpu.get(shard) ?? 0), 0) / 1000, 1),
        most(({ idleMb }) => idleMb),
        most((shard) => mostMb.get(shard) ?? 0),
        at < 0 ? "–" : most((shard) => fullMb.get(shard) ?? 0),
        fixed(together[at]?.rate ?? Number.NaN),
        fixed(together[at]?.cpuUs ?? Number.NaN),
      ];
    }),
  );
