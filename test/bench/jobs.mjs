/** A simulated CI job: an app created with a join token, and users who log in, with correct and wrong codes. */
import { connect } from "stagedoor/client";

/** All jobs use the same numbers, because each has its own app. */
const phoneOf = (/** @type {number} */ i) => `+1202555${String(i).padStart(4, "0")}`;
const THINK_MS = 500;
const pause = (/** @type {number} */ ms) => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * @typedef {object} Job
 * @property {string} name
 * @property {string} prefers the URL of its preferred emulator
 * @property {string} url of the emulator that it used
 * @property {number} passed how many preferred emulators did not respond
 * @property {number} begun by `performance.now()`, milliseconds
 * @property {number} readyMs until it had its app; NaN if it never did
 * @property {number} ended
 * @property {number[]} tookMs of each login
 * @property {string} [error] the error that ended it
 */

/** @param {Response} answer @param {number} status */
const expect = async (answer, status) => {
  const text = await answer.text();
  if (answer.status !== status)
    throw new Error(`${answer.status} ${answer.headers.get("Emulator-Reason")} on auth or admin`);
  return text === "" ? undefined : JSON.parse(text);
};

/** @param {unknown} error @returns {string} what a job's log would say, without what differs from job to job */
const wordsOf = (error) => {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  if ("reason" in error) {
    const gone = /App ".*?" no longer exists/.test(error.message) ? ", the app is gone" : "";
    return `client: ${"status" in error ? error.status : ""} ${error.reason}${gone}`;
  }
  return cause instanceof Error && "code" in cause ? `app under test: ${cause.code}` : error.message;
};

/**
 * @param {object} options
 * @param {string} options.name
 * @param {string[]} options.shards
 * @param {string} options.accessToken
 * @param {number} options.lastsMs
 * @param {() => number} options.random from 0 to 1
 * @returns {Promise<Job>}
 */
export const runJob = async ({ name, shards, accessToken, lastsMs, random }) => {
  const client = connect({ shards, job: name, accessToken });
  const begun = performance.now();
  /** @type {Job} */
  const job = {
    name,
    prefers: client.consoleUrl,
    url: "",
    passed: 0,
    begun,
    readyMs: Number.NaN,
    ended: begun,
    tookMs: [],
  };
  try {
    const { appId, secret } = await client.apps.create({ name, ttlSeconds: 30 });
    const { consoleUrl: url, shard } = client;
    Object.assign(job, { readyMs: performance.now() - begun, url, passed: shard?.passed.length });
    const { auth, admin } = await client.urls();
    const session = (/** @type {string} */ method, /** @type {object} */ body) =>
      fetch(`${auth}/v1/users/session`, {
        method,
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify({ appId, ...body }),
      });
    let users = 0;
    const signUp = async () => expect(await session("POST", { user: { phone: phoneOf(users++) } }), 200);
    const logIn = async (/** @type {boolean} */ wrongFirst) => {
      const user = { phone: phoneOf(Math.floor(random() * users)) };
      const ask = async () => expect(await session("POST", { user }), 202);
      const { code } = await client.passcodes.requestedBy(ask, { to: user.phone, appId });
      if (wrongFirst)
        await expect(await session("PUT", { user, passcode: code === "000000" ? "111111" : "000000" }), 401);
      return expect(await session("PUT", { user, passcode: code }), 200);
    };
    const withoutCode = async () => {
      const { token } = await client.signInAs({ appId, phone: phoneOf(Math.floor(random() * users)) });
      if (!(await client.sessions.introspect(token)).active) throw new Error("the token is not active");
    };
    const backend = async () => {
      const answer = await fetch(`${admin}/v1/profiles`, { headers: { Authorization: `Bearer ${secret}` } });
      const total = answer.headers.get("Total-Count");
      await expect(answer, 200);
      if (total !== String(users)) throw new Error(`it saw ${total} users of its ${users}`);
    };
    const steps = [() => logIn(false), () => logIn(true), withoutCode, backend, signUp, () => logIn(false)];
    await signUp();
    while (performance.now() < begun + lastsMs) {
      const at = performance.now();
      await steps[Math.floor(random() * steps.length)]?.();
      job.tookMs.push(performance.now() - at);
      await pause(THINK_MS * (0.5 + random()));
    }
    await client.apps.delete(appId);
  } catch (error) {
    job.error = wordsOf(error);
  }
  await client.close();
  job.ended = performance.now();
  return job;
};
