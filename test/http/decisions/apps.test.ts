/** D9: usernames, and isolation between apps. */
import { describe, expect, test } from "vitest";
import { expectInvalid, expectRefusal, harness, OTHER_PHONE, PHONE, SESSION } from "./support.ts";

const { app: newApp, control, auth, as, admin } = harness();
const EMAIL = "ada@example.com";

describe("D9 username", () => {
  test('D9: a taken phone returns 422 {"phone":["has already been taken"]}, on create and on update', async () => {
    const app = await newApp();
    await app.admin("POST", "/v1/profiles", { phone: PHONE });
    const again = await app.admin("POST", "/v1/profiles", { phone: PHONE });
    expect(again.status).toBe(422);
    expect(again.text).toBe('{"phone":["has already been taken"]}');
    const other = await app.admin("POST", "/v1/profiles", { phone: OTHER_PHONE });
    const moved = await app.admin("PUT", `/v1/profiles/${other.json.userId}`, { phone: PHONE });
    expect(moved.status).toBe(422);
    expect(moved.json).toEqual({ phone: ["has already been taken"] });
    expect((await app.admin("GET", `/v1/profiles/${other.json.userId}`)).json.phone).toBe(OTHER_PHONE);
  });

  test("D9: a profile may keep its own username", async () => {
    const app = await newApp();
    const { userId } = (await app.admin("POST", "/v1/profiles", { phone: PHONE })).json;
    expect((await app.admin("PUT", `/v1/profiles/${userId}`, { phone: PHONE })).status).toBe(200);
  });

  test("D9: the other field need not be unique", async () => {
    const byPhone = await newApp();
    for (const phone of [PHONE, OTHER_PHONE])
      expect((await byPhone.admin("POST", "/v1/profiles", { phone, email: EMAIL })).status).toBe(201);
    const byEmail = await newApp({ strategy: "email" });
    for (const email of [EMAIL, "b@example.com"])
      expect((await byEmail.admin("POST", "/v1/profiles", { phone: PHONE, email })).status).toBe(201);
    expect((await byEmail.admin("POST", "/v1/profiles", { email: EMAIL })).json).toEqual({
      email: ["has already been taken"],
    });
  });

  test("D8, D9: emails are compared with ASCII case folding only", async () => {
    const app = await newApp({ strategy: "email" });
    const { userId } = (await app.admin("POST", "/v1/profiles", { email: "Ada@Example.com" })).json;
    expect((await app.admin("POST", "/v1/profiles", { email: "aDA@eXAMPLE.COM" })).json).toEqual({
      email: ["has already been taken"],
    });
    expect((await app.admin("PUT", `/v1/profiles/${userId}`, { email: "ADA@example.com" })).status).toBe(200);
    expect((await app.admin("GET", `/v1/profiles/${userId}`)).json.email).toBe("ADA@example.com");
  });

  test("D9: a username is free again after it was given up or its profile deleted", async () => {
    const app = await newApp();
    const first = (await app.admin("POST", "/v1/profiles", { phone: PHONE })).json.userId;
    await app.admin("PUT", `/v1/profiles/${first}`, { phone: null });
    const second = await app.admin("POST", "/v1/profiles", { phone: PHONE });
    expect(second.status).toBe(201);
    await app.admin("DELETE", `/v1/profiles/${second.json.userId}`);
    expect((await app.admin("PUT", `/v1/profiles/${first}`, { phone: PHONE })).status).toBe(200);
  });

  test("D9: of simultaneous creates with one username exactly one succeeds", async () => {
    const app = await newApp();
    const all = await Promise.all(
      Array.from({ length: 20 }, () => app.admin("POST", "/v1/profiles", { phone: PHONE })),
    );
    expect(all.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(all.filter(({ status }) => status === 422)).toHaveLength(19);
    expect((await app.admin("GET", "/v1/profiles")).json).toHaveLength(1);
  });
});

describe("no request ever sees another app's data", () => {
  test("on admin the secret selects the app", async () => {
    const [a, b] = [await newApp(), await newApp()];
    const made = await a.admin("POST", "/v1/profiles", { phone: PHONE, name: "of a" });
    const path = `/v1/profiles/${made.json.userId}`;
    for (const [method, body] of [["GET"], ["PUT", { name: "of b" }], ["DELETE"]] as const)
      expectRefusal(await b.admin(method, path, body), 404, "unknown_profile");
    expect((await b.admin("GET", "/v1/profiles")).json).toEqual([]);
    expect((await b.admin("POST", "/v1/profiles", { phone: PHONE })).status).toBe(201);
    expect((await a.admin("GET", path)).json.name).toBe("of a");
    expect((await a.admin("GET", "/v1/profiles")).json).toHaveLength(1);
  });

  test("on auth the appId selects the app: one phone is two users, and a code works only in its own app", async () => {
    const [a, b] = [await newApp(), await newApp()];
    const user = { phone: PHONE };
    const [inA, inB] = [await a.start(user), await b.start(user)];
    expect([inA.status, inB.status]).toEqual([200, 200]);
    expect(inA.json.userId).not.toBe(inB.json.userId);
    const code = await a.sentCode(user);
    expectRefusal(await b.authenticate(user, code), 401, "passcode_not_sent");
    expect((await a.authenticate(user, code)).status).toBe(200);
  });

  test("deleting a user leaves a user with the same phone in another app alone", async () => {
    const [a, b] = [await newApp(), await newApp()];
    const inA = await a.start({ phone: PHONE });
    await b.start({ phone: PHONE });
    const code = await b.sentCode({ phone: PHONE });
    await a.admin("DELETE", `/v1/profiles/${inA.json.userId}`);
    expect((await b.authenticate({ phone: PHONE }, code)).status).toBe(200);
  });
});

describe("apps", () => {
  test("appId and secret are unique in the process", async () => {
    const app = await newApp({ secret: "sk_mine" });
    expectInvalid(await control("POST", "/apps", { appId: app.appId }), "appId");
    expectInvalid(await control("POST", "/apps", { secret: "sk_mine" }), "secret");
    expectInvalid(await control("POST", "/apps", { appId: app.appId, secret: "sk_mine" }), "appId", "secret");
    const other = await newApp();
    expectInvalid(await other.patch({ secret: "sk_mine" }), "secret");
    expect((await app.patch({ secret: "sk_mine" })).status).toBe(200);
  });

  test("a new secret replaces the old one immediately", async () => {
    const app = await newApp();
    const renewed = await control("POST", `/apps/${app.appId}/secret`);
    expectRefusal(await app.admin("GET", "/v1/profiles"), 401, "unknown_secret");
    expect((await as(renewed.json.secret)("GET", "/v1/profiles")).status).toBe(200);
  });

  test("a change of strategy that would make usernames collide returns 409 and lists them", async () => {
    const app = await newApp();
    await app.admin("POST", "/v1/profiles", { phone: PHONE, email: EMAIL });
    await app.admin("POST", "/v1/profiles", { phone: OTHER_PHONE, email: "ADA@example.com" });
    await app.admin("POST", "/v1/profiles", { phone: "+12025550144", email: "free@example.com" });
    const refused = await app.patch({ strategy: "email", name: "renamed" });
    expectRefusal(refused, 409);
    expect(refused.json.instruction).toMatch(/ada@example\.com/i);
    expect(refused.json.instruction).not.toContain("free@example.com");
    const { json } = await control("GET", `/apps/${app.appId}`);
    expect(json).toMatchObject({ strategy: "phone", name: app.appId });
    expect((await app.start({ phone: PHONE })).status).toBe(202);
  });

  test("a change of strategy without collisions changes which field is the username", async () => {
    const app = await newApp();
    await app.admin("POST", "/v1/profiles", { phone: PHONE, email: EMAIL });
    await app.admin("POST", "/v1/profiles", { phone: OTHER_PHONE });
    expect((await app.patch({ strategy: "email" })).json.strategy).toBe("email");
    expect((await app.start({ email: EMAIL })).status).toBe(202);
    expectInvalid(await app.start({ phone: PHONE }), "email");
    expect((await app.admin("POST", "/v1/profiles", { phone: PHONE })).status).toBe(201);
    expectRefusal(await app.patch({ strategy: "phone" }), 409);
  });

  test("a deleted app is unknown on both listeners", async () => {
    const app = await newApp();
    await app.start({ phone: PHONE });
    expect((await control("DELETE", `/apps/${app.appId}`)).status).toBe(204);
    expectRefusal(await app.admin("GET", "/v1/profiles"), 401, "unknown_secret");
    expectRefusal(await app.start({ phone: PHONE }), 401, "unknown_app");
  });

  test("the demo has demo-app by phone with a dozen profiles, and demo-mail by email", async () => {
    const list = await admin("GET", "/v1/profiles");
    expect(list.json).toHaveLength(12);
    expect(list.json[0].phone).toBe("+12025550100");
    expect((await as("sk_local_demo_mail")("GET", "/v1/profiles")).status).toBe(200);
    const mail = await auth("POST", SESSION, { appId: "demo-mail", user: { phone: PHONE } });
    expectInvalid(mail, "email");
  });
});
