/** The first minute with one's own app: its first failure is told, and an app like its request is made. */
import { describe, expect, test } from "vitest";
import { firstFailure } from "#contract/control/requests.ts";
import { openEvents } from "#test/http/events/event-stream.ts";
import { freshPhone, harness } from "./support.ts";

const clock = { ms: 0 };
const host = harness({ monotonic: () => clock.ms });
const { control, auth, admin } = host;
const LOGIN = "/v1/users/session";
let made = 0;
const freshId = (): string => `acme-${++made}`;
/** The newest row of auth. */
const newest = async () => (await control("GET", "/requests?listener=auth&limit=1")).json.items[0];

describe("POST apps with `like`", () => {
  const phone = "+12025550188";
  const WRITTEN = [
    ["as specified", (appId: string) => ({ appId, user: { phone } }), "phone", undefined],
    ["by email", (appId: string) => ({ appId, user: { email: "ada@example.com" } }), "email", undefined],
    [
      "with other names",
      (application_id: string) => ({ application_id, profile: { phone, otp: "123456" } }),
      "phone",
      { appIdField: "application_id", userField: "profile", passcodeField: "profile.otp" },
    ],
    [
      "with the user beside, in an envelope",
      (app_id: string) => ({ data: { app_id, phone, code: 123456 } }),
      "phone",
      { envelope: "data", appIdField: "app_id", userField: null, passcodeField: "code" },
    ],
  ] as const;

  test.each(WRITTEN)("makes an app that takes a request %s", async (_how, bodyOf, strategy, wire) => {
    const appId = freshId();
    const body = bodyOf(appId);
    expect((await auth("POST", LOGIN, body)).status).toBe(wire === undefined ? 401 : 422);
    const app = await control("POST", "/apps", { like: (await newest()).id });
    expect(app.status, app.text).toBe(201);
    expect(app.json).toMatchObject({ appId, strategy });
    expect(app.json.settings.wire).toEqual(wire);
    expect((await auth("POST", LOGIN, body)).status).toBe(200);
    expect((await auth("POST", LOGIN, body)).status).toBe(202);
  });

  test("what is given counts, and what is no such request is refused", async () => {
    await auth("POST", LOGIN, { appId: freshId(), user: { phone } });
    const { id: like } = await newest();
    const appId = freshId();
    const given = await control("POST", "/apps", { appId, strategy: "email", name: "Acme", like });
    expect(given.json).toMatchObject({ appId, strategy: "email", name: "Acme" });
    expect((await control("POST", "/apps", { like: "ghost" })).status).toBe(404);
    for (const body of [{ user: { phone } }, { appId: "x" }, []]) {
      await auth("POST", LOGIN, body);
      const refused = await control("POST", "/apps", { like: (await newest()).id });
      expect(refused).toMatchObject({
        status: 422,
        json: { like: [expect.stringContaining("not a session request")] },
      });
    }
    await admin("GET", "/v1/profiles");
    const [row] = (await control("GET", "/requests?listener=admin&limit=1")).json.items;
    expect((await control("POST", "/apps", { like: row.id })).status).toBe(422);
  });
});

test("POST apps with `copyOf` makes an app with the strategy, settings and users of another, apart from it", async () => {
  const [from, appId] = [freshId(), freshId()];
  const profiles = [{ email: "ada@example.com", name: "Ada", testPasscode: "123456", metadata: { plan: "pro" } }];
  const settings = { signUp: "closed" };
  expect((await control("POST", "/apps", { appId: from, strategy: "email", settings, profiles })).status).toBe(201);
  const made = await control("POST", "/apps", { appId, copyOf: from, name: "Copy" });
  expect([made.status, made.json]).toMatchObject([201, { appId, name: "Copy", strategy: "email", settings }]);
  const user = { email: "ada@example.com" };
  expect((await auth("PUT", LOGIN, { appId, user, passcode: "123456" })).status).toBe(200);
  await control("DELETE", `/apps/${from}`);
  expect((await control("GET", `/profiles?appId=${appId}`)).json.items).toMatchObject(profiles);
  expect((await control("POST", "/apps", { copyOf: from })).status).toBe(404);
});

describe("the event failure.first", () => {
  const own = harness({ monotonic: () => clock.ms });
  const { auth, admin, control } = own;
  test("tells the first failure of each kind of an app, with what to do, at most once a second", async () => {
    clock.ms += 1_000;
    const events = await openEvents(own.server.urls.console);
    const known = new Set<string>();
    const told = async () => {
      const isNew = ({ id, type }: { readonly id: string; readonly type: string }): boolean =>
        type === "failure.first" && !known.has(id);
      const { id, item } = await events.next(isNew);
      known.add(id);
      return firstFailure.parse(item);
    };
    const appId = freshId();
    const user = { phone: freshPhone() };
    await auth("POST", LOGIN, { appId, user });
    const first = await told();
    expect(first).toMatchObject({
      method: "POST",
      path: LOGIN,
      status: 401,
      reason: "unknown_app",
      app: appId,
    });
    expect(first.text).toContain(`stagedoor apps create ${appId}`);
    // The same again is not told; what comes within the second is told after it, by app.
    await auth("POST", LOGIN, { appId, user });
    await auth("POST", "/users/session", {});
    await auth("POST", `/api${LOGIN}`, {});
    await auth("POST", LOGIN, { appId: "demo-app", user: { phone: "202 555 0100" } });
    expect(await told()).toMatchObject({ app: null, reason: "unknown_path", path: "/users/session" });
    expect(await told()).toMatchObject({ app: "demo-app", reason: "invalid_fields", more: 0 });
    expect(await told()).toMatchObject({ app: null, path: `/api${LOGIN}`, more: 0 });
    clock.ms += 1_000;
    await auth("POST", "/session", {});
    const path = await told();
    expect(path).toMatchObject({ app: null, reason: "unknown_path", more: 0 });
    expect(path.text).toContain(`Did you mean ${own.server.urls.auth}${LOGIN}?`);
    clock.ms += 1_000;
    // The second and the third mistake of an app have the same reason, and are told as well; the same one is not.
    const [phone, passcode] = ["+12025550100", "123456"];
    await auth("PUT", LOGIN, { appId: "demo-app", user: { phone }, otp: passcode });
    await auth("PUT", LOGIN, { appId: "demo-app", user: { phone }, otp: passcode });
    await auth("PUT", LOGIN, { appId: "demo-app", user: { phone }, pin: passcode });
    await auth("POST", LOGIN, { appId: "demo-app", phone });
    for (const slip of ["as “otp”", "as “pin”", "as “phone”"])
      expect(await told()).toMatchObject({
        app: "demo-app",
        reason: "invalid_fields",
        text: expect.stringContaining(slip),
      });
    clock.ms += 1_000;
    // The nearest app comes first, and no command that makes another.
    await auth("POST", LOGIN, { appId: "demo_app", user });
    expect((await told()).text).toBe("No app “demo_app”. Did you mean “demo-app”?");
    clock.ms += 1_000;
    // What a fault does is nobody's failure.
    const fault = { match: { appId: "demo-app" }, effect: { status: 503 }, times: 1 };
    expect((await control("POST", "/faults", fault)).status).toBe(201);
    expect((await auth("POST", LOGIN, { appId: "demo-app", user })).status).toBe(503);
    await admin("GET", "/v1/profiles", undefined, { Authorization: "Bearer wrong" });
    expect(await told()).toMatchObject({ app: null, reason: "unknown_secret" });
    events.close();
  });
});
