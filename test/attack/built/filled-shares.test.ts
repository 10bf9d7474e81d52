/**
 * Through one join token, app after app fills everything that can be kept, in a process with a small heap. Then
 * a second job and the owner work as on a new instance. `FILL` has each kind: one that is new cannot be left out.
 */
import { afterAll, beforeAll, expect, test } from "vitest";
import { KEPT_KINDS, type Kept } from "#contract/control/shares.ts";
import { type Built, cleanEnv, startBuilt } from "#test/hosts/built.ts";
import { type Call, caller } from "#test/hosts/client.ts";
import { openEvents } from "#test/http/events/event-stream.ts";

const HEAP_MIB = 256;
const [ACCESS, JOIN] = ["whole-console", "join-the-others"];
const APPS = 4;

let built: Built | undefined;
const ready = () => {
  if (built === undefined) throw new Error("the server has not started");
  return built.ready;
};
const consoleAs = (token: string): Call =>
  caller(() => `${ready().consoleUrl}/emulator/v1`, { Authorization: `Bearer ${token}` });
const auth = caller(() => ready().authUrl);
const owner = consoleAs(ACCESS);
const join = consoleAs(JOIN);

interface Job {
  readonly appId: string;
  readonly token: string;
  readonly call: Call;
  readonly admin: Call;
  readonly session: (method: "POST" | "PUT", body: object) => ReturnType<Call>;
  readonly held: { close(): void }[];
}
const newJob = async (): Promise<Job> => {
  const { json, status } = await join("POST", "/apps", { ttlSeconds: 600, settings: { validation: "lenient" } });
  expect(status).toBe(201);
  const { appId, secret, accessToken: token } = json;
  const call = consoleAs(token);
  const admin = caller(() => ready().adminUrl, { Authorization: `Bearer ${secret}` });
  const session: Job["session"] = (method, body) => auth(method, "/v1/users/session", { appId, ...body });
  // One stream is sent all that is filled in.
  const first = await openEvents(ready().consoleUrl, { Authorization: `Bearer ${token}` });
  return { appId, token, call, admin, session, held: [first] };
};

beforeAll(async () => {
  const env = {
    ...cleanEnv(),
    NODE_OPTIONS: `--max-old-space-size=${HEAP_MIB}`,
    STAGEDOOR_ACCESS_TOKEN: ACCESS,
    STAGEDOOR_JOIN_TOKEN: JOIN,
    STAGEDOOR_SHARED_APPS: String(APPS + 1),
  };
  built = await startBuilt(["--ephemeral", "--console-host", "127.0.0.1"], env);
});
afterAll(async () => await built?.stop("SIGKILL"));

const times = async (count: number, action: (n: number) => ReturnType<Call>): Promise<readonly number[]> => {
  const statuses: number[] = [];
  for (let n = 0; n < count && !statuses.includes(429); n++) statuses.push((await action(n)).status);
  return statuses;
};
const text = (length: number, n: number) => `${n} ${"x".repeat(length)}`;

/** Fills one kind through an app. @returns the statuses; the last is 429 where a bound is met. */
const FILL: Readonly<Record<Kept, (job: Job) => Promise<readonly number[]>>> = {
  settings: ({ call, appId }) =>
    times(1, () => call("PATCH", `/apps/${appId}`, { settings: { message: { sms: `{code}${"{app}".repeat(50)}` } } })),
  faults: ({ call }) =>
    times(101, () => call("POST", "/faults", { effect: { status: 503 }, match: { to: "+12025550198" } })),
  snapshots: ({ call }) => times(6, (n) => call("PUT", `/snapshots/s${n}`)),
  waits: async ({ call }) => {
    const wait = () => call("GET", "/passcodes/latest?to=%2B12025550199&wait=60s");
    const waiting = Array.from({ length: 64 }, wait);
    void Promise.allSettled(waiting);
    return await times(40, () => call("GET", "/passcodes/latest?to=%2B12025550199&wait=50ms"));
  },
  coverage: ({ session }) => times(10, () => session("PUT", { user: { phone: "+12025550100" }, passcode: "1" })),
  limits: async ({ call, appId, session }) => {
    await call("PATCH", `/apps/${appId}`, { settings: { limits: { requestsPerMinute: 20 } } });
    const statuses = await times(30, () => session("PUT", { user: { phone: "+12025550100" }, passcode: "1" }));
    await call("PATCH", `/apps/${appId}`, { settings: { limits: { requestsPerMinute: null } } });
    return statuses;
  },
  passcodes: async ({ call, session }) => {
    const user = { phone: "+12025550100" };
    await call("POST", "/profiles", user);
    return await times(50, () => session("POST", { user }));
  },
  sessions: ({ call }) => times(100, () => call("POST", "/sessions", { to: "+12025550100" })),
  connections: async ({ call }) => {
    const { items } = (await call("GET", "/profiles?limit=1")).json;
    return await times(100, (n) => call("POST", "/connections", { userId: items[0]?.userId, name: text(100, n) }));
  },
  log: ({ admin }) => times(150, () => admin("GET", "/v1/profiles")),
  timeline: async ({ call, appId }) => {
    const { items } = (await call("GET", "/profiles?limit=1")).json;
    const path = `/profiles/${items[0]?.userId}?appId=${appId}`;
    return await times(30, (n) => call("PATCH", path, { name: text(300_000, n) }));
  },
  profiles: ({ call }) => times(500, (n) => call("POST", "/profiles", { name: text(400_000, n) })),
  streams: async ({ token, held, call }) => {
    while (held.length < 8) held.push(await openEvents(ready().consoleUrl, { Authorization: `Bearer ${token}` }));
    return await times(1, () => call("GET", "/events"));
  },
};

test("what one join token can fill takes nothing from a second job, from the owner, or from the process", async () => {
  const jobs: Job[] = [];
  const met = new Set<Kept>();
  for (let n = 0; n < APPS; n++) {
    const job = await newJob();
    jobs.push(job);
    for (const kind of Object.keys(FILL) as Kept[]) if ((await FILL[kind](job)).at(-1) === 429) met.add(kind);
    // The owner never waits for it.
    expect((await owner("POST", "/profiles", { appId: job.appId, name: "By the owner" })).status).toBe(201);
  }
  expect([...met].sort()).toEqual(["faults", "limits", "profiles", "snapshots", "streams", "waits"]);
  const { shared } = (await owner("GET", "/status")).json;
  expect(KEPT_KINDS).toHaveLength(Object.keys(FILL).length);
  expect([shared.apps, shared.bytes > 0.9 * shared.mostBytes, shared.bytes < 2.5 * shared.mostBytes]).toEqual([
    APPS,
    true,
    true,
  ]);

  const second = await newJob();
  expect((await join("POST", "/apps", { ttlSeconds: 60 })).reason).toBe("too_many_shared_apps");
  const stream = await openEvents(ready().consoleUrl, { Authorization: `Bearer ${second.token}` });
  const user = { phone: "+12025550155" };
  expect((await second.call("POST", "/profiles", user)).status).toBe(201);
  await stream.next(({ type }) => type === "profile.put");
  const { seq } = (await second.call("POST", "/mark", {})).json;
  expect((await second.session("POST", { user })).status).toBe(202);
  const { code } = (await second.call("GET", "/passcodes/latest?wait=5s")).json;
  expect((await second.session("PUT", { user, passcode: code === "000000" ? "1" : "000000" })).status).toBe(401);
  const right = await second.session("PUT", { user, passcode: code });
  expect(right.status).toBe(200);
  const rows = (await second.call("GET", "/requests")).json;
  expect(rows.total).toBe(3);
  const id = right.headers.get("Emulator-Request-Id");
  expect((await second.call("GET", `/requests/${id}`)).status).toBe(200);
  expect((await second.call("GET", `/requests/${id}/bundle`)).status).toBe(200);
  expect((await second.call("POST", "/faults", { effect: { status: 503 }, times: 1 })).status).toBe(201);
  expect((await second.session("POST", { user })).status).toBe(503);
  expect((await second.call("POST", "/rewind", { to: seq })).status).toBe(200);
  const state = {
    version: 1,
    apps: [{ appId: second.appId, profiles: [{ phone: "+12025550156", name: "Imported" }] }],
  };
  expect((await second.call("PUT", "/state", { mode: "merge", state })).status).toBe(200);

  const { appId } = (await owner("POST", "/apps", { ttlSeconds: 60 })).json;
  for (const [method, path, body] of [
    ["POST", "/faults", { effect: { status: 503 }, match: { appId } }],
    ["PUT", `/snapshots/own?appId=${appId}`, undefined],
    ["POST", "/profiles", { appId, name: "x" }],
    ["GET", "/requests?limit=1000", undefined],
    ["GET", "/passcodes?limit=1000", undefined],
    ["GET", "/profiles?limit=1000", undefined],
  ] as const)
    expect([path, (await owner(method, path, body)).status < 300]).toEqual([path, true]);
  const ownStream = await openEvents(ready().consoleUrl, { Authorization: `Bearer ${ACCESS}` });
  expect(ownStream.status).toBe(200);

  // What they kept is free when they are gone.
  for (const job of jobs) expect((await owner("DELETE", `/apps/${job.appId}`)).status).toBe(204);
  for (const { held } of jobs) for (const one of held) one.close();
  const after = (await owner("GET", "/status")).json.shared;
  expect([after.apps, after.bytes < 0.05 * after.mostBytes]).toEqual([1, true]);
  expect(built?.child.exitCode).toBeNull();
  stream.close();
  ownStream.close();
}, 180_000);
