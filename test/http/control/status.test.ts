import { describe, expect, test } from "vitest";
import { caller } from "#test/hosts/client.ts";
import { harness } from "./support.ts";

const at = harness();
const { control, app } = at;
const root = caller(() => at.server.urls.console);

describe("GET status", () => {
  test("returns what the emulator is and where it runs", async () => {
    const { status, json } = await control("GET", "/status");
    expect(status).toBe(200);
    const { admin, auth, console: own } = at.server.urls;
    expect(json).toMatchObject({
      name: "stagedoor",
      version: "0.0.0-test",
      pid: process.pid,
      urls: { admin, auth, console: own, lan: [] },
      dataDir: null,
      durability: "memory",
    });
    expect(json.uptimeSeconds).toBeGreaterThan(0);
    expect(Object.keys(json.counts).sort()).toEqual(["apps", "connections", "passcodes", "profiles", "sessions"]);
  });

  test("has a seq that every change increments and reads do not", async () => {
    const { appId, profile } = await app();
    const before = (await control("GET", "/status")).json.seq;
    await control("GET", `/profiles?appId=${appId}`);
    expect((await control("GET", "/status")).json.seq).toBe(before);
    await profile();
    expect((await control("GET", "/status")).json.seq).toBeGreaterThan(before);
  });

  test("another method returns 405 with Allow, an unknown path 404, both as JSON", async () => {
    const refused = await control("POST", "/status", {});
    expect([refused.status, refused.headers.get("Allow"), refused.reason]).toEqual([
      405,
      "GET, HEAD",
      "method_not_allowed",
    ]);
    const unknown = await control("GET", "/nothing");
    expect(unknown.status).toBe(404);
    expect(Object.keys(unknown.json).sort()).toEqual(["instruction", "message"]);
  });

  test("HEAD responds like GET, and a trailing slash is accepted", async () => {
    const head = await control("HEAD", "/status");
    expect([head.status, head.text]).toEqual([200, ""]);
    expect(head.headers.get("Content-Type")).toMatch(/^application\/json/);
    expect((await control("GET", "/apps/")).json).toEqual((await control("GET", "/apps")).json);
  });
});

describe("/openapi", () => {
  test.each([
    ["admin", "/v1/profiles/{userId}"],
    ["auth", "/v1/users/session"],
    ["emulator", "/emulator/v1/passcodes/latest"],
    ["control", "/emulator/v1/passcodes/latest"],
  ] as const)("%s.json is a document with the real URL", async (name, path) => {
    const { status, headers, json } = await root("GET", `/openapi/${name}.json`);
    expect(status).toBe(200);
    expect(headers.get("Content-Type")).toMatch(/^application\/json/);
    expect(json.openapi).toMatch(/^3\.1/);
    expect(Object.keys(json.paths)).toContain(path);
    const { admin, auth, console: own } = at.server.urls;
    expect(json.servers[0].url).toBe({ admin, auth, emulator: own, control: own }[name]);
    const head = await root("HEAD", `/openapi/${name}.json`);
    expect([head.status, head.text]).toEqual([200, ""]);
  });

  test.each([
    ["appid=demo-app", "appid", /did you mean "appId"/],
    ["bogus=1", "bogus", /is unknown/],
    ["appId=demo-app&appId=demo-mail", "appId", /given once/],
  ])("refuses ?%s, which would describe another app", async (query, field, error) => {
    const { status, json } = await root("GET", `/openapi/auth.json?${query}`);
    expect(status).toBe(422);
    expect(json[field][0]).toMatch(error);
  });

  test("is read-only and has no other documents", async () => {
    const refused = await root("POST", "/openapi/admin.json", {});
    expect([refused.status, refused.headers.get("Allow")]).toEqual([405, "GET, HEAD"]);
    expect((await root("GET", "/openapi/other.json")).status).toBe(404);
    const elsewhere = await at.admin("GET", "/openapi/admin.json");
    expect(elsewhere.status).toBe(404);
    expect(elsewhere.json.instruction).toContain(at.server.urls.console);
  });
});

test("POST stop is refused if the process belongs to another program", async () => {
  expect(await control("POST", "/stop")).toMatchObject({ status: 409, reason: "not_stoppable" });
});
