/** A wait for a passcode says why none came, and at once where the outcome is final. */
import { describe, expect, test } from "vitest";
import { freshPhone, harness, NOBODY } from "#test/http/control/support.ts";

const { control, auth, app } = harness();
/** A wait that must not be waited for. */
const LONG = "60s";
const latest = (query: Readonly<Record<string, string>>) =>
  control("GET", `/passcodes/latest?${new URLSearchParams(query)}`);
/** An app, a user of it, and the id of each request for a code. */
const user = async (input = {}) => {
  const made = await app(input);
  const { phone, userId } = await made.profile();
  const post = async (to = phone, appId = made.appId) => {
    const answer = await auth("POST", "/v1/users/session", { appId, user: { phone: to } });
    return answer.headers.get("Emulator-Request-Id") ?? "";
  };
  return { ...made, phone, userId, post };
};

describe("with the requestId of a request that sent no code, the reason comes at once", () => {
  test("a sign-up", async () => {
    const { appId, post } = await user();
    const to = freshPhone();
    const requestId = await post(to);
    const { status, json, reason } = await latest({ appId, to, requestId, wait: LONG });
    expect([status, reason]).toEqual([404, "no_passcode"]);
    expect(json).toEqual({
      message: "Not Found",
      instruction: "POST /v1/users/session returned 200: a username without a profile signs up and gets no passcode.",
      reason: "signed_up",
      request: {
        ...{ id: requestId, method: "POST", path: "/v1/users/session", status: 200, reason: null },
        at: expect.any(String),
      },
    });
  });

  test("an unknown app, a rejection, and a rate limit", async () => {
    const { appId, phone, post } = await user({ settings: { limits: { otpPerMinute: 1 } } });
    const ghost = await post(phone, "ghost");
    expect((await latest({ requestId: ghost, wait: LONG })).json).toMatchObject({
      ...{ reason: "unknown_app", request: { id: ghost, status: 401 } },
      instruction: expect.stringContaining("401 (unknown_app)"),
    });
    const malformed = await post("12");
    expect((await latest({ appId, requestId: malformed, wait: LONG })).json.reason).toBe("invalid_fields");
    await post();
    const throttled = await post();
    expect((await latest({ appId, to: phone, requestId: throttled, wait: LONG })).json).toMatchObject({
      reason: "rate_limited",
    });
  });

  test("a code that a fault keeps from arriving, and one that is used, replaced or expired", async () => {
    const { appId, phone, post } = await user();
    await control("POST", "/faults", { match: { appId }, effect: { undelivered: true }, times: 1 });
    const why = async (requestId: string) => (await latest({ appId, requestId, wait: LONG })).json.reason;
    expect(await why(await post())).toBe("undelivered");
    const first = await post();
    const second = await post();
    expect(await why(first)).toBe("replaced");
    const { id, code } = (await latest({ appId, requestId: second })).json;
    await auth("PUT", "/v1/users/session", { appId, user: { phone }, passcode: code });
    expect(await why(second)).toBe("used");
    const third = await post();
    await control("POST", `/passcodes/${(await latest({ appId, requestId: third })).json.id}/expire`);
    expect(await why(third)).toBe("expired");
    expect((await latest({ appId, requestId: second, status: "used", wait: LONG })).json.id).toBe(id);
  });

  test("an empty one is 422, an unknown one, or one of another app, 404", async () => {
    const { appId } = await user();
    const other = await user();
    expect((await latest({ requestId: "", wait: LONG })).json).toEqual({ requestId: [expect.any(String)] });
    expect((await latest({ requestId: NOBODY, wait: LONG })).json.instruction).toBe(`No request "${NOBODY}"`);
    expect((await latest({ appId, requestId: await other.post(), wait: LONG })).reason).toBe("unknown_record");
  });
});

describe("without requestId, after the wait", () => {
  const reasonOf = async (query: Readonly<Record<string, string>>) => (await latest(query)).json;

  test("the newest request of the user, or what became of the code", async () => {
    const { appId, phone, post } = await user();
    expect(await reasonOf({ appId, to: phone })).toMatchObject({ reason: "no_request" });
    const to = freshPhone();
    const signedUp = await post(to);
    expect(await reasonOf({ appId, to, wait: "5ms" })).toMatchObject({
      reason: "signed_up",
      request: { id: signedUp },
    });
    const requestId = await post();
    const { code } = (await latest({ appId, to: phone })).json;
    await auth("PUT", "/v1/users/session", { appId, user: { phone }, passcode: code });
    expect(await reasonOf({ appId, to: phone })).toMatchObject({ reason: "used", request: { id: requestId } });
  });

  test("a code in another app, or for another recipient", async () => {
    const [one, two] = [await user(), await user()];
    await two.post();
    expect(await reasonOf({ appId: one.appId, to: two.phone })).toMatchObject({
      reason: "sent_by_another_app",
      instruction: expect.stringContaining(two.appId),
    });
    await control("POST", "/passcodes", { appId: one.appId, userId: one.userId });
    expect(await reasonOf({ appId: one.appId, to: freshPhone() })).toMatchObject({
      reason: "sent_to_another",
      instruction: `Passcodes arrived for ${one.phone} (${one.appId}) instead.`,
    });
  });

  test("a recipient that the app cannot send to is 422 at once", async () => {
    const { appId } = await app({ strategy: "email" });
    expect((await latest({ appId, to: "+12025550100", wait: LONG })).json).toEqual({
      to: [`must be an email address, not "+12025550100": ${appId} sends codes by email`],
    });
  });

  test("an app that is deleted during the wait ends it", async () => {
    const { appId, phone } = await user();
    const waiting = latest({ appId, to: phone, wait: LONG });
    await control("DELETE", `/apps/${appId}`);
    expect(await waiting).toMatchObject({ status: 404, reason: "unknown_record" });
  });
});

describe("unread=1", () => {
  test("gives each code to one reader, and the next one to the reader that waits", async () => {
    const { appId, phone, post } = await user();
    const read = () => latest({ appId, to: phone, unread: "1", wait: LONG });
    const readers = [read(), read()];
    const sent = [await post(), await post()];
    const got = await Promise.all(readers);
    expect(new Set(got.map(({ json }) => json.requestId))).toEqual(new Set(sent));
    expect((await latest({ appId, to: phone })).json.requestId).toBe(sent[1]);
    expect((await latest({ appId, to: phone, unread: "1" })).json.reason).toBe("read");
  });

  test("needs appId and to", async () => {
    const { appId, phone } = await user();
    for (const query of [{ appId }, { to: phone }])
      expect((await latest({ ...query, unread: "1" })).json).toEqual({ unread: [expect.any(String)] });
  });
});

describe("wait", () => {
  test.each(["0", "1ms", "0s", "5"])("takes %j", async (wait) => {
    expect((await latest({ to: freshPhone(), wait })).status).toBe(404);
  });

  test.each(["61s", "60001", "1m", "-1", "1.5s", "s", ""])("rejects %j", async (wait) => {
    expect((await latest({ wait })).json).toEqual({ wait: [expect.any(String)] });
  });

  test("of 10s is ten seconds: a code that comes later ends it", async () => {
    const { appId, phone, post } = await user();
    const waiting = latest({ appId, to: phone, wait: "10s" });
    await post();
    expect((await waiting).status).toBe(200);
  });
});
