/** service.md 2.1.2 to 2.1.4, 4.1; D2, D3, D11. */
import { describe, expect, test } from "vitest";
import { expectInvalid, harness, OTHER_PHONE, PHONE, type User } from "./support.ts";

const { app: newApp, clock } = harness();

const profile = async (body: User, app?: User) => {
  const made = await newApp(app);
  const created = await made.admin("POST", "/v1/profiles", body);
  expect(created.status, created.text).toBe(201);
  const path = `/v1/profiles/${created.json.userId}`;
  return {
    app: made,
    created: created.json,
    put: (change?: unknown) => made.admin("PUT", path, change),
    read: async () => (await made.admin("GET", path)).json,
  };
};
const FULL = { name: "Ada", phone: PHONE, email: "ada@example.com", metadata: { plan: "pro", nested: { a: 1, b: 2 } } };

describe("D2 update", () => {
  test("D2: PUT changes only the fields present", async () => {
    const { put, read } = await profile(FULL);
    const changed = await put({ name: "Augusta" });
    expect(changed.status).toBe(200);
    expect(changed.json).toMatchObject({ ...FULL, name: "Augusta" });
    expect(await read()).toMatchObject({ ...FULL, name: "Augusta" });
  });

  test.each(["name", "phone", "email", "metadata"] as const)(
    "D2: an explicit null clears %s and nothing else",
    async (field) => {
      const { put, read } = await profile(FULL);
      const changed = await put({ [field]: null });
      expect(changed.status).toBe(200);
      expect(changed.json).toMatchObject({ ...FULL, [field]: null });
      expect(await read()).toMatchObject({ ...FULL, [field]: null });
    },
  );

  test.each([
    ["{}", {}],
    ["without a body", undefined],
    ["to the same name", { name: "Ada" }],
  ])("D2: updatedAt moves even if nothing changes: %s", async (_, body) => {
    const { put, read, created } = await profile(FULL);
    clock.advance(1.5);
    const changed = await put(body);
    const { userId, ...rest } = created;
    const updatedAt = new Date(clock.ms).toISOString();
    expect(changed.status).toBe(200);
    expect(changed.json).toEqual({ id: userId, ...rest, updatedAt });
    expect(await read()).toEqual({ ...created, updatedAt });
    expect(updatedAt > created.updatedAt).toBe(true);
  });

  test("D2: createdAt and the id stay", async () => {
    const { put, read, created } = await profile(FULL);
    clock.advance(60);
    await put({ name: "B", metadata: { x: 1 } });
    expect(await read()).toMatchObject({ userId: created.userId, createdAt: created.createdAt });
  });

  test("D2: a rejected update changes nothing, not even updatedAt", async () => {
    const { put, read, created } = await profile(FULL);
    clock.advance(1);
    expectInvalid(await put({ name: "B", phone: "x", metadata: { a: 1 } }), "phone");
    expectInvalid(await put({ name: "B", metadata: 5 }), "metadata");
    expect(await read()).toEqual(created);
  });

  test.each([
    ["name", 5],
    ["phone", "202"],
    ["email", "ada"],
    ["metadata", "x"],
  ])("D2: validates like create: %s", async (field, value) => {
    const { put } = await profile(FULL);
    expectInvalid(await put({ [field]: value }), field);
  });
});

describe("D3 metadata merge", () => {
  test("service.md 2.1.2: keeps stored keys that are absent from the request and adds new ones", async () => {
    const { put, read } = await profile({ metadata: { plan: "pro", seats: 3 } });
    expect((await put({ metadata: { seats: 4, beta: true } })).json.metadata).toEqual({
      plan: "pro",
      seats: 4,
      beta: true,
    });
    expect((await read()).metadata).toEqual({ plan: "pro", seats: 4, beta: true });
  });

  test("D3: replaces a nested object as a whole", async () => {
    const { put } = await profile({ metadata: { nested: { a: 1, b: 2 }, list: [1, 2] } });
    const { metadata } = (await put({ metadata: { nested: { b: 3 }, list: [9] } })).json;
    expect(metadata).toEqual({ nested: { b: 3 }, list: [9] });
  });

  test("D3: happens after key conversion", async () => {
    const { put } = await profile({ metadata: { favorite_color: "red", other_key: 1 } });
    expect((await put({ metadata: { favorite_color: "blue" } })).json.metadata).toEqual({
      favoriteColor: "blue",
      otherKey: 1,
    });
    expect((await put({ metadata: { favoriteColor: "green" } })).json.metadata).toEqual({
      favoriteColor: "green",
      otherKey: 1,
    });
  });

  test("D3: stores null for a key that is set to null", async () => {
    const { put, read } = await profile({ metadata: { plan: "pro", seats: 3 } });
    expect((await put({ metadata: { plan: null } })).json.metadata).toEqual({ plan: null, seats: 3 });
    expect((await read()).metadata).toEqual({ plan: null, seats: 3 });
  });

  test("D3: {} changes no key; without stored metadata it creates an empty object", async () => {
    const { put } = await profile({ metadata: { plan: "pro" } });
    expect((await put({ metadata: {} })).json.metadata).toEqual({ plan: "pro" });
    await put({ metadata: null });
    expect((await put({ metadata: {} })).json.metadata).toEqual({});
  });

  test("D2, D3: metadata null clears everything; later keys start from nothing", async () => {
    const { put } = await profile({ metadata: { plan: "pro" } });
    expect((await put({ metadata: null })).json.metadata).toBeNull();
    expect((await put({ metadata: { seats: 1 } })).json.metadata).toEqual({ seats: 1 });
  });
});

describe("D11 update answer", () => {
  test("service.md 2.1.3: has id instead of userId", async () => {
    const { put, created } = await profile({});
    const changed = await put({ name: "Ada" });
    expect(changed.json.id).toBe(created.userId);
    expect(changed.json).not.toHaveProperty("userId");
    expect(Object.keys(changed.json)[0]).toBe("id");
  });

  test("service.md 2.1.4, D11: has phone null when the request carried one, although it is stored", async () => {
    const { put, read } = await profile({ phone: PHONE });
    expect((await put({ phone: OTHER_PHONE })).json.phone).toBeNull();
    expect((await read()).phone).toBe(OTHER_PHONE);
    expect((await put({ phone: OTHER_PHONE, name: "x" })).json.phone).toBeNull();
    expect((await read()).phone).toBe(OTHER_PHONE);
  });

  test("D11: has the phone when the request carried none", async () => {
    const { put } = await profile({ phone: PHONE });
    expect((await put({ name: "x" })).json.phone).toBe(PHONE);
  });

  test('updateResponsePhone "value" shows the phone, "null" hides it', async () => {
    const { put, app } = await profile({ phone: PHONE }, { settings: { updateResponsePhone: "value" } });
    expect((await put({ phone: OTHER_PHONE })).json.phone).toBe(OTHER_PHONE);
    expect((await put({ phone: null })).json.phone).toBeNull();
    expect((await app.patch({ settings: { updateResponsePhone: "null" } })).status).toBe(200);
    expect((await put({ phone: PHONE })).json.phone).toBeNull();
  });
});
