/** `signInAs`: a session without a passcode, for a user who is created if necessary. */
import { describe, expect, expectTypeOf, test } from "vitest";
import { ADA, failure, useServed } from "./support.ts";

const at = useServed();

describe("signInAs", () => {
  test("signs in an existing user; the token is active and belongs to that user", async () => {
    const { userId, session, token } = await at.client.signInAs({ appId: "demo-app", phone: ADA });
    const ada = (await at.client.profiles.list({ appId: "demo-app", q: ADA })).items[0];
    expect(userId).toBe(ada?.userId);
    expect(session).toMatchObject({ appId: "demo-app", userId, state: "active" });
    expect(session).not.toHaveProperty("token");
    expect(await at.client.sessions.introspect(token)).toMatchObject({ active: true, sub: userId, jti: session.id });
  });

  test("without an app id uses the only app that has the user, and refuses to guess between several", async () => {
    expect((await at.client.signInAs({ phone: ADA })).session.appId).toBe("demo-app");
    const { appId } = await at.client.apps.create();
    await at.client.profiles.create({ appId, phone: ADA });
    expect(await failure(at.client.signInAs({ phone: ADA }))).toMatchObject({
      ...{ status: 422, reason: "invalid_fields" },
      fields: { appId: [expect.stringContaining(appId)] },
    });
    expect(await failure(at.client.signInAs({ phone: "+12025550177" }))).toMatchObject({ status: 422 });
    expect(await failure(at.client.signInAs({ appId: "ghost", phone: ADA }))).toMatchObject({ status: 404 });
  });

  test("creates a missing user, stores the given fields, and keeps the others", async () => {
    const { appId } = await at.client.apps.create({ strategy: "email" });
    const first = await at.client.signInAs({ appId, email: "ada@example.com", name: "Ada", metadata: { plan: "pro" } });
    const again = await at.client.signInAs({ appId, email: "ADA@example.com", phone: ADA, ttlSeconds: 60 });
    expect(again.userId).toBe(first.userId);
    expect(await at.client.profiles.get(first.userId, { appId })).toMatchObject({
      ...{ name: "Ada", email: "ADA@example.com", phone: ADA, metadata: { plan: "pro" } },
    });
    const ms = Date.parse(again.session.expiresAt) - Date.parse(again.session.createdAt);
    // A lifetime begins with the whole second.
    expect(Math.ceil(ms / 1_000)).toBe(60);
    expect((await at.client.profiles.list({ appId })).total).toBe(1);
  });

  test("creates one user for twenty at once by the field that is not the username", async () => {
    for (const [strategy, contact] of [
      ["phone", { email: "many@example.com" }],
      ["email", { phone: "+12025550133" }],
    ] as const) {
      const { appId } = await at.client.apps.create({ strategy });
      const made = await Promise.all(Array.from({ length: 20 }, () => at.client.signInAs({ appId, ...contact })));
      expect(new Set(made.map(({ userId }) => userId)).size).toBe(1);
      expect((await at.client.profiles.list({ appId })).total).toBe(1);
    }
  });

  test("creates one user for twenty concurrent calls", async () => {
    const { appId } = await at.client.apps.create();
    const all = await Promise.all(Array.from({ length: 20 }, () => at.client.signInAs({ appId, phone: ADA })));
    expect(new Set(all.map(({ userId }) => userId)).size).toBe(1);
    expect(new Set(all.map(({ token }) => token)).size).toBe(20);
  });

  test("rejects a call without a username, and one with an unknown key", async () => {
    expect(await failure(at.client.signInAs({ appId: "demo-app" }))).toMatchObject({
      ...{ status: 422, fields: { phone: [expect.any(String)] } },
    });
    const misspelt = { appId: "demo-app", phone: "+12025550178", nmae: "Ada" };
    expect(await failure(at.client.signInAs(misspelt))).toMatchObject({
      fields: { nmae: [expect.stringContaining("name")] },
    });
    expect((await at.client.profiles.list({ appId: "demo-app", q: "+12025550178" })).total).toBe(0);
  });
});

test("a profile created with a phone has a phone, by its type too", async () => {
  const { appId } = await at.client.apps.create();
  const profile = await at.client.profiles.create({ appId, phone: ADA });
  expectTypeOf(profile.phone).toEqualTypeOf<string>();
  expectTypeOf(profile.email).toEqualTypeOf<string | null>();
  expect(profile.phone.startsWith("+1")).toBe(true);
});
