import { describe, expect, test } from "vitest";
import { freshPhone, harness, ISO, NOBODY, UUID } from "./support.ts";

const { control, auth, app } = harness();
type Item = { readonly id: string; readonly to: string; readonly status: string };
const list = async (query: string): Promise<{ items: Item[]; total: number }> =>
  (await control("GET", `/passcodes?${query}`)).json;

describe("a passcode", () => {
  test("has the documented fields", async () => {
    const { appId, profile } = await app({ name: "Shop" });
    const { userId, phone } = await profile();
    const sent = await auth("POST", "/v1/users/session", { appId, user: { phone } });
    const { items, total } = (await control("GET", `/passcodes?appId=${appId}`)).json;
    expect(total).toBe(1);
    const [item] = items;
    expect(item).toEqual({
      id: expect.stringMatching(UUID),
      seq: expect.any(Number),
      appId,
      userId,
      channel: "sms",
      to: phone,
      code: expect.stringMatching(/^\d{6}$/),
      message: expect.any(String),
      status: "active",
      delivery: "sent",
      devices: [],
      attempts: 0,
      tried: [],
      requestId: sent.headers.get("Emulator-Request-Id"),
      createdAt: expect.stringMatching(ISO),
      expiresAt: expect.stringMatching(ISO),
    });
    expect(item.message).toContain(item.code);
    expect(Date.parse(item.expiresAt) - Date.parse(item.createdAt)).toBe(600_000);
    expect((await control("GET", `/passcodes/${item.id}`)).json).toEqual(item);
    expect((await control("GET", `/requests/${item.requestId}`)).json.path).toBe("/v1/users/session");
  });

  test("shows its result as status and its attempts", async () => {
    const { appId, profile, ask } = await app({ settings: { passcode: { maxAttempts: 2, fixed: "111111" } } });
    const { phone } = await profile();
    const type = (passcode: string) => auth("PUT", "/v1/users/session", { appId, user: { phone }, passcode });
    const newest = async () => (await list(`appId=${appId}&limit=1`)).items[0];
    await ask(phone);
    await type("222222");
    expect(await newest()).toMatchObject({ status: "active", attempts: 1, tried: ["222222"] });
    await type("333333");
    expect(await newest()).toMatchObject({ status: "exhausted", attempts: 2, tried: ["222222", "333333"] });
    await ask(phone);
    await ask(phone);
    expect((await list(`appId=${appId}`)).items.map(({ status }) => status)).toEqual([
      "active",
      "replaced",
      "exhausted",
    ]);
    expect((await type("111111")).status).toBe(200);
    expect(await newest()).toMatchObject({ status: "used", attempts: 1, tried: ["111111"] });
  });

  test("is sent by email in an email app", async () => {
    const { appId } = await app({ strategy: "email" });
    const { userId } = (await control("POST", "/profiles", { appId, email: "Ann@Example.com" })).json;
    const sent = await control("POST", "/passcodes", { appId, userId });
    expect(sent.json).toMatchObject({ channel: "email", to: "Ann@Example.com" });
    expect((await list("to=ann@example.COM")).total).toBe(1);
  });
});

describe("GET passcodes", () => {
  test("lists newest first, over all apps, filters by app, recipient and status, and limits", async () => {
    const [one, two] = [await app(), await app()];
    const [a, b, c] = [await one.profile(), await one.profile(), await two.profile()];
    for (const { phone } of [a, b, a]) await one.ask(phone);
    await two.ask(c.phone);
    expect((await list(`appId=${one.appId}`)).items.map(({ to }) => to)).toEqual([a.phone, b.phone, a.phone]);
    expect((await list("limit=2")).items.map(({ to }) => to)).toEqual([c.phone, a.phone]);
    expect(await list(`appId=${one.appId}&limit=1`)).toMatchObject({ total: 3, items: [{ to: a.phone }] });
    expect((await list(`to=${encodeURIComponent(a.phone)}`)).total).toBe(2);
    expect((await list(`to=${a.phone}&status=replaced`)).total).toBe(1);
    expect((await list(`to=${a.phone.replace("+", "%20")}&status=active`)).total).toBe(1);
    expect((await control("GET", "/passcodes?appId=none")).status).toBe(404);
    expect((await control("GET", "/passcodes?status=gone")).status).toBe(422);
    expect((await control("GET", "/passcodes?limit=0")).status).toBe(422);
  });
});

describe("POST passcodes", () => {
  test("sends one, as on a client's request, and replaces the older one", async () => {
    const { appId, profile, ask } = await app();
    const { userId, phone } = await profile();
    await ask(phone);
    const { status, json } = await control("POST", "/passcodes", { appId, userId });
    expect(status).toBe(201);
    expect(json).toMatchObject({ appId, userId, to: phone, status: "active", requestId: null });
    expect((await control("GET", `/passcodes/latest?to=${phone}`)).json).toEqual(json);
    expect((await list(`appId=${appId}&status=active`)).total).toBe(1);
    const used = await auth("PUT", "/v1/users/session", { appId, user: { phone }, passcode: json.code });
    expect(used.status).toBe(200);
  });

  test("rejects an unknown user, an unknown app, and a user without a username", async () => {
    const { appId, profile } = await app();
    const { userId } = await profile({ phone: null });
    expect((await control("POST", "/passcodes", { appId, userId })).status).toBe(422);
    expect((await control("POST", "/passcodes", { appId: "none", userId })).status).toBe(404);
    expect((await control("POST", "/passcodes", { appId, userId: NOBODY })).status).toBe(404);
    expect(Object.keys((await control("POST", "/passcodes", {})).json)).toEqual(["userId"]);
    expect((await list(`appId=${appId}`)).total).toBe(0);
  });
});

test("POST :id/expire expires it now, returns 200 with what GET returns, and invalidates it", async () => {
  const { appId, profile, ask } = await app();
  const { phone } = await profile();
  await ask(phone);
  const { id, code } = (await control("GET", `/passcodes/latest?to=${phone}`)).json;
  const expired = await control("POST", `/passcodes/${id}/expire`);
  expect([expired.status, expired.json.status]).toEqual([200, "expired"]);
  expect((await control("GET", `/passcodes/${id}`)).json).toEqual(expired.json);
  const refused = await auth("PUT", "/v1/users/session", { appId, user: { phone }, passcode: code });
  expect([refused.status, refused.reason]).toEqual([401, "passcode_expired"]);
  expect((await control("POST", `/passcodes/${id}/expire`)).status).toBe(200);
  expect((await control("POST", `/passcodes/${NOBODY}/expire`)).status).toBe(404);
});

test("DELETE with appId clears one app, without it all", async () => {
  const [one, two] = [await app(), await app()];
  const [a, b] = [await one.profile(), await two.profile()];
  await one.ask(a.phone);
  await two.ask(b.phone);
  expect((await control("DELETE", `/passcodes?appId=${one.appId}`)).status).toBe(204);
  expect([(await list(`appId=${one.appId}`)).total, (await list(`appId=${two.appId}`)).total]).toEqual([0, 1]);
  const after = await auth("PUT", "/v1/users/session", { appId: one.appId, user: { phone: a.phone }, passcode: "1" });
  expect(after.reason).toBe("passcode_not_sent");
  expect((await control("DELETE", "/passcodes")).status).toBe(204);
  expect((await list("")).total).toBe(0);
});

test("GET lists nothing for a recipient without passcodes", async () => {
  expect(await list(`to=${freshPhone()}`)).toEqual({ items: [], total: 0 });
});
