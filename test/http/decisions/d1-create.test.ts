/** service.md 4.1.1 and 2.1; D1, D6 to D8, D10, D15. */
import { describe, expect, test } from "vitest";
import { expectInvalid, expectRefusal, harness, NOBODY, PHONE } from "./support.ts";

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const KEYS = ["userId", "name", "phone", "email", "metadata", "createdAt", "updatedAt"];
const { app: newApp, clock, admin } = harness();
const create = async (body?: unknown) => (await newApp()).admin("POST", "/v1/profiles", body);

describe("service.md 4.1 create", () => {
  test("stores the attributes and generates userId, createdAt and updatedAt", async () => {
    const sent = { name: "Ada", phone: PHONE, email: "ada@example.com", metadata: { plan: "pro", seats: 3 } };
    const made = await create(sent);
    expect(made.status).toBe(201);
    expect(made.json).toMatchObject(sent);
    expect(made.json.userId).toMatch(UUID);
    const now = new Date(clock.ms).toISOString();
    expect(made.json).toMatchObject({ createdAt: now, updatedAt: now });
    expect(made.headers.get("Content-Type")).toMatch(/^application\/json/);
  });

  test("makes the profile retrievable, unchanged", async () => {
    const { admin } = await newApp();
    const made = await admin("POST", "/v1/profiles", { name: "Ada", metadata: { a: [1, { b: null }] } });
    const read = await admin("GET", `/v1/profiles/${made.json.userId}`);
    expect(read.status).toBe(200);
    expect(read.text).toBe(made.text);
  });
});

describe("D1 required fields", () => {
  test("D1: none; missing attributes are null in the response, name included", async () => {
    const made = await create({});
    expect(made.status).toBe(201);
    expect(made.json).toMatchObject({ name: null, phone: null, email: null, metadata: null });
  });

  test("D1: an absent body counts as {}", async () => {
    const made = await create();
    expect(made.status).toBe(201);
    expect(made.json).toMatchObject({ name: null, phone: null, email: null, metadata: null });
  });

  test("D1: an explicit null equals a missing attribute", async () => {
    const made = await create({ name: null, phone: null, email: null, metadata: null });
    expect(made.status).toBe(201);
    expect(made.json).toMatchObject({ name: null, phone: null, email: null, metadata: null });
  });

  test("D1: any number of profiles can be without a username", async () => {
    const { admin } = await newApp();
    for (let i = 0; i < 3; i++) expect((await admin("POST", "/v1/profiles", {})).status).toBe(201);
  });
});

describe("D6 name", () => {
  test.each(["", " ", "x".repeat(255), "さくら 🌸", "<b>&\"'\n\t", "‮rtl"])("D6: accepts %j", async (name) => {
    const made = await create({ name });
    expect(made.status).toBe(201);
    expect(made.json.name).toBe(name);
  });

  test.each([
    ["256 characters", "x".repeat(256)],
    ["a number", 7],
    ["a list", ["Ada"]],
    ["true", true],
    ["{}", {}],
  ])("D6: rejects %s", async (_, name) => expectInvalid(await create({ name }), "name"));
});

describe("D7 phone", () => {
  test.each([PHONE, "+4930123456", "+861234567890123"])("D7: accepts E.164: %s", async (phone) => {
    expect((await create({ phone })).json.phone).toBe(phone);
  });

  test.each([
    "",
    "12025550142",
    "+1 202 555 0142",
    "+0202555014",
    "+1202555014200000",
    "+1-202-555-0142",
    "tel:+1",
    12025550142,
    {},
  ])("D7: rejects %j", async (phone) => expectInvalid(await create({ phone }), "phone"));
});

describe("D8 email", () => {
  const long = (length: number) => `${"a".repeat(length - 12)}@example.com`;

  test("D8: is stored as sent", async () => {
    expect((await create({ email: "Ada.Lovelace+x@Example.COM" })).json.email).toBe("Ada.Lovelace+x@Example.COM");
  });

  test("D8: can have 254 characters and no more", async () => {
    expect((await create({ email: long(254) })).json.email).toHaveLength(254);
    expectInvalid(await create({ email: long(255) }), "email");
  });

  test.each(["", "ada", "ada@", "@example.com", "ada@example", "ada @example.com", " ada@example.com", 5, []])(
    "D8: rejects %j",
    async (email) => expectInvalid(await create({ email }), "email"),
  );
});

describe("errors", () => {
  test("list every invalid field by its name", async () => {
    expectInvalid(
      await create({ name: 1, phone: "x", email: "x", metadata: [] }),
      "name",
      "phone",
      "email",
      "metadata",
    );
  });

  test.each([
    [{ name: 1, phone: [], email: true }, "must be a string"],
    [{ phone: "12025550100" }, "must be a phone number in E.164 form, such as +12025550100"],
    [{ email: "ada" }, "must be an email address"],
    [{ email: `${"x".repeat(243)}@example.com` }, "is too long (at most 254 characters)"],
    [{ name: "x".repeat(256) }, "is too long (at most 255 characters)"],
    [{ name: "a\0b" }, "must not contain the NUL character"],
    [{ name: "\ud83d" }, "must not contain half of a surrogate pair"],
    [{ metadata: [] }, "must be an object"],
  ])("say what is wrong with %j", async (body, words) => {
    expect(Object.values((await create(body)).json)).toEqual(Object.keys(body).map(() => [words]));
  });

  test("leave nothing behind", async () => {
    const { admin } = await newApp();
    await admin("POST", "/v1/profiles", { phone: PHONE, email: "x" });
    expect((await admin("GET", "/v1/profiles")).json).toEqual([]);
    expect((await admin("POST", "/v1/profiles", { phone: PHONE })).status).toBe(201);
  });
});

describe("D10 unknown fields", () => {
  const sent = {
    name: "Ada",
    userId: NOBODY,
    id: NOBODY,
    createdAt: "2001-01-01T00:00:00.000Z",
    updatedAt: 7,
    nickname: { deep: [1] },
  };

  test("D10: are ignored on create, including userId, id, createdAt and updatedAt; the request log names them", async () => {
    const app = await newApp();
    const made = await app.admin("POST", "/v1/profiles", sent);
    expect(made.status).toBe(201);
    expect(Object.keys(made.json)).toEqual(KEYS);
    expect(made.json.userId).not.toBe(NOBODY);
    expect(made.json.createdAt).toBe(new Date(clock.ms).toISOString());
    const row = await app.logged(made);
    expect(row.ignoredFields.toSorted()).toEqual(["createdAt", "id", "nickname", "updatedAt", "userId"]);
  });

  test("D10: are ignored on update", async () => {
    const app = await newApp();
    const made = await app.admin("POST", "/v1/profiles", {});
    const changed = await app.admin("PUT", `/v1/profiles/${made.json.userId}`, sent);
    expect(changed.status).toBe(200);
    expect(changed.json).toMatchObject({ id: made.json.userId, name: "Ada", createdAt: made.json.createdAt });
    expect((await app.logged(changed)).ignoredFields.toSorted()).toEqual([
      "createdAt",
      "id",
      "nickname",
      "updatedAt",
      "userId",
    ]);
  });
});

describe("D15 order of keys", () => {
  test("D15: create, retrieve and list start with userId, update with id", async () => {
    const { admin } = await newApp();
    const made = await admin("POST", "/v1/profiles", { metadata: {}, email: "a@example.com", name: "A" });
    const path = `/v1/profiles/${made.json.userId}`;
    expect(Object.keys(made.json)).toEqual(KEYS);
    expect(Object.keys((await admin("GET", path)).json)).toEqual(KEYS);
    expect(Object.keys((await admin("GET", "/v1/profiles")).json[0])).toEqual(KEYS);
    const changed = await admin("PUT", path, { phone: PHONE, metadata: { a: 1 } });
    expect(Object.keys(changed.json)).toEqual(["id", ...KEYS.slice(1)]);
    expect(Object.keys((await admin("GET", path)).json)).toEqual(KEYS);
  });
});

describe("service.md 5.1", () => {
  test("without the secret creates nothing", async () => {
    const before = (await admin("GET", "/v1/profiles")).headers.get("Total-Count");
    expectRefusal(await admin("POST", "/v1/profiles", {}, { Authorization: "Bearer no" }), 401, "unknown_secret");
    expect((await admin("GET", "/v1/profiles")).headers.get("Total-Count")).toBe(before);
  });
});
