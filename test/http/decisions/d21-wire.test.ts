/** D21: other shapes of session requests, configured by an app's `wire` settings. */
import { describe, expect, test } from "vitest";
import { expectInvalid, expectRefusal, harness, OTHER_PHONE, PHONE, SESSION, type User, wrong } from "./support.ts";

const { app: newApp, auth, control } = harness();
const EMAIL = "ada@example.com";
/** The shape that must be supported unchanged (D21). */
const OLDER = {
  envelope: "session",
  appIdField: "clientId",
  userField: null,
  signUpStatus: 201,
  authenticateStatus: 201,
};
const post = (body: object) => auth("POST", SESSION, body);
const put = (body: object) => auth("PUT", SESSION, body);
const shaped = (wire: User, more: User = {}) => newApp({ ...more, settings: { wire } });
const profile = async (app: Awaited<ReturnType<typeof newApp>>, userId: string) =>
  (await app.admin("GET", `/v1/profiles/${userId}`)).json;

describe('D21 {"session":{"clientId":"…","phone":"+1…","passcode":"…"}} with 201 and 201', () => {
  test("supports the whole login", async () => {
    const app = await shaped(OLDER);
    const user = { clientId: app.appId, phone: PHONE };
    const signedUp = await post({ session: { ...user, name: "Ada", email: EMAIL } });
    expect(signedUp.status).toBe(201);
    expect(Object.keys(signedUp.json)).toEqual(["id", "expiration", "userId", "token"]);
    expect(await profile(app, signedUp.json.userId)).toMatchObject({ name: "Ada", email: EMAIL, phone: PHONE });
    const sent = await post({ session: user });
    expect([sent.status, sent.text]).toEqual([202, ""]);
    const [{ code }] = await app.passcodes();
    expectRefusal(await put({ session: { ...user, passcode: wrong(code) } }), 401, "passcode_mismatch");
    const again = await put({ session: { ...user, passcode: code, name: "Augusta" } });
    expect(again.status).toBe(201);
    expect(again.json.userId).toBe(signedUp.json.userId);
    expect((await profile(app, again.json.userId)).name).toBe("Augusta");
  });

  test("returns errors under its own field names: username, passcode, id", async () => {
    const app = await shaped(OLDER);
    const clientId = app.appId;
    expectInvalid(await post({ session: { clientId, email: EMAIL } }), "phone");
    expectInvalid(await put({ session: { clientId, phone: PHONE } }), "passcode");
    expectRefusal(await put({ session: { clientId, phone: PHONE, passcode: "1" } }), 401, "unknown_user");
    expectRefusal(await post({ session: { clientId: "nobody", phone: PHONE } }), 401, "unknown_app");
    const none = await post({ session: { phone: PHONE } });
    expect(none.status).toBe(422);
  });

  test("cannot be reached through the default shape", async () => {
    const app = await shaped(OLDER);
    expectRefusal(await app.start({ phone: PHONE }), 401, "unknown_app");
    expect((await app.admin("GET", "/v1/profiles")).json).toEqual([]);
  });

  test("cannot reach an app with the default shape", async () => {
    await shaped(OLDER);
    const app = await newApp();
    expectRefusal(await post({ session: { clientId: app.appId, phone: PHONE } }), 401, "unknown_app");
    expect((await app.start({ phone: PHONE })).status).toBe(200);
  });
});

describe("D21 individual settings", () => {
  test("envelope: the body is nested under a key; null removes the nesting", async () => {
    const app = await shaped({ envelope: "data" });
    const inside = { appId: app.appId, user: { phone: PHONE } };
    expect((await post({ data: inside })).status).toBe(200);
    expectRefusal(await post(inside), 401, "unknown_app");
    await app.patch({ settings: { wire: { envelope: null } } });
    expect((await post(inside)).status).toBe(202);
    expectRefusal(await post({ data: inside, appId: "x" }), 401, "unknown_app");
  });

  test.each([5, "x", null, [], [{}]])("an envelope that is not an object contains no id: %j", async (data) => {
    await shaped({ envelope: "data" });
    expectInvalid(await post({ data }), "appId");
  });

  test("appIdField: renames the app id", async () => {
    const app = await shaped({ appIdField: "clientId" });
    expect((await post({ clientId: app.appId, user: { phone: PHONE } })).status).toBe(200);
    expectRefusal(await app.start({ phone: PHONE }), 401, "unknown_app");
  });

  test("userField: renames the user; with null its fields are next to the app id", async () => {
    const app = await shaped({ userField: "profile" });
    const { appId } = app;
    expect((await post({ appId, profile: { phone: PHONE } })).status).toBe(200);
    expectInvalid(await post({ appId, user: { phone: PHONE } }), "profile");
    await app.patch({ settings: { wire: { userField: null } } });
    expect((await post({ appId, phone: OTHER_PHONE, name: "Ada" })).status).toBe(200);
    expectInvalid(await post({ appId, user: { phone: PHONE } }), "phone");
  });

  test.each([
    ["otp", (otp: string) => ({ user: { phone: PHONE }, otp })],
    ["user.otp", (otp: string) => ({ user: { phone: PHONE, otp } })],
    ["login.code", (code: string) => ({ user: { phone: PHONE }, login: { code } })],
  ] as const)("passcodeField may be a path: %s", async (passcodeField, body) => {
    const app = await shaped({ passcodeField });
    const { appId } = app;
    await post({ appId, user: { phone: PHONE } });
    const code = await app.sentCode({ phone: PHONE });
    const leaf = passcodeField.split(".").at(-1) ?? "";
    expectInvalid(await app.authenticate({ phone: PHONE }, code), leaf);
    expectRefusal(await put({ appId, ...body(wrong(code)) }), 401, "passcode_mismatch");
    const done = await put({ appId, ...body(code) });
    expect(done.status).toBe(200);
    expect((await app.logged(done)).ignoredFields).toEqual([]);
  });

  test.each(["x", 5, null, [], ["1"]])("a passcode path through a non-object returns 422: %j", async (login) => {
    const app = await shaped({ passcodeField: "login.code" });
    expectInvalid(await put({ appId: app.appId, user: { phone: PHONE }, login }), "code");
  });

  test.each([
    [200, 200],
    [201, 200],
    [200, 201],
  ])("signUpStatus %i, authenticateStatus %i", async (signUpStatus, authenticateStatus) => {
    const app = await shaped({ signUpStatus, authenticateStatus });
    expect((await app.start({ phone: PHONE })).status).toBe(signUpStatus);
    const code = await app.sentCode({ phone: PHONE });
    expect((await app.authenticate({ phone: PHONE }, code)).status).toBe(authenticateStatus);
  });

  test.each([
    { signUpStatus: 202 },
    { authenticateStatus: 204 },
    { envelope: "" },
    { envelope: 5 },
    { passcodeField: "a.b.c" },
    { userfield: "x" },
  ])("an invalid setting is rejected: %j", async (wire) => {
    const refused = await control("POST", "/apps", { settings: { wire } });
    expectInvalid(refused, `settings.wire.${Object.keys(wire)[0]}`);
  });
});

describe("D21 app selection", () => {
  test("returns 400 if two apps' own pairs lead to their own ids", async () => {
    const [plain, older] = [await newApp(), await shaped(OLDER)];
    const both = { appId: plain.appId, user: { phone: PHONE }, session: { clientId: older.appId, phone: PHONE } };
    expectRefusal(await post(both), 400, "ambiguous_app");
    expectRefusal(await put(both), 400, "ambiguous_app");
    for (const app of [plain, older]) expect((await app.admin("GET", "/v1/profiles")).json).toEqual([]);
  });

  test("returns 400 if two fields of one body name two apps", async () => {
    const [plain, other] = [await newApp(), await shaped({ appIdField: "clientId" })];
    const body = { appId: plain.appId, clientId: other.appId, user: { phone: PHONE } };
    expectRefusal(await post(body), 400, "ambiguous_app");
  });

  test("accepts the same id in two places", async () => {
    const app = await shaped({ appIdField: "clientId" });
    expect((await post({ appId: app.appId, clientId: app.appId, user: { phone: PHONE } })).status).toBe(200);
  });

  test("uses only an app's own pair: an id in another app's place is ignored", async () => {
    const [plain, older] = [await newApp(), await shaped(OLDER)];
    const body = { appId: plain.appId, user: { phone: PHONE }, session: { clientId: plain.appId, phone: PHONE } };
    expect((await post(body)).status).toBe(200);
    expectRefusal(await post({ appId: older.appId, user: { phone: PHONE } }), 401, "unknown_app");
  });

  test("always reads the default pair: an id there is unknown_app if no app uses it", async () => {
    expectRefusal(await post({ appId: "nobody" }), 401, "unknown_app");
  });

  test("follows a change of shape and a deletion immediately", async () => {
    const app = await newApp();
    const older = { session: { clientId: app.appId, phone: PHONE } };
    expect((await app.start({ phone: PHONE })).status).toBe(200);
    await app.patch({ settings: { wire: OLDER } });
    expectRefusal(await app.start({ phone: PHONE }), 401, "unknown_app");
    expect((await post(older)).status).toBe(202);
    await app.patch({ settings: { wire: null } });
    expect((await app.start({ phone: PHONE })).status).toBe(202);
    await control("DELETE", `/apps/${app.appId}`);
    expectRefusal(await app.start({ phone: PHONE }), 401, "unknown_app");
  });

  test.each(['{"__proto__":{"appId":"demo-app"}}', '{"constructor":{"appId":"demo-app"}}', '{"toString":"x"}'])(
    "reads only own keys: %s",
    async (body) => expectInvalid(await auth("POST", SESSION, body), "appId"),
  );
});
