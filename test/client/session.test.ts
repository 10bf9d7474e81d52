/** `session.start` and `session.authenticate`: a login as an app does it, in the app's wire shape. */
import { describe, expect, test } from "vitest";
import { connect } from "#client/index.ts";
import { DEFAULT_SETTINGS, effectiveSettings } from "#contract/service/effective-settings.ts";
import type { Settings } from "#contract/service/settings.ts";
import { wireBody } from "#contract/service/wire-body.ts";
import { ADA, failure, useServed } from "./support.ts";

const at = useServed();
const NOBODY = "+12025550188";
const appWith = async (settings: Settings = {}, strategy: "phone" | "email" = "phone"): Promise<string> =>
  (await at.client.apps.create({ strategy, settings, profiles: [{ phone: ADA, email: "ada@example.com" }] })).appId;
/** Signs a user in with the code. */
const signIn = async (appId: string, to: string) => {
  const asked = await at.client.session.start({ appId, to });
  const { code } = await at.client.passcodes.latest({ appId, to, requestId: asked.requestId });
  return { asked, code, entered: await at.client.session.authenticate({ appId, to, passcode: code }) };
};
const sentBy = async (id: string): Promise<unknown> =>
  JSON.parse((await at.client.requests.get(id)).request.body ?? "");

describe("session", () => {
  test("a user who exists gets a code by this request, and a session for it", async () => {
    const { asked, entered } = await signIn("demo-app", ADA);
    expect(asked).toEqual({ status: 202, requestId: expect.stringMatching(/^[0-9a-f-]{36}$/) });
    expect(entered).toMatchObject({ status: 200, session: { id: expect.any(String), expiration: expect.any(Number) } });
    expect(entered).not.toHaveProperty("reason");
    const token = entered.session?.token ?? "";
    expect(await at.client.sessions.introspect(token)).toMatchObject({ active: true, sub: entered.session?.userId });
  });

  test("a new user signs up, with the other fields", async () => {
    const { appId } = await at.client.apps.create();
    const outcome = await at.client.session.start({ appId, to: NOBODY, name: "Nobody", email: "no@example.com" });
    expect(outcome.status).toBe(200);
    const profile = await at.client.profiles.get(outcome.session?.userId ?? "");
    expect(profile).toMatchObject({ name: "Nobody", phone: NOBODY, email: "no@example.com" });
  });

  test("an error response is an outcome with its reason, and throws nothing", async () => {
    const { code } = await signIn("demo-app", ADA);
    const { session } = at.client;
    const refused = async (outcome: Promise<object>) => await outcome;
    expect(await refused(session.authenticate({ appId: "demo-app", to: ADA, passcode: code }))).toEqual({
      ...{ status: 401, reason: "passcode_used", requestId: expect.any(String) },
    });
    expect(await session.start({ appId: "ghost", to: ADA })).toMatchObject({ status: 401, reason: "unknown_app" });
    expect(await session.start({ appId: "ghost", to: "ada@example.com" })).toMatchObject({ reason: "unknown_app" });
    expect(await session.start({ appId: "demo-app", to: "12" })).toMatchObject({
      status: 422,
      reason: "invalid_fields",
    });
    const limited = await appWith({ limits: { otpPerMinute: 1 } });
    await session.start({ appId: limited, to: ADA });
    expect(await session.start({ appId: limited, to: ADA })).toMatchObject({ status: 429, reason: "rate_limited" });
    await at.client.faults.add({ match: { to: ADA }, effect: { status: 200, body: "{" }, times: 1 });
    const broken = await session.start({ appId: "demo-app", to: ADA });
    expect(broken).toEqual({ status: 200, reason: "fault_injected", requestId: expect.any(String) });
  });

  test("no response is an error, and so is an option that does not exist", async () => {
    await at.client.faults.add({ match: { to: ADA }, effect: { drop: true }, times: 1 });
    const dropped = await failure(at.client.session.start({ appId: "demo-app", to: ADA }));
    expect(dropped).toMatchObject({ status: 0, reason: "unreachable" });
    const misspelt = { appId: "demo-app", to: ADA, nmae: "Ada" };
    expect(await failure(at.client.session.start(misspelt))).toMatchObject({ fields: { nmae: [expect.any(String)] } });
    const closed = connect(at.client.consoleUrl);
    await closed.close();
    expect(await failure(closed.session.start({ appId: "demo-app", to: ADA }))).toMatchObject({ reason: "closed" });
  });

  test("users of an app by email sign in by email", async () => {
    const appId = await appWith({}, "email");
    const { asked, entered } = await signIn(appId, "ada@example.com");
    expect(await sentBy(asked.requestId)).toEqual({ appId, user: { email: "ada@example.com" } });
    expect(entered.status).toBe(200);
  });

  test.each<NonNullable<Settings["wire"]>>([
    { envelope: "session", appIdField: "clientId", userField: null, signUpStatus: 201, authenticateStatus: 201 },
    { passcodeField: "user.otp" },
    { userField: "account", passcodeField: "proof.code" },
    { envelope: "data", passcodeField: "code" },
  ])("follows the app's shape %j", async (wire) => {
    const appId = await appWith({ wire });
    const { asked, code, entered } = await signIn(appId, ADA);
    const shape = effectiveSettings({ wire }).wire;
    const app = { appId, strategy: "phone" } as const;
    expect(await sentBy(asked.requestId)).toEqual(wireBody(shape, app, ADA));
    expect(await sentBy(entered.requestId)).toEqual(wireBody(shape, app, ADA, code));
    expect(entered).toMatchObject({ status: shape.authenticateStatus, session: { token: expect.any(String) } });
    expect((await at.client.session.start({ appId, to: NOBODY })).status).toBe(shape.signUpStatus);
  });

  test("the default shape is the server's", async () => {
    const { asked } = await signIn("demo-app", ADA);
    const app = { appId: "demo-app", strategy: "phone" } as const;
    expect(await sentBy(asked.requestId)).toEqual(wireBody(DEFAULT_SETTINGS.wire, app, ADA));
  });

  test("a code is waited for no longer than its request can bring one", async () => {
    const waiting = at.client.passcodes.requestedBy(() => at.client.session.start({ appId: "ghost", to: ADA }), {
      ...{ to: ADA, appId: "demo-app", timeoutMs: 600_000 },
    });
    expect(await failure(waiting)).toMatchObject({
      message: expect.stringMatching(/^No passcode arrived for \+12025550100\. .*unknown_app/),
    });
    const start = () => at.client.session.start({ appId: "demo-app", to: ADA });
    const { code } = await at.client.passcodes.requestedBy(start, { to: ADA, appId: "demo-app" });
    expect(code).toMatch(/^\d{6}$/);
  });
});
