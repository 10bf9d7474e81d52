/** service.md 4.2; D20, D22, D23, D27, D32. */
import { describe, expect, test } from "vitest";
import { expectInvalid, expectRefusal, harness, OTHER_PHONE, PHONE, raw, SESSION, wrong } from "./support.ts";

const { app: newApp, auth, control, server, clock } = harness();
const EMAIL = "ada@example.com";

describe("D22 POST: sign up or send OTP", () => {
  test("service.md 4.2.1: authenticates a new user immediately with 200 and creates the profile", async () => {
    const app = await newApp();
    const session = await app.start({ phone: PHONE, email: EMAIL, name: "Ada" });
    expect(session.status).toBe(200);
    expect(Object.keys(session.json)).toEqual(["id", "expiration", "userId", "token"]);
    const now = new Date(clock.ms).toISOString();
    expect((await app.admin("GET", `/v1/profiles/${session.json.userId}`)).json).toEqual({
      userId: session.json.userId,
      name: "Ada",
      phone: PHONE,
      email: EMAIL,
      metadata: null,
      createdAt: now,
      updatedAt: now,
    });
    expect(await app.passcodes()).toEqual([]);
  });

  test("service.md 4.2.2, D22: sends an existing user a passcode with 202 and no body", async () => {
    const app = await newApp();
    await app.start({ phone: PHONE });
    const sent = await app.start({ phone: PHONE });
    expect(sent.status).toBe(202);
    expect(sent.text).toBe("");
    expect(sent.headers.get("Content-Type")).toBeNull();
    const [passcode, ...more] = await app.passcodes();
    expect(more).toEqual([]);
    expect(passcode).toMatchObject({ to: PHONE, channel: "sms", status: "active", attempts: 0, delivery: "sent" });
    expect(passcode.requestId).toBe(sent.headers.get("Emulator-Request-Id"));
    expect((await control("GET", `/sessions?appId=${app.appId}`)).json.total).toBe(1);
  });

  test("service.md 4.2: sends the code to the email address in an email app", async () => {
    const app = await newApp({ strategy: "email" });
    expect((await app.start({ email: "Ada@example.com" })).status).toBe(200);
    expect((await app.start({ email: "ADA@EXAMPLE.COM", phone: PHONE })).status).toBe(202);
    expect((await app.passcodes())[0]).toMatchObject({ to: "Ada@example.com", channel: "email" });
  });

  test("D22: recognises the username of a profile created through admin", async () => {
    const app = await newApp();
    await app.admin("POST", "/v1/profiles", { phone: PHONE });
    expect((await app.start({ phone: PHONE })).status).toBe(202);
  });

  test("D22: validates the other fields before a 202, then ignores them", async () => {
    const app = await newApp();
    const { userId } = (await app.start({ phone: PHONE, name: "Ada" })).json;
    expectInvalid(await app.start({ phone: PHONE, email: "x" }), "email");
    expectInvalid(await app.start({ phone: PHONE, name: 7 }), "name");
    expect(await app.passcodes()).toEqual([]);
    expect((await app.start({ phone: PHONE, name: "Eve", email: EMAIL })).status).toBe(202);
    const profile = (await app.admin("GET", `/v1/profiles/${userId}`)).json;
    expect(profile).toMatchObject({ name: "Ada", email: null });
    expect(profile.updatedAt).toBe(profile.createdAt);
  });

  test("D22: of simultaneous sign-ups with one username one creates the profile, the others get 202", async () => {
    const app = await newApp();
    const all = await Promise.all(Array.from({ length: 50 }, () => app.start({ phone: PHONE })));
    expect(all.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(all.filter(({ status }) => status === 202)).toHaveLength(49);
    expect((await app.admin("GET", "/v1/profiles")).json).toHaveLength(1);
    expect((await app.passcodes()).filter(({ status }) => status === "active")).toHaveLength(1);
  });

  test("D26: treats null as absent at sign-up too", async () => {
    const app = await newApp();
    const session = await app.start({ phone: PHONE, email: null, name: null });
    expect(session.status).toBe(200);
    expect((await app.admin("GET", `/v1/profiles/${session.json.userId}`)).json).toMatchObject({
      name: null,
      email: null,
    });
  });
});

describe("D20 body", () => {
  test("service.md 5.2.1, D20: Authorization is ignored", async () => {
    const { appId } = await newApp();
    const body = JSON.stringify({ appId, user: { phone: PHONE } });
    const headers = ["Content-Type", "application/json", "Authorization", "Bearer no", "Authorization", "Basic x"];
    expect((await raw(server().urls.auth + SESSION, { headers, body })).status).toBe(200);
  });

  test("D20: app, user and passcode are checked in this order", async () => {
    const app = await newApp();
    await app.start({ phone: PHONE });
    const put = (body: object) => auth("PUT", SESSION, body);
    expectRefusal(await put({ appId: "nobody", user: 5 }), 401, "unknown_app");
    expectInvalid(await put({ user: 5 }), "appId");
    expectInvalid(await put({ appId: app.appId, user: 5 }), "user");
    expectInvalid(await put({ appId: app.appId, user: { phone: "x" } }), "phone");
    expectInvalid(await put({ appId: app.appId, user: { phone: PHONE } }), "passcode");
    expectRefusal(await put({ appId: app.appId, user: { phone: PHONE }, passcode: "0" }), 401, "passcode_not_sent");
  });

  test("D20: POST ignores passcode", async () => {
    const app = await newApp();
    expect((await app.start({ phone: PHONE }, { passcode: { wrong: "kind" } })).status).toBe(200);
    const code = await app.sentCode({ phone: PHONE });
    expect((await app.start({ phone: PHONE }, { passcode: code })).status).toBe(202);
    expect((await app.passcodes()).map(({ attempts }) => attempts)).toEqual([0, 0]);
  });

  test("unknown fields are ignored", async () => {
    const app = await newApp();
    const reply = await app.start({ phone: PHONE, metadata: { a: 1 }, userId: "x" }, { device: "y" });
    expect(reply.status).toBe(200);
    expect((await app.admin("GET", `/v1/profiles/${reply.json.userId}`)).json.metadata).toBeNull();
    expect((await app.logged(reply)).ignoredFields.toSorted()).toEqual(["device", "user.metadata", "user.userId"]);
  });

  test("unknown fields are logged for every step: a sent code, a wrong one, a login", async () => {
    const app = await newApp();
    const user = { phone: PHONE, shoe_size: 40 };
    await app.start(user);
    const sent = await app.start(user, { device: "y" });
    const code = (await app.passcodes())[0]?.code ?? "";
    const wrongly = await app.authenticate(user, wrong(code), { device: "y" });
    const done = await app.authenticate(user, code, { device: "y" });
    expect([sent.status, wrongly.status, done.status]).toEqual([202, 401, 200]);
    for (const reply of [sent, wrongly, done])
      expect((await app.logged(reply)).ignoredFields.toSorted()).toEqual(["device", "user.shoe_size"]);
  });
});

describe("D23 username missing", () => {
  test.each([
    ["phone", { email: EMAIL, name: "Ada" }],
    ["email", { phone: PHONE, name: "Ada" }],
  ])("D23: returns 422 on %s; the other strategy's field is not enough", async (strategy, user) => {
    const app = await newApp({ strategy });
    expectInvalid(await app.start(user), strategy);
    expectInvalid(await app.authenticate(user, "123456"), strategy);
    expectInvalid(await app.start({ ...user, [strategy]: null }), strategy);
    expectInvalid(await app.start({}), strategy);
    expect((await app.admin("GET", "/v1/profiles")).json).toEqual([]);
  });

  test.each([undefined, null, "x", 5, true, [], [{ phone: PHONE }]])(
    "D23: returns 422 on user if it is absent or not an object: %j",
    async (user) => {
      const app = await newApp();
      expectInvalid(await app.start(user), "user");
      expectInvalid(await app.authenticate(user, "123456"), "user");
    },
  );

  test.each([5, {}, "", "202", "+1 202"])("D7: returns 422 on an invalid username: %j", async (phone) => {
    const app = await newApp();
    expectInvalid(await app.start({ phone }), "phone");
  });

  test("reports all errors of the user at once", async () => {
    const app = await newApp();
    expectInvalid(await app.start({ phone: "x", email: "x", name: 1 }), "phone", "email", "name");
    expectInvalid(await app.start({ email: "x" }), "phone", "email");
  });
});

describe("D27 appId", () => {
  test("D27: an unknown one returns 401 unknown_app, whatever else is wrong", async () => {
    for (const method of ["POST", "PUT"]) {
      expectRefusal(await auth(method, SESSION, { appId: "nobody", user: { phone: PHONE } }), 401, "unknown_app");
      expectRefusal(await auth(method, SESSION, { appId: "__proto__" }), 401, "unknown_app");
    }
  });

  test("the response names it, but repeats no secret", async () => {
    const { secret } = await newApp();
    for (const [appId, named] of [
      ["nobody", 'No app "nobody".'],
      [` ${secret}`, "No app has this id."],
      [`eyJ${"x".repeat(62)}`, "No app has this id."],
    ]) {
      const answer = await auth("POST", SESSION, { appId, user: { phone: PHONE } });
      expect([answer.status, answer.json.instruction]).toEqual([
        401,
        `${named} Send the id of an existing app, or create this one in Stagedoor.`,
      ]);
    }
  });

  test.each([{}, { appId: null }, { user: { phone: PHONE } }, { appID: "demo-app" }, undefined])(
    "D27: a missing one returns 422: %j",
    async (body) => {
      for (const method of ["POST", "PUT"]) expectInvalid(await auth(method, SESSION, body), "appId");
    },
  );

  test.each([5, true, {}, ["demo-app"]])("one that is not a string returns 422: %j", async (appId) => {
    expectInvalid(await auth("POST", SESSION, { appId, user: { phone: PHONE } }), "appId");
  });
});

describe("D32 sign-ups closed", () => {
  test('D32: with signUp "closed" POST returns 403 for an unknown username and 202 for a known one; "open" reopens', async () => {
    const app = await newApp({ settings: { signUp: "closed" } });
    await app.admin("POST", "/v1/profiles", { phone: PHONE });
    expectRefusal(await app.start({ phone: OTHER_PHONE }), 403, "sign_up_closed");
    expectInvalid(await app.start({ phone: "x" }), "phone");
    expect((await app.admin("GET", "/v1/profiles")).json).toHaveLength(1);
    const code = await app.sentCode({ phone: PHONE });
    expect((await app.authenticate({ phone: PHONE }, code)).status).toBe(200);
    await app.patch({ settings: { signUp: "open" } });
    expect((await app.start({ phone: OTHER_PHONE })).status).toBe(200);
  });
});
