/** Fixtures in short: users who are signed in, or were sent a code. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { caller } from "#test/hosts/client.ts";
import { startInProcess } from "#test/hosts/in-process.ts";
import { harness } from "./support.ts";

const { control, auth } = harness();
const LOGIN = "/v1/users/session";
let made = 0;

const imported = async (profiles: readonly object[], appId = `short-${++made}`) => {
  const state = { apps: [{ appId, profiles }] };
  const answer = await control("PUT", "/state", { mode: "merge", state });
  const list = async (noun: string) => (await control("GET", `/${noun}?appId=${appId}`)).json.items;
  return { appId, answer, list };
};
const PEOPLE = [
  { phone: "+12025550141", signedIn: true },
  { phone: "+12025550142", sessions: 3 },
  { phone: "+12025550143", passcode: "123456" },
  { userId: "3f0c2f4e-8a51-4a86-9d0e-2b7f7d1c0b01", phone: "+12025550144", signedIn: true, passcode: "4321" },
];

test("sessions are active, and a code that was sent works once", async () => {
  const { appId, answer, list } = await imported(PEOPLE);
  expect(answer.status, answer.text).toBe(200);
  const sessions = await list("sessions");
  expect(sessions.map(({ state }: { state: string }) => state)).toEqual(Array(5).fill("active"));
  const { token } = (await control("GET", `/sessions/${sessions[0].id}/token`)).json;
  expect((await control("POST", "/sessions/introspect", { token })).json).toMatchObject({ active: true, appId });
  for (const { phone, passcode } of PEOPLE.slice(2)) {
    const code = (await control("GET", `/passcodes/latest?appId=${appId}&to=${encodeURIComponent(phone)}`)).json;
    expect(code).toMatchObject({ code: passcode, status: "active", delivery: "sent", attempts: 0 });
    const body = { appId, user: { phone }, passcode };
    expect((await auth("PUT", LOGIN, body)).status).toBe(200);
    expect((await auth("PUT", LOGIN, body)).status).toBe(401);
  }
});

test("a second import adds nothing", async () => {
  const { appId, list } = await imported(PEOPLE);
  const before = [await list("sessions"), await list("passcodes")];
  expect((await imported(PEOPLE, appId)).answer.status).toBe(200);
  expect([await list("sessions"), await list("passcodes")]).toEqual(before);
});

test("another code replaces the one before; what cannot be is refused by path", async () => {
  const { appId, list } = await imported([{ phone: "+12025550141", passcode: "111111" }]);
  await imported([{ phone: "+12025550141", passcode: "222222" }], appId);
  expect((await list("passcodes")).map((one: { code: string; status: string }) => [one.code, one.status])).toEqual([
    ["222222", "active"],
    ["111111", "replaced"],
  ]);
  for (const [profile, path] of [
    [{ name: "Ada", passcode: "123456" }, "apps[0].profiles[0].passcode"],
    [{ phone: "+12025550142", passcode: "12a456" }, "apps[0].profiles[0].passcode"],
    [{ phone: "+12025550142", sessions: 101 }, "apps[0].profiles[0].sessions"],
    [{ name: "Ada", signedIn: true }, "apps[0].profiles[0]"],
  ] as const) {
    const { answer } = await imported([profile], appId);
    expect(answer.status, answer.text).toBe(422);
    expect(answer.json).toHaveProperty([path]);
  }
});

test("a clock is spelt as in the API, of one app or of all; what stands there stands in its time", async () => {
  const appId = `short-${++made}`;
  const sent = (state: object, mode = "merge", query = "") => control("PUT", `/state${query}`, { mode, state });
  const profiles = [{ phone: "+12025550141", signedIn: true, passcode: "123456" }];
  const frozenAt = "2031-12-24T18:00:00.000Z";
  const app = { appId, profiles, clock: { frozenAt } };
  expect((await sent({ apps: [app] })).status).toBe(200);
  expect((await control("GET", `/clock?appId=${appId}`)).json).toEqual({ now: frozenAt, offsetSeconds: 0, frozenAt });
  const [session] = (await control("GET", `/sessions?appId=${appId}`)).json.items;
  expect(session).toMatchObject({ createdAt: frozenAt, state: "active" });
  const code = (await control("GET", `/passcodes/latest?appId=${appId}&to=%2B12025550141`)).json;
  expect(code).toMatchObject({ createdAt: frozenAt, status: "active" });
  const wrong = await sent({ apps: [{ ...app, clock: { frozenAt: "tomorrow", offset: 3 } }] });
  expect(Object.keys(wrong.json)).toEqual(["apps[0].clock.frozenAt", "apps[0].clock.offset"]);
  const late = await sent({ apps: [app], clock: { offsetSeconds: 3_155_760_000, frozenAt: "0001-01-01T00:00:00Z" } });
  expect(late.json).toEqual({ "clock.frozenAt": ["must leave the clock between 1970 and the year 9999"] });
  expect((await sent({ apps: [{ ...app, clock: null }], clock: { offsetSeconds: 3600 } })).status).toBe(200);
  expect((await control("GET", `/clock?appId=${appId}`)).json).toMatchObject({ offsetSeconds: 3600, frozenAt: null });
  const { json } = await control("GET", "/state?volatile=1");
  expect(json.clock).toEqual({ offsetMs: 3_600_000, frozenAtMs: null });
  await control("PUT", "/clock", {});
  expect((await sent(json, "replace")).status).toBe(200);
  expect((await control("GET", "/clock")).json).toMatchObject({ offsetSeconds: 3600 });
  await control("PUT", "/clock", {});
});

test("faults are spelt as in the API: set once by an import, and each names an app that is there", async () => {
  const { appId, answer } = await imported([{ phone: "+12025550141" }]);
  expect(answer.status).toBe(200);
  const faults = [{ match: { appId, path: "/v1/users/session" }, times: 1, effect: { status: 503 } }];
  const put = (list: readonly object[], query = "") =>
    control("PUT", `/state${query}`, { mode: "merge", state: { apps: [{ appId }], faults: list } });
  const list = async () => (await control("GET", `/faults?appId=${appId}`)).json.items;
  expect((await put(faults, "?dryRun=1")).status).toBe(200);
  expect(await list()).toEqual([]);
  for (const _ of ["first", "again"]) expect((await put(faults)).status).toBe(200);
  expect(await list()).toMatchObject([{ match: { appId }, effect: { status: 503 }, remaining: 1 }]);
  const login = { appId, user: { phone: "+12025550141" } };
  expect((await auth("POST", LOGIN, login)).status).toBe(503);
  expect((await auth("POST", LOGIN, login)).status).toBe(202);
  const unknown = await put([{ match: { appId: "nobody" }, effect: { status: 503 } }]);
  expect(unknown.json).toEqual({ "faults[0].match.appId": ["does not match any app"] });
  const wrong = await put([{ match: { appId }, effect: { statsu: 503 } }]);
  expect(wrong.json).toHaveProperty(["faults[0].effect.statsu"]);
  const other = await put([{ match: {}, times: 1, effect: { delayMs: 1 } }], `?appId=${appId}`);
  expect(other.status).toBe(200);
  expect(
    (await control("GET", "/faults")).json.items.filter((one: { match: object }) => !("appId" in one.match)),
  ).toEqual([]);
});

test("a start and a reset set the clock and the faults of their file", async () => {
  const dir = await mkdtemp(join(tmpdir(), "stagedoor-short-"));
  const file = join(dir, "qa.json");
  const frozenAt = "2031-12-24T18:00:00.000Z";
  const match = { appId: "qa", path: "/v1/users/session" };
  const faults = [{ match, effect: { status: 503 } }];
  await writeFile(file, JSON.stringify({ apps: [{ appId: "qa" }], clock: { frozenAt }, faults }));
  const server = await startInProcess({ config: { fixtures: [file] } });
  try {
    const call = caller(() => `${server.urls.console}/emulator/v1`);
    const read = async () => [(await call("GET", "/clock")).json.frozenAt, (await call("GET", "/faults")).json.total];
    expect(await read()).toEqual([frozenAt, 1]);
    await call("PUT", "/clock", {});
    await call("DELETE", "/faults");
    expect(await read()).toEqual([null, 0]);
    for (const query of ["?appId=qa", ""]) {
      expect((await call("DELETE", `/state${query}`)).status).toBe(204);
      expect((await call("GET", `/clock?appId=qa`)).json.frozenAt).toBe(frozenAt);
      expect((await call("GET", "/faults")).json.items).toMatchObject(faults);
    }
  } finally {
    await server.close();
    await rm(dir, { recursive: true });
  }
});

test("a connection without an id is met again by its user and name, also one that was created otherwise", async () => {
  const { appId } = await imported([{ phone: "+12025550151" }, { phone: "+12025550152" }]);
  const [{ userId }] = (await control("GET", `/profiles?appId=${appId}`)).json.items;
  expect((await control("POST", "/connections", { appId, userId, name: "Google" })).status).toBe(201);
  const connections = [
    { user: "+12025550151", name: "Google" },
    { user: "+12025550152", name: "Google" },
    { user: "+12025550152", name: "Google" },
  ];
  const list = async () => {
    expect((await control("PUT", "/state", { mode: "merge", state: { apps: [{ appId, connections }] } })).status).toBe(
      200,
    );
    return (await control("GET", `/connections?appId=${appId}`)).json.items.map(({ id }: { id: string }) => id).sort();
  };
  const first = await list();
  expect(first).toHaveLength(3);
  expect(await list()).toEqual(first);
});
