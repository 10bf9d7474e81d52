/** A test's app takes one call, in any language: its users, where it is, who is signed in. */
import { describe, expect, test } from "vitest";
import { freshPhone, harness, UUID } from "./support.ts";

const at = harness();
const { control, app, auth } = at;

describe("POST apps with profiles", () => {
  test("makes app and users in one transaction, and says where it is", async () => {
    const profiles = [
      { name: "Ada", phone: "+12025550100", testPasscode: "123456" },
      { phone: "+12025550101", signedIn: true, scenario: "locked" },
    ];
    const before = (await control("GET", "/status")).json.seq;
    const { status, json } = await control("POST", "/apps", { profiles, ttlSeconds: 600 });
    const { admin, auth: authUrl, console: consoleUrl } = at.server.urls;
    expect(status).toBe(201);
    expect(json).toMatchObject({ adminUrl: admin, authUrl, consoleUrl, counts: { profiles: 2, sessions: 1 } });
    expect(json.lease.ttlSeconds).toBe(600);
    expect(json.profiles).toEqual([
      { userId: expect.stringMatching(UUID), name: "Ada", phone: "+12025550100", email: null },
      { userId: expect.stringMatching(UUID), name: null, phone: "+12025550101", email: null },
    ]);
    const { items } = (await control("GET", `/timeline?appId=${json.appId}`)).json;
    expect(items.filter(({ seq }: { seq: number }) => seq > before)).toHaveLength(1);
    const user = { phone: "+12025550100" };
    const { appId } = json;
    expect((await auth("PUT", "/v1/users/session", { appId, user, passcode: "123456" })).status).toBe(200);
    expect((await control("GET", `/faults?appId=${appId}`)).json.total).toBe(1);
  });

  test("makes nothing if one of them is wrong, and names it", async () => {
    const appId = `shop-${freshPhone().slice(-6)}`;
    const { status, json } = await control("POST", "/apps", {
      appId,
      profiles: [{ phone: "+12025550100" }, { phone: "12" }],
    });
    expect([status, Object.keys(json)]).toEqual([422, ["profiles[1].phone"]]);
    expect((await control("GET", `/apps/${appId}`)).status).toBe(404);
    expect((await control("POST", "/apps", { profiles: {} })).json).toEqual({ profiles: ["must be an array"] });
  });

  test("takes settings, by path as well", async () => {
    const { json } = await control("POST", "/apps", {
      strategy: "email",
      settings: { "passcode.length": 4 },
      profiles: [{ email: "ada@example.com" }],
    });
    expect(json).toMatchObject({
      strategy: "email",
      settings: { passcode: { length: 4 } },
      profiles: [{ phone: null }],
    });
  });
});

describe("POST sessions by `to`", () => {
  test("signs a user in by username, in the only app that has it", async () => {
    const { appId, profile } = await app();
    const { phone, userId } = await profile();
    const { status, json } = await control("POST", "/sessions", { to: `${phone.slice(0, 5)} ${phone.slice(5)}` });
    expect([status, json.appId, json.userId]).toEqual([201, appId, userId]);
    expect(json.token).toMatch(/^ey/);
  });

  test("of nobody is 404, and with create makes the user", async () => {
    const { appId } = await app({ strategy: "email" });
    const to = "grace@example.com";
    const none = await control("POST", "/sessions", { appId, to });
    expect([none.status, none.reason]).toEqual([404, "unknown_profile"]);
    expect(none.json.instruction).toBe(`${appId} has no user "${to}". Add "create": true to make one.`);
    const made = await control("POST", "/sessions", { appId, to, create: true, ttlSeconds: 60 });
    expect(made.status).toBe(201);
    expect((await control("POST", "/sessions", { appId, to, create: true })).json.userId).toBe(made.json.userId);
    expect((await control("GET", `/profiles?appId=${appId}`)).json.items).toMatchObject([{ email: to }]);
  });

  test("rejects what cannot be a username, both, and neither", async () => {
    const { appId } = await app();
    const wrong = [
      [{ to: "12", create: true }, "to"],
      [{}, "userId"],
      [{ to: "+12025550100", userId: "3f0c2f4e-8a51-4a86-9d0e-2b7f7d1c0a01" }, "userId"],
    ] as const;
    for (const [body, field] of wrong)
      expect(Object.keys((await control("POST", "/sessions", { appId, ...body })).json)).toEqual([field]);
  });
});

describe("appId in the query or in the body", () => {
  test.each(["query", "body"])("%s: clock, faults, sessions, profiles, mark", async (place) => {
    const { appId, profile } = await app();
    const { phone } = await profile();
    const call = async (method: string, path: string, body: object) =>
      place === "query"
        ? await control(method, `${path}?appId=${appId}`, body)
        : await control(method, path, { ...body, appId });
    expect((await call("POST", "/clock/advance", { seconds: 60 })).json.offsetSeconds).toBe(60);
    expect((await control("GET", "/clock")).json.offsetSeconds).toBe(0);
    expect((await call("POST", "/faults", { effect: { status: 503 } })).json.match).toEqual({ appId });
    expect((await call("POST", "/sessions", { to: phone })).json.appId).toBe(appId);
    expect((await call("POST", "/profiles", { phone: freshPhone() })).json.appId).toBe(appId);
    expect((await call("POST", "/mark", {})).status).toBe(200);
    expect((await call("DELETE", "/state", {})).status).toBe(204);
  });

  test("two different ones are 422", async () => {
    const { appId } = await app();
    const { status, json } = await control("POST", `/sessions?appId=${appId}`, {
      appId: "demo-app",
      to: "+12025550100",
    });
    expect([status, Object.keys(json)]).toEqual([422, ["appId"]]);
  });

  test("where there is no place for it, the error says where it belongs", async () => {
    const { appId, profile, ask } = await app();
    const { phone } = await profile();
    await ask(phone);
    const { id } = (await control("GET", `/passcodes/latest?appId=${appId}&to=${phone}`)).json;
    const said = async (path: string) => (await control("POST", path)).json;
    expect(await said(`/passcodes/${id}/expire?appId=${appId}`)).toEqual({
      appId: ["does not belong here: the id in the path says which app it is"],
    });
    expect(await said(`/signing-keys/rotate?appId=${appId}`)).toEqual({
      appId: ["does not belong here: this call is about all apps"],
    });
  });
});
