/**
 * A well-behaved client in its own process, so that the attack costs it only what the server withholds: one request
 * after another, alternating between a kept and a new connection.
 *
 * `node well-behaved.mjs URL BODY` until standard input ends; then one line of JSON: `{count, failures, p50, p99,
 * max}`, times in milliseconds.
 */
import { Agent, request } from "node:http";

const [, , url = "", body = ""] = process.argv;
const kept = new Agent({ keepAlive: true, maxSockets: 1 });
/** Between two requests, in milliseconds. */
const PAUSE_MS = 5;

/**
 * @param {Agent | false} agent
 * @returns {Promise<string>} empty, or the error
 */
const ask = (agent) =>
  new Promise((resolve) => {
    const headers = { "content-type": "application/json", "content-length": Buffer.byteLength(body) };
    const sent = request(url, { method: "POST", agent, headers, timeout: 60_000 }, (response) => {
      response.resume().once("end", () => resolve(response.statusCode === 202 ? "" : `status ${response.statusCode}`));
    });
    sent.once("timeout", () => sent.destroy(new Error("no answer within 60 s")));
    sent.once("error", (error) => resolve(error.message));
    sent.end(body);
  });

let going = true;
process.stdin.resume().once("end", () => {
  going = false;
});

/** @type {number[]} */
const times = [];
/** @type {string[]} */
const failures = [];
while (going) {
  const begun = performance.now();
  const failure = await ask(times.length % 2 === 0 ? kept : false);
  times.push(performance.now() - begun);
  if (failure !== "") failures.push(failure);
  await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
}
times.sort((a, b) => a - b);
/** @param {number} share */
const at = (share) => Math.round((times[Math.floor((times.length - 1) * share)] ?? 0) * 10) / 10;
process.stdout.write(JSON.stringify({ count: times.length, failures, p50: at(0.5), p99: at(0.99), max: at(1) }));
kept.destroy();
