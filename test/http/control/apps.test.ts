import { describe, expect, test } from "vitest";
import { harness, ISO } from "./support.ts";

const { control, auth, as, app } = harness();

describe("POST apps", () => {
  test("generates appId and secret if absent", async () => {
    const made = await control("POST", "/apps", {});
    expect(made.status).toBe(201);
    const { appId, name, secret, strategy, settings, createdAt, counts } = made.json;
    expect(appId).toMatch(/\S/);
    expect(secret.length).toBeGreaterThanOrEqual(16);
    expect(typeof name).toBe("string");
    expect(["phone", "email"]).toContain(strategy);
    expect(settings).toEqual({});
    expect(createdAt).toMatch(ISO);
    expect(counts).toEqual({ profiles: 0, passcodes: 0, sessions: 0, connections: 0 });
    const { adminUrl: _1, authUrl: _2, consoleUrl: _3, profiles, ...item } = made.json;
    expect(profiles).toEqual([]);
    expect((await control("GET", `/apps/${appId}`)).json).toEqual(item);
    expect((await as(secret)("GET", "/v1/profiles")).json).toEqual([]);
  });

  test("an absent body counts as {}", async () => {
    expect((await control("POST", "/apps")).status).toBe(201);
  });

  test("keeps the given values", async () => {
    const given = {
      appId: "shop-1",
      name: "Shop",
      secret: "sk_shop",
      strategy: "email",
      settings: { signUp: "closed" },
    };
    const made = await control("POST", "/apps", given);
    expect(made.json).toMatchObject(given);
    expect((await control("GET", "/apps")).json.items.map((item: { appId: string }) => item.appId)).toContain("shop-1");
  });

  test("returns 422 on a taken appId or secret, and creates nothing", async () => {
    const { total } = (await control("GET", "/apps")).json;
    const both = await control("POST", "/apps", { appId: "demo-app", secret: "sk_local_demo" });
    expect(both.status).toBe(422);
    expect(both.json).toEqual({ appId: ["has already been taken"], secret: ["has already been taken"] });
    expect((await control("GET", "/apps")).json.total).toBe(total);
  });

  test.each([
    [{ strategy: "sms" }, "strategy"],
    [{ appId: "" }, "appId"],
    [{ appId: "with space" }, "appId"],
    [{ secret: "" }, "secret"],
    [{ secret: "line\nbreak" }, "secret"],
    [{ name: 7 }, "name"],
    [{ settings: { passcode: { length: 3 } } }, "settings.passcode.length"],
    [{ settings: { passcode: { length: 11 } } }, "settings.passcode.length"],
    [{ settings: { passcode: { ttlSeconds: 86_401 } } }, "settings.passcode.ttlSeconds"],
    [{ settings: { passcode: { maxAttempts: 0 } } }, "settings.passcode.maxAttempts"],
    [{ settings: { session: { ttlSeconds: 31_536_001 } } }, "settings.session.ttlSeconds"],
    [{ settings: { wire: { signUpStatus: 202 } } }, "settings.wire.signUpStatus"],
    [{ settings: { validation: "loose" } }, "settings.validation"],
    [{ settings: { sessionExtensions: "yes" } }, "settings.sessionExtensions"],
    [{ settings: [] }, "settings"],
  ])("%j returns 422 on %s", async (body, field) => {
    const refused = await control("POST", "/apps", body);
    expect(refused.status).toBe(422);
    expect(Object.keys(refused.json)).toEqual([field]);
    expect(refused.reason).toBe("invalid_fields");
  });
});

describe("PATCH apps", () => {
  test("changes the given fields and merges the settings", async () => {
    const { appId, secret } = await app({ settings: { passcode: { length: 4 }, signUp: "closed" } });
    const changed = await control("PATCH", `/apps/${appId}`, {
      name: "New",
      settings: { passcode: { ttlSeconds: 60 } },
    });
    expect(changed.status).toBe(200);
    expect(changed.json).toMatchObject({
      appId,
      name: "New",
      secret,
      settings: { passcode: { length: 4, ttlSeconds: 60 }, signUp: "closed" },
    });
    expect((await control("GET", `/apps/${appId}`)).json).toEqual(changed.json);
  });

  test("stores null where it is a valid value: wire.userField", async () => {
    const { appId } = await app({ settings: { wire: { userField: null } } });
    expect((await control("GET", `/apps/${appId}`)).json.settings).toEqual({ wire: { userField: null } });
    expect((await auth("POST", "/v1/users/session", { appId, phone: "+13035558888" })).status).toBe(200);
  });

  test("returns 422 on another app's secret, and accepts its own", async () => {
    const { appId, secret } = await app();
    expect((await control("PATCH", `/apps/${appId}`, { secret: "sk_local_demo" })).json).toEqual({
      secret: ["has already been taken"],
    });
    expect((await control("PATCH", `/apps/${appId}`, { secret })).status).toBe(200);
  });

  test("accepts the new secret on admin immediately, and the old one no longer", async () => {
    const { appId, admin } = await app();
    await control("PATCH", `/apps/${appId}`, { secret: "sk_changed" });
    expect((await admin("GET", "/v1/profiles")).status).toBe(401);
    expect((await as("sk_changed")("GET", "/v1/profiles")).status).toBe(200);
  });

  test("returns 409 and lists the usernames if a new strategy makes them collide", async () => {
    const { appId, profile } = await app();
    const [one, two] = [await profile({ email: "Same@example.com" }), await profile({ email: "same@EXAMPLE.com" })];
    const refused = await control("PATCH", `/apps/${appId}`, { strategy: "email" });
    expect(refused.status).toBe(409);
    expect(refused.json.message).toBe("Conflict");
    for (const part of ["same@example.com", one.userId, two.userId]) expect(refused.json.instruction).toContain(part);
    expect((await control("GET", `/apps/${appId}`)).json.strategy).toBe("phone");
    await control("PATCH", `/profiles/${two.userId}?appId=${appId}`, { email: null });
    expect((await control("PATCH", `/apps/${appId}`, { strategy: "email" })).json.strategy).toBe("email");
    const sent = await auth("POST", "/v1/users/session", { appId, user: { email: "SAME@example.com" } });
    expect(sent.status).toBe(202);
  });

  test("returns 404 for an unknown app", async () => {
    for (const [method, path] of [
      ["GET", "/apps/nobody"],
      ["PATCH", "/apps/nobody"],
      ["DELETE", "/apps/nobody"],
      ["POST", "/apps/nobody/secret"],
    ] as const)
      expect((await control(method, path, method === "PATCH" ? {} : undefined)).status).toBe(404);
  });
});

test("POST :appId/secret generates a new secret and invalidates the old one", async () => {
  const { appId, secret, admin } = await app();
  const renewed = await control("POST", `/apps/${appId}/secret`);
  expect(renewed.status).toBe(200);
  expect(renewed.json).toMatchObject({ appId });
  expect(renewed.json.secret).not.toBe(secret);
  expect((await admin("GET", "/v1/profiles")).status).toBe(401);
  expect((await as(renewed.json.secret)("GET", "/v1/profiles")).status).toBe(200);
});

test("DELETE frees the secret and appId, and removes users, tokens and rows of all lists", async () => {
  const { appId, secret, profile, ask } = await app({ secret: "sk_short_lived" });
  const { userId, phone } = await profile();
  await ask(phone);
  await control("POST", "/connections", { appId, userId, name: "Bank" });
  const { token } = (await control("POST", "/sessions", { appId, userId })).json;
  expect((await control("GET", `/apps/${appId}`)).json.counts).toEqual({
    profiles: 1,
    passcodes: 1,
    sessions: 1,
    connections: 1,
  });
  const before = (await control("GET", "/status")).json.counts;

  const gone = await control("DELETE", `/apps/${appId}`);
  expect([gone.status, gone.text]).toEqual([204, ""]);
  expect((await control("GET", "/status")).json.counts).toEqual({
    apps: before.apps - 1,
    profiles: before.profiles - 1,
    passcodes: before.passcodes - 1,
    sessions: before.sessions - 1,
    connections: before.connections - 1,
  });
  expect((await as(secret)("GET", "/v1/profiles")).status).toBe(401);
  expect((await auth("POST", "/v1/users/session", { appId, user: { phone } })).reason).toBe("unknown_app");
  expect((await control("POST", "/sessions/introspect", { token })).json).toMatchObject({ active: false });
  for (const noun of ["profiles", "passcodes", "sessions", "connections"])
    expect((await control("GET", `/${noun}?appId=${appId}`)).status).toBe(404);
  expect((await control("DELETE", `/apps/${appId}`)).status).toBe(404);

  const again = await control("POST", "/apps", { appId, secret });
  expect(again.status).toBe(201);
  expect((await auth("POST", "/v1/users/session", { appId, user: { phone } })).status).toBe(200);
});
