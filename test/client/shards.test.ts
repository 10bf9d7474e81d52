/** `connect({ shards })`: which emulator a job uses, and what happens when one is down. */
import { afterEach, describe, expect, test } from "vitest";
import { connect } from "#client/index.ts";
import { expandShards, hash, rankShards } from "#client/shards.ts";
import type { RunningServer } from "#server/server.ts";
import { startInProcess } from "#test/hosts/in-process.ts";
import { failure } from "./support.ts";

const jobs = Array.from({ length: 10_000 }, (_, i) => `job ${47_110_000 + i}`);
const PODS = expandShards("http://stagedoor-{0..9}.stagedoor:4012");

test("a range expands to its URLs; lists and ranges can be mixed, and duplicates count once", () => {
  expect(PODS).toHaveLength(10);
  expect([PODS[0], PODS[9]]).toEqual(["http://stagedoor-0.stagedoor:4012", "http://stagedoor-9.stagedoor:4012"]);
  expect(expandShards("http://a:1, http://b-{8..10}/x http://a:1")).toEqual([
    ...["http://a:1", "http://b-8/x", "http://b-9/x", "http://b-10/x"],
  ]);
  expect(expandShards(["http://a:1", "http://b{0..0}:1"])).toEqual(["http://a:1", "http://b0:1"]);
  expect(expandShards("http://a{3..2}:1")).toEqual([]);
});

describe("the order of a job", () => {
  test("equals that of other implementations: FNV-1a with MurmurHash3's last step, over UTF-8", () => {
    // Computed with Python from the published definitions.
    expect(["", "a", "job 4711", "größe"].map(hash)).toEqual([
      2_872_998_923, 444_641_715, 3_589_728_784, 3_449_927_484,
    ]);
  });

  test("does not depend on the order of the URLs", () => {
    expect(rankShards("4711", [...PODS].reverse())).toEqual(rankShards("4711", PODS));
    expect([...rankShards("4711", PODS)].sort()).toEqual([...PODS].sort());
  });

  test("spreads jobs evenly, for the first choice and for the second choice of one shard's jobs", () => {
    const ranked = jobs.map((job) => rankShards(job, PODS));
    const count = (place: number, of = ranked): number[] =>
      PODS.map((url) => of.filter((order) => order[place] === url).length);
    // 1,000 each; the standard deviation of a random distribution is 30.
    for (const met of count(0)) expect(Math.abs(met - 1_000)).toBeLessThan(130);
    const ofThree = ranked.filter(([first]) => first === PODS[3]);
    for (const [at, met] of count(1, ofThree).entries())
      if (at !== 3) expect(Math.abs(met - ofThree.length / 9)).toBeLessThan(50);
  });

  test("changes only for the jobs of a shard that is added", () => {
    const more = [...PODS, "http://stagedoor-10.stagedoor:4012"];
    const moved = jobs.filter((job) => rankShards(job, PODS)[0] !== rankShards(job, more)[0]);
    expect(moved.every((job) => rankShards(job, more)[0] === more[10])).toBe(true);
    expect(Math.abs(moved.length - jobs.length / 11)).toBeLessThan(130);
  });
});

describe("the job", () => {
  const shards = "http://127.0.0.{1..9}:4012";
  const CI = ["CI_JOB_ID", "GITHUB_RUN_ID", "GITHUB_RUN_ATTEMPT", "GITHUB_JOB", "RUNNER_NAME"];
  const names = ["STAGEDOOR_JOB", "STAGEDOOR_SHARDS", "STAGEDOOR_CONSOLE_URL", ...CI];
  const before = Object.fromEntries(names.map((name) => [name, process.env[name]]));
  const only = (variables: Readonly<Record<string, string>>): void => {
    for (const name of names) delete process.env[name];
    Object.assign(process.env, variables);
  };
  afterEach(() => {
    for (const name of names) delete process.env[name];
    for (const [name, value] of Object.entries(before)) if (value !== undefined) process.env[name] = value;
  });

  test("is the given one, else STAGEDOOR_JOB, else that of the CI system", () => {
    only({ CI_JOB_ID: "17", STAGEDOOR_JOB: "mine" });
    expect(connect({ shards, job: "given" }).shard?.job).toBe("given");
    expect(connect({ shards }).shard?.job).toBe("mine");
    only({ CI_JOB_ID: "17" });
    expect(connect({ shards }).shard?.job).toBe("17");
    only({ GITHUB_RUN_ID: "8", GITHUB_RUN_ATTEMPT: "2", GITHUB_JOB: "e2e", RUNNER_NAME: "r 5" });
    expect(connect({ shards }).shard?.job).toBe("8/2/e2e/r 5");
  });

  test("must have a name", () => {
    only({});
    expect(() => connect({ shards })).toThrow(/job can't be blank: no variable of a CI system names this job/);
    expect(() => connect({ shards: [], job: "x" })).toThrow(/shards can't be empty/);
    expect(() => connect({ shards, consoleUrl: "http://x", job: "x" })).toThrow(/can't be given together/);
  });

  test("uses STAGEDOOR_SHARDS if no console URL is given, nor set in the environment", () => {
    only({ STAGEDOOR_SHARDS: shards, STAGEDOOR_JOB: "mine" });
    const { shard, consoleUrl } = connect();
    expect(shard).toEqual({ job: "mine", url: consoleUrl, index: expect.any(Number), count: 9, passed: [] });
    expect(connect("http://127.0.0.1:1").shard).toBe(null);
    only({ STAGEDOOR_SHARDS: shards, STAGEDOOR_CONSOLE_URL: "http://127.0.0.1:1" });
    expect(connect()).toMatchObject({ shard: null, consoleUrl: "http://127.0.0.1:1" });
  });
});

describe("with emulators", () => {
  const servers: RunningServer[] = [];
  const start = async (config: Parameters<typeof startInProcess>[0] = {}): Promise<string> => {
    const server = await startInProcess(config);
    servers.push(server);
    return server.urls.console;
  };
  afterEach(async () => {
    for (const server of servers.splice(0)) await server.close();
  });
  const NOBODY = "http://127.0.0.1:1";
  /** A job that prefers the shards in this order. */
  const jobThatPrefers = (...urls: readonly string[]): string =>
    jobs.find((job) => `${rankShards(job, urls)}` === `${urls}`) ?? expect.fail("no job does");

  test("two clients of a job use the same one, and errors name it", async () => {
    const shards = [await start(), await start(), await start()];
    for (const job of jobs.slice(0, 6)) {
      const { appId } = await connect({ shards, job }).apps.create();
      const other = connect({ shards, job });
      expect((await other.apps.get(appId)).appId).toBe(appId);
      const at = other.shard;
      const note = `Job "${job}" is on shard ${shards.indexOf(other.consoleUrl) + 1} of 3, ${at?.url}, and stays there.`;
      expect(await failure(other.apps.get("nobody"))).toMatchObject({ message: expect.stringContaining(note) });
    }
  });

  test("skips one that does not respond, with a warning; the job then stays with the next", async () => {
    const warned: Error[] = [];
    const listen = (warning: Error): void => void warned.push(warning);
    process.on("warning", listen);
    const live = await start();
    const job = jobThatPrefers(NOBODY, live);
    const client = connect({ shards: [live, NOBODY], job, shardWaitMs: 0 });
    expect(client.shard).toMatchObject({ url: NOBODY, passed: [] });
    const { appId } = await client.withSignal(new AbortController().signal).apps.create();
    expect(client.shard).toEqual({ job, url: live, index: 0, count: 2, passed: [NOBODY] });
    expect(client.consoleUrl).toBe(live);
    await expect.poll(() => warned.map(String).join()).toContain(`Job "${job}" uses ${live}, because ${NOBODY}`);
    process.off("warning", listen);
    await servers[0]?.close();
    const gone = await failure(client.apps.get(appId));
    expect(gone).toMatchObject({ status: 0, reason: "unreachable", message: expect.stringContaining("stays there") });
  });

  test("waits for the job's own shard", async () => {
    const late = await startInProcess();
    const { port } = new URL(late.urls.console);
    await late.close();
    const other = await start();
    const client = connect({ shards: [late.urls.console, other], job: jobThatPrefers(late.urls.console, other) });
    const asked = client.status();
    await start({ config: { consolePort: Number(port) } });
    expect((await asked).urls.console).toBe(late.urls.console);
    expect(client.shard?.passed).toEqual([]);
  });

  test("fails with a list of all if none responds; the next call retries; closing ends the wait", async () => {
    const client = connect({ shards: [NOBODY, "http://127.0.0.1:2"], job: "x", shardWaitMs: 0 });
    for (const _ of [1, 2])
      expect(await failure(client.status())).toMatchObject({
        reason: "unreachable",
        message: expect.stringMatching(
          /^Stagedoor does not respond at any of the 2 shards of job "x": .*:[12], .*:[12]\.$/,
        ),
      });
    const patient = connect({ shards: [NOBODY], job: "x", shardWaitMs: 500 });
    const waiting = failure(patient.status());
    await patient.close();
    expect(await waiting).toMatchObject({ reason: "closed" });
  });

  test("a join token is sufficient: leased apps, each with its token, and a clear error when one is down", async () => {
    const config = { consoleHost: "127.0.0.1", accessToken: "whole-console", joinToken: "join-the-others" };
    const shards = [await start({ config }), await start({ config })];
    const client = connect({ shards, job: "x", accessToken: "join-the-others" });
    const one = await client.apps.create({ ttlSeconds: 60 });
    const phone = "+12025550100";
    await client.profiles.create({ phone });
    const { auth } = servers.find(({ urls }) => urls.console === client.consoleUrl)?.urls ?? expect.fail();
    const session = (appId: string) => () =>
      fetch(`${auth}/v1/users/session`, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify({ appId, user: { phone } }),
      });
    expect((await client.passcodes.requestedBy(session(one.appId), { to: phone })).appId).toBe(one.appId);
    const two = await client.apps.create({ ttlSeconds: 60, appId: "two" });
    const { appId } = two;
    await client.signInAs({ appId, phone });
    expect((await client.passcodes.requestedBy(session(appId), { to: phone, appId })).appId).toBe(appId);
    expect((await client.sessions.list({ appId: one.appId })).total).toBe(0);
    await connect({ consoleUrl: client.consoleUrl, accessToken: "whole-console" }).apps.delete(appId);
    expect(await failure(client.profiles.list({ appId }))).toMatchObject({
      status: 401,
      message: expect.stringContaining(
        `App "two" no longer exists: its lease ended, or Stagedoor restarted without its data.`,
      ),
    });
    await client.apps.delete(one.appId);
  });

  test("URLs have the console's host name and the emulator's ports", async () => {
    const console = await start();
    const urls = servers[0]?.urls ?? expect.fail();
    const { port } = new URL(console);
    expect(await connect(console).urls()).toEqual({ ...urls, lan: [] });
    const named = await connect(`http://localhost:${port}`).urls();
    expect(named).toEqual({
      admin: urls.admin.replace("127.0.0.1", "localhost"),
      auth: urls.auth.replace("127.0.0.1", "localhost"),
      console: `http://localhost:${port}`,
      lan: [],
    });
  });

  test("a token without access to the status gets the ports below the console's", async () => {
    const joinToken = "join-the-others";
    const consoleUrl = await start({ config: { consoleHost: "127.0.0.1", joinToken } });
    const port = Number(new URL(consoleUrl).port);
    expect(await connect({ consoleUrl, accessToken: joinToken }).urls()).toEqual({
      admin: `http://127.0.0.1:${port - 2}`,
      auth: `http://127.0.0.1:${port - 1}`,
      console: consoleUrl,
      lan: [],
    });
  });
});
