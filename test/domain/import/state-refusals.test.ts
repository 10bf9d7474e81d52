import { expect, test } from "vitest";
import { harness, NOBODY } from "#test/http/control/support.ts";

const { control, app } = harness();
const put = (mode: unknown, state: unknown, query = "") => control("PUT", `/state${query}`, { mode, state });
const world = (...apps: object[]) => ({ version: 1, apps });
const whole = async () => (await control("GET", "/state?volatile=1")).text;

const PASSCODE = {
  id: "0c6c0d3e-0000-4000-8000-000000000001",
  seq: 1,
  userId: NOBODY,
  channel: "sms",
  to: "+12025550100",
  code: "123456",
  message: "",
  state: "active",
  delivery: "sent",
  attempts: 0,
  tried: [],
  requestId: null,
  createdAt: "2026-01-01T00:00:00.000Z",
  expiresAt: "2026-01-01T00:10:00.000Z",
};

test.each([
  ["an invalid phone", { profiles: [{}, {}, {}, { phone: "12" }] }, ["apps[0].profiles[3].phone"]],
  ["an invalid email", { profiles: [{ email: "x" }] }, ["apps[0].profiles[0].email"]],
  ["an invalid name", { profiles: [{ name: 5 }] }, ["apps[0].profiles[0].name"]],
  ["a long name", { profiles: [{ name: "x".repeat(256) }] }, ["apps[0].profiles[0].name"]],
  ["metadata", { profiles: [{ metadata: [] }] }, ["apps[0].profiles[0].metadata"]],
  ["an invalid userId", { profiles: [{ userId: "x" }] }, ["apps[0].profiles[0].userId"]],
  ["an invalid time", { profiles: [{ createdAt: "yesterday" }] }, ["apps[0].profiles[0].createdAt"]],
  ["an invalid testPasscode", { profiles: [{ testPasscode: "12" }] }, ["apps[0].profiles[0].testPasscode"]],
  ["an unknown strategy", { strategy: "fax" }, ["apps[0].strategy"]],
  ["an invalid setting", { settings: { passcode: { length: 99 } } }, ["apps[0].settings.passcode.length"]],
  ["a taken secret", { secret: "sk_local_demo" }, ["apps[0].secret"]],
  [
    "a duplicate username",
    { profiles: [{ phone: "+13035550001" }, { phone: "+13035550001" }] },
    ["apps[0].profiles[1].phone"],
  ],
  ["a duplicate userId", { profiles: [{ userId: NOBODY }, { userId: NOBODY }] }, ["apps[0].profiles[1].userId"]],
  ["an unknown connection owner", { connections: [{ userId: NOBODY, name: "x" }] }, ["apps[0].connections[0].userId"]],
  [
    "a connection of an unknown username",
    { connections: [{ user: "+13035550002", name: "x" }] },
    ["apps[0].connections[0].user"],
  ],
  ["a connection without a name", { connections: [{ userId: NOBODY }] }, ["apps[0].connections[0].name"]],
  ["a passcode of an unknown user", { passcodes: [PASSCODE] }, ["apps[0].passcodes[0].userId"]],
  [
    "every field of a wrong type",
    { strategy: 1, profiles: [{ phone: 1 }, {}, { email: 2 }] },
    ["apps[0].profiles[0].phone", "apps[0].profiles[2].email", "apps[0].strategy"],
  ],
  [
    "every field with an invalid value",
    { profiles: [{ phone: "1" }, {}, { email: "2" }] },
    ["apps[0].profiles[0].phone", "apps[0].profiles[2].email"],
  ],
] as const)("returns 422 with its path for %s, and changes nothing", async (_, fields, paths) => {
  const before = await whole();
  const refused = await put("merge", world({ appId: "refused", ...fields }));
  expect(refused.status, refused.text).toBe(422);
  expect(Object.keys(refused.json).sort()).toEqual([...paths].sort());
  const replaced = await put("replace", world({ appId: "demo-app" }, { appId: "refused", ...fields }));
  const second = paths.map((path) => path.replace("apps[0]", "apps[1]"));
  expect(Object.keys(replaced.json).sort()).toEqual([...second].sort());
  expect(await whole()).toBe(before);
});

test.each([
  [{ profiels: [] }, "apps[0].profiels", "profiles"],
  [{ profiles: [{ fone: "1" }] }, "apps[0].profiles[0].fone", "phone"],
  [{ settings: { passcode: { lenght: 6 } } }, "apps[0].settings.passcode.lenght", "length"],
  [{ connections: [{ userId: NOBODY, nmae: "x", name: "y" }] }, "apps[0].connections[0].nmae", "name"],
])("rejects the unknown field %j with the nearest known name", async (fields, path, nearest) => {
  const refused = await put("merge", world({ appId: "refused", ...fields }));
  expect(refused.status).toBe(422);
  expect(refused.json[path]?.[0]).toContain(`"${nearest}"`);
});

test("rejects duplicate app ids, duplicate secrets and a missing app id, each with its path", async () => {
  const twice = await put("merge", world({ appId: "twin" }, { appId: "twin" }));
  expect([twice.status, Object.keys(twice.json)]).toEqual([422, ["apps[1].appId"]]);
  const shared = await put("merge", world({ appId: "t1", secret: "sk_t" }, { appId: "t2", secret: "sk_t" }));
  expect([shared.status, Object.keys(shared.json)]).toEqual([422, ["apps[1].secret"]]);
  const unnamed = await put("merge", world({}));
  expect(Object.keys(unnamed.json)).toEqual(["apps[0].appId"]);
});

test("rejects a username that a profile outside the import already has", async () => {
  const { appId, profile } = await app();
  const [a, b] = [await profile(), await profile()];
  const refused = await put("merge", world({ appId, profiles: [{ userId: a.userId, phone: b.phone }] }));
  expect([refused.status, refused.json]).toEqual([422, { "apps[0].profiles[0].phone": ["has already been taken"] }]);
});

test("rejects two entries for one stored profile at what they have in common", async () => {
  const { appId, profile } = await app();
  const { userId, phone } = await profile();
  const refusalOf = async (...profiles: object[]) => (await put("merge", world({ appId, profiles }))).json;
  const taken = { "apps[0].profiles[1].phone": ["has already been taken"] };
  expect(await refusalOf({ phone }, { phone })).toEqual(taken);
  expect(await refusalOf({ userId, phone }, { userId: NOBODY, phone })).toEqual(taken);
  const twice = { "apps[0].profiles[1].userId": ["appears twice in this app"] };
  expect(await refusalOf({ userId }, { userId })).toEqual(twice);
});

test.each([
  [{ mode: "upsert", state: world() }, ["mode"]],
  [{ state: world() }, ["mode"]],
  [{ mode: "merge" }, ["state"]],
  [{ mode: "merge", state: null }, ["state"]],
  [{ mode: "merge", state: [] }, ["state"]],
  [{ mode: "merge", state: {} }, ["apps"]],
  [{ mode: "merge", state: { version: 2, apps: [] } }, ["version"]],
  [{ mode: "merge", state: { version: 1, apps: {} } }, ["apps"]],
])("returns 422 for %j", async (body, fields) => {
  const refused = await control("PUT", "/state", body);
  expect([refused.status, Object.keys(refused.json).sort()]).toEqual([422, fields]);
});

test("rejects malformed JSON as everywhere else", async () => {
  expect((await control("PUT", "/state", "{")).status).toBe(400);
  expect((await control("PUT", "/state", "[]")).status).toBe(400);
  expect((await control("PUT", "/state", "{}", { "Content-Type": "text/plain" })).status).toBe(415);
  expect((await control("PUT", "/state", `${'{"a":'.repeat(40)}1${"}".repeat(40)}`)).status).toBe(400);
  const odd = '{"mode":"merge","state":{"version":1,"apps":[{"appId":"p","profiles":[{"metadata":{"__proto__":1}}]}]}}';
  expect(Object.keys((await control("PUT", "/state", odd)).json)).toEqual(["apps[0].profiles[0].metadata"]);
});
