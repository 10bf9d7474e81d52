/** What one app of the join token may have is bounded, and nothing of it is taken from others or the owner. */
import { describe, expect, test, vi } from "vitest";
import { KEPT_KINDS } from "#contract/control/shares.ts";
import { Publisher } from "#store/publisher.ts";
import { type Job, sharedInstance } from "#test/attack/shared.ts";
import { until } from "#test/http/control/support.ts";
import { openEvents } from "#test/http/events/event-stream.ts";

const MIB = 1_048_576;
const { owner, job, join, pass, server, tokenOf } = sharedInstance(
  { appFaults: 3, appStreams: 2, appWaits: 2, eventStreams: 4 },
  { shared: { apps: 6, mebibytes: 4 } },
);
const end = async (...jobs: readonly Pick<Job, "appId">[]) => {
  for (const { appId } of jobs) await owner("DELETE", `/apps/${appId}`);
};
const large = (n: number) => ({ name: `${n} ${"x".repeat(200_000)}` });
/** Fills the memory of all apps through one. @returns the refusal. */
const fill = async ({ appId, call }: Job) => {
  for (let n = 0; ; n++) {
    const reply = await call("POST", "/profiles", { appId, ...large(n) });
    if (reply.status !== 201) return { ...reply, count: n };
  }
};

describe("each app has its own, and the owner waits for nobody:", () => {
  test("apps of the join token, at a time; the owner's do not count", async () => {
    const jobs = await Promise.all(Array.from({ length: 6 }, () => job()));
    const refused = await join("POST", "/apps", { ttlSeconds: 60 });
    expect([refused.status, refused.reason]).toEqual([429, "too_many_shared_apps"]);
    const own = await owner("POST", "/apps", { ttlSeconds: 60 });
    expect(own.status).toBe(201);
    const [first] = jobs;
    if (first !== undefined) await first.call("DELETE", `/apps/${first.appId}`);
    const next = await job();
    expect(next.appId).toBeDefined();
    await end(...jobs, next, own.json);
  });

  test("event streams, of which the owner has its own", async () => {
    const one = await job();
    const open = async (token: string) => await openEvents(server().urls.console, { Authorization: `Bearer ${token}` });
    const held = [await open(tokenOf(one)), await open(tokenOf(one))];
    const refused = await one.call("GET", "/events");
    expect([refused.status, refused.reason]).toEqual([429, "too_many_streams"]);
    for (let n = 0; n < 4; n++) held.push(await open("whole-console"));
    expect((await owner("GET", "/events")).reason).toBe("too_many_streams");
    for (const stream of held) stream.close();
    await end(one);
  });

  test("a stream of one app hears its own events only, also after many of others", async () => {
    const [one, other] = [await job(), await job()];
    const stream = await openEvents(server().urls.console, { Authorization: `Bearer ${tokenOf(one)}` });
    for (let n = 0; n < 30; n++) await other.call("POST", "/profiles", { appId: other.appId, name: `Other ${n}` });
    await one.call("POST", "/profiles", { appId: one.appId, name: "Mine" });
    const heard = await stream.next(({ type }) => type === "profile.put");
    expect(heard).toMatchObject({ appId: one.appId, item: { name: "Mine" } });
    expect(stream.text()).not.toContain("Other");
    await end(one);
    await until(
      () => stream.ended(),
      (ended) => ended,
    );
    await end(other);
  });

  test("requests that wait for a passcode", async () => {
    const one = await job();
    const waiting = [0, 1].map(() => one.call("GET", "/passcodes/latest?to=%2B12025550100&wait=20s"));
    const third = await one.call("GET", "/passcodes/latest?to=%2B12025550100&wait=20s");
    expect([third.status, third.reason]).toEqual([429, "too_many_waits"]);
    expect((await owner("GET", `/passcodes/latest?appId=${one.appId}&wait=1`)).status).toBe(404);
    await end(one);
    expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual([404, 404]);
  });
});

test("requests of an app that are refused leave nothing that listens to the store", async () => {
  const one = await job();
  const watched = vi.spyOn(Publisher.prototype, "watch");
  for (const phone of ["202", "+12025550199"])
    expect((await one.call("POST", "/sessions", { to: phone })).status).toBeGreaterThan(399);
  const body = JSON.stringify({ appId: one.appId, user: { phone: "+12025550199" }, passcode: "1" });
  const headers = { "Content-Type": "application/json" };
  const refused = await fetch(`${server().urls.auth}/v1/users/session`, { method: "PUT", headers, body });
  expect(refused.status).toBe(401);
  await until(
    () => one.call("GET", "/requests"),
    ({ json }) => json.items[0]?.advice.length > 0,
  );
  expect(watched).not.toHaveBeenCalled();
  vi.restoreAllMocks();
  await end(one);
});

test("a client that leaves gives its wait back", async () => {
  const one = await job();
  const url = `${server().urls.console}/emulator/v1/passcodes/latest?to=%2B12025550100&wait=20s`;
  const headers = { Authorization: `Bearer ${tokenOf(one)}` };
  const left = new AbortController();
  const waiting = Array.from({ length: 2 }, () => fetch(url, { headers, signal: left.signal }));
  const ask = (wait: string) => one.call("GET", `/passcodes/latest?to=%2B12025550100&wait=${wait}`);
  await until(
    () => ask("1ms"),
    ({ status }) => status === 429,
  );
  left.abort();
  expect((await Promise.allSettled(waiting)).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  await until(
    () => ask("1ms"),
    ({ status }) => status === 404,
  );
  await end(one);
});

describe("the memory of all apps of the join token", () => {
  test("says what is kept, of each kind", async () => {
    const one = await job();
    const { shared } = (await owner("GET", "/status")).json;
    expect(shared).toMatchObject({ apps: 1, mostApps: 6, mostBytes: 4 * MIB, largest: { appId: one.appId } });
    await one.call("POST", "/profiles", { appId: one.appId, ...large(1) });
    const now = (await owner("GET", "/status")).json.shared;
    expect(now.bytes - shared.bytes).toBeGreaterThan(400_000);
    expect(now.largest.mostly).toBe("profiles");
    await end(one);
    expect((await owner("GET", "/status")).json.shared).toMatchObject({ apps: 0, bytes: 0, largest: null });
    expect(KEPT_KINDS.length).toBeGreaterThan(10);
    expect([shared.holders, now.holders]).toEqual(Array(2).fill([{ address: "127.0.0.1", apps: 1 }]));
  });

  test("when it is full, an app over its fair share gets 429, one below goes on, and the owner does not wait", async () => {
    const [greedy, other] = [await job(), await job()];
    const refused = await fill(greedy);
    expect([refused.status, refused.reason]).toEqual([429, "share_used_up"]);
    expect(refused.count).toBeGreaterThan(5);
    expect(refused.json.instruction).toMatch(
      /^The apps of the join token together keep at most 4\.0 MiB, and that is full\. This app keeps 4\.\d MiB, more than its share of 2\.0 MiB, mostly profiles \(3\.\d MiB\)\. Delete users of this app, or delete the app\. Nothing was changed\.$/,
    );
    // Signing up is a write as well, whoever asks.
    const signUp = { appId: greedy.appId, user: { phone: "+12025550111", ...large(0) } };
    const auth = await fetch(`${server().urls.auth}/v1/users/session`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(signUp),
    });
    expect([auth.status, auth.headers.get("Emulator-Reason")]).toEqual([429, "share_used_up"]);
    // Nothing of others is taken.
    expect((await other.call("POST", "/profiles", { appId: other.appId, ...large(0) })).status).toBe(201);
    expect((await owner("POST", "/profiles", { appId: greedy.appId, ...large(0) })).status).toBe(201);
    // What frees it.
    const { items } = (await greedy.call("GET", "/profiles")).json;
    const userIds = items.map(({ userId }: { userId: string }) => userId);
    expect((await greedy.call("POST", "/profiles/delete", { appId: greedy.appId, userIds })).status).toBe(200);
    expect((await greedy.call("POST", "/profiles", { appId: greedy.appId, ...large(0) })).status).toBe(201);
    await end(greedy, other);
  });

  test("what others send to an app, and its own log, never fail its next sign-up", async () => {
    const [one, other] = [await job(), await job()];
    const ask = async (method: string, body: object) => {
      const headers = { "Content-Type": "application/json" };
      return await fetch(`${server().urls.auth}/v1/users/session`, { method, headers, body: JSON.stringify(body) });
    };
    const rest = "x".repeat(15_000);
    // Others know the app's id, and no code.
    for (let n = 0; n < 250; n++)
      await ask("PUT", { appId: one.appId, user: { phone: "+12025550177" }, passcode: "1", rest });
    expect((await owner("GET", "/status")).json.shared.bytes).toBeLessThan(0.5 * MIB);
    // Its own rows: as many as its share holds, and more.
    for (let n = 0; n < 200; n++)
      await ask("POST", { appId: one.appId, user: { phone: `+12025550${100 + (n % 800)}` }, rest });
    await fill(other);
    const signUp = await ask("POST", { appId: one.appId, user: { phone: "+12025559999" }, rest });
    expect(signUp.status).toBe(200);
    // What the log keeps of it can be cleared with its own token, and only that.
    const ids = (await one.call("GET", "/requests")).json.items;
    expect(ids.length).toBeGreaterThan(0);
    expect((await one.call("DELETE", "/requests")).status).toBe(204);
    expect((await one.call("GET", "/requests")).json.total).toBe(0);
    expect((await other.call("DELETE", `/requests?appId=${one.appId}`)).status).toBe(403);
    await end(one, other);
  });

  test("an app that is gone leaves room", async () => {
    const greedy = await job();
    await fill(greedy);
    await end(greedy);
    const next = await job();
    expect((await fill(next)).count).toBeGreaterThan(5);
    await end(next);
  });
});

test("POST apps with `like` reads, with the join token, only requests of apps of that token", async () => {
  const post = async (appId: string) => {
    const reply = await fetch(`${server().urls.auth}/v1/users/session`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ appId, user: { phone: "+12025550122", name: "Somebody else" } }),
    });
    return reply.headers.get("Emulator-Request-Id");
  };
  const one = await job();
  for (const appId of ["demo-app", "an-app-that-is-not-there"]) {
    const like = await post(appId);
    const refused = await join("POST", "/apps", { ttlSeconds: 60, like });
    expect([refused.status, refused.reason]).toEqual([404, "unknown_record"]);
    expect(refused.text).not.toContain("+12025550122");
  }
  const own = await join("POST", "/apps", { ttlSeconds: 60, like: await post(one.appId), appId: "like-mine" });
  expect([own.status, own.json.strategy]).toEqual([201, "phone"]);
  await end(one, own.json);
});

describe("apps that nobody uses", () => {
  test("a token hides no app, and has a lease of a day at most", async () => {
    expect((await join("POST", "/apps", { ttlSeconds: 60, hidden: true })).status).toBe(403);
    const long = await join("POST", "/apps", { ttlSeconds: 604_800 });
    expect(long.json.lease.ttlSeconds).toBe(86_400);
    await end(long.json);
  });

  test("the one that has been idle longest ends for a new one after 15 minutes, and its token is told", async () => {
    const jobs = await Promise.all(Array.from({ length: 6 }, () => job({ ttlSeconds: 3_600 })));
    const [first, second] = jobs;
    pass(899_000);
    expect((await join("POST", "/apps", { ttlSeconds: 60 })).reason).toBe("too_many_shared_apps");
    for (const one of jobs.slice(1)) await one.call("GET", `/apps/${one.appId}`);
    pass(1_000);
    const next = await job();
    const told = await first?.call("GET", `/apps/${first.appId}`);
    expect([told?.status, told?.reason]).toEqual([410, "app_ended"]);
    const headers = { Authorization: `Bearer ${first?.appId}.guessed` };
    const guessed = await fetch(`${server().urls.console}/emulator/v1/apps`, { headers });
    expect(guessed.headers.get("Emulator-Reason")).toBe("missing_access_token");
    expect((await second?.call("GET", `/apps/${second.appId}`))?.status).toBe(200);
    await end(...jobs.slice(1), next);
  });
});
