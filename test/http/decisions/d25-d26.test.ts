/** D25: failed authentication; service.md 4.2.4, D26: extra information. */
import { describe, expect, test } from "vitest";
import type { Reply } from "#test/hosts/client.ts";
import { expectInvalid, expectRefusal, harness, OTHER_PHONE, PHONE, type User, wrong } from "./support.ts";

const { app: newApp, clock } = harness();
const USER = { phone: PHONE };
const EMAIL = "ada@example.com";

const withUser = async (more: User = {}, app: User = {}) => {
  const made = await newApp(app);
  const { userId } = (await made.start({ ...USER, email: EMAIL, ...more })).json;
  const read = async () => (await made.admin("GET", `/v1/profiles/${userId}`)).json;
  return { ...made, userId, read };
};

/** Ways to fail, each with its reason. */
const CAUSES: readonly (readonly [string, () => Promise<Reply>])[] = [
  ["unknown_user", async () => (await newApp()).authenticate(USER, "123456")],
  ["passcode_not_sent", async () => (await withUser()).authenticate(USER, "123456")],
  [
    "passcode_mismatch",
    async () => {
      const app = await withUser();
      return app.authenticate(USER, wrong(await app.sentCode(USER)));
    },
  ],
  [
    "passcode_replaced",
    async () => {
      const app = await withUser();
      const old = await app.sentCode(USER);
      while ((await app.sentCode(USER)) === old);
      return app.authenticate(USER, old);
    },
  ],
  [
    "passcode_expired",
    async () => {
      const app = await withUser();
      const code = await app.sentCode(USER);
      clock.advance(600);
      return app.authenticate(USER, code);
    },
  ],
  [
    "passcode_used",
    async () => {
      const app = await withUser();
      const code = await app.sentCode(USER);
      await app.authenticate(USER, code);
      return app.authenticate(USER, code);
    },
  ],
  [
    "passcode_exhausted",
    async () => {
      const app = await withUser();
      const code = await app.sentCode(USER);
      for (let i = 1; i <= 5; i++) await app.authenticate(USER, wrong(code, i));
      return app.authenticate(USER, code);
    },
  ],
];

describe("D25 failed authentication", () => {
  test.each(CAUSES)("D25: returns 401 with Emulator-Reason %s", async (reason, cause) => {
    expectRefusal(await cause(), 401, reason);
  });

  test("D25: has the same body for every cause, byte for byte, and the same headers except ids and reason", async () => {
    const replies: Reply[] = [];
    for (const [, cause] of CAUSES) replies.push(await cause());
    expect(new Set(replies.map(({ text }) => text)).size).toBe(1);
    const names = replies.map(({ headers }) => [...headers.keys()].toSorted().join());
    expect(new Set(names).size).toBe(1);
  });

  test.each([undefined, null])("D25: returns 422 on a missing passcode: %j", async (passcode) => {
    const app = await withUser();
    const code = await app.sentCode(USER);
    const refused = await app.authenticate(USER, passcode);
    expectInvalid(refused, "passcode");
    expect(refused.headers.get("Emulator-Instruction")).toBeNull();
    expect((await app.passcodes())[0].attempts).toBe(0);
    expect((await app.authenticate(USER, code)).status).toBe(200);
  });

  test.each([true, {}, [], ["123456"], 1.5, { code: "1" }])(
    "D25: returns 422 on a passcode that is not a string or integer: %j",
    async (passcode) => {
      const app = await withUser();
      await app.sentCode(USER);
      expectInvalid(await app.authenticate(USER, passcode), "passcode");
      expect((await app.passcodes())[0].attempts).toBe(0);
    },
  );

  test.each(["otp", "code"])("D25: names a look-alike field in the instruction header: %s", async (field) => {
    const app = await withUser();
    const code = await app.sentCode(USER);
    const beside = await app.authenticate(USER, undefined, { [field]: code });
    expectInvalid(beside, "passcode");
    expect(beside.headers.get("Emulator-Instruction")).toContain(`"${field}"`);
    const inside = await app.authenticate({ ...USER, [field]: code }, undefined);
    expectInvalid(inside, "passcode");
    expect(inside.headers.get("Emulator-Instruction")).toContain(`"${field}"`);
  });

  test("creates no session and no profile", async () => {
    const app = await newApp();
    expectRefusal(await app.authenticate(USER, "123456"), 401, "unknown_user");
    expect((await app.admin("GET", "/v1/profiles")).json).toEqual([]);
    expect((await app.start(USER)).status).toBe(200);
  });
});

describe("D26 extra information", () => {
  const login = async (app: Awaited<ReturnType<typeof withUser>>, extra: User) =>
    app.authenticate({ ...USER, ...extra }, await app.sentCode(USER));

  test("service.md 4.2.4: name and the field that is not the username update the profile", async () => {
    const app = await withUser({ name: "Ada" });
    clock.advance(3);
    expect((await login(app, { name: "Augusta", email: "b@example.com" })).status).toBe(200);
    expect(await app.read()).toMatchObject({
      name: "Augusta",
      email: "b@example.com",
      phone: PHONE,
      updatedAt: new Date(clock.ms).toISOString(),
    });
  });

  test("in an email app the phone is extra, and the email stays as stored", async () => {
    const app = await newApp({ strategy: "email" });
    const { userId } = (await app.start({ email: "Ada@example.com" })).json;
    const code = await app.sentCode({ email: EMAIL });
    expect((await app.authenticate({ email: "ADA@example.com", phone: OTHER_PHONE }, code)).status).toBe(200);
    const read = (await app.admin("GET", `/v1/profiles/${userId}`)).json;
    expect(read).toMatchObject({ email: "Ada@example.com", phone: OTHER_PHONE });
  });

  test("D26: absent fields are kept, and without any nothing changes", async () => {
    const app = await withUser({ name: "Ada" });
    await login(app, { name: "B" });
    expect(await app.read()).toMatchObject({ name: "B", email: EMAIL });
    const before = await app.read();
    clock.advance(3);
    await login(app, {});
    expect(await app.read()).toEqual(before);
  });

  test("D26: null is ignored", async () => {
    const app = await withUser({ name: "Ada" });
    expect((await login(app, { name: null, email: null })).status).toBe(200);
    expect(await app.read()).toMatchObject({ name: "Ada", email: EMAIL });
  });

  test.each([
    ["email", "x"],
    ["name", 7],
    ["name", "x".repeat(256)],
    ["email", 5],
  ])("D26: is checked first: 422 leaves the code unused and its attempts uncounted: %s", async (field, value) => {
    const app = await withUser({ name: "Ada" });
    const code = await app.sentCode(USER);
    expectInvalid(await app.authenticate({ ...USER, [field]: value }, code), field);
    expectInvalid(await app.authenticate({ ...USER, [field]: value }, wrong(code)), field);
    expect((await app.passcodes())[0]).toMatchObject({ status: "active", attempts: 0, tried: [] });
    expect(await app.read()).toMatchObject({ name: "Ada", email: EMAIL });
    expect((await app.authenticate(USER, code)).status).toBe(200);
  });

  test("a wrong code updates nothing", async () => {
    const app = await withUser({ name: "Ada" });
    const code = await app.sentCode(USER);
    await app.authenticate({ ...USER, name: "Eve" }, wrong(code));
    expect((await app.read()).name).toBe("Ada");
  });

  test("metadata is ignored", async () => {
    const app = await withUser();
    expect((await login(app, { metadata: { a: 1 } })).status).toBe(200);
    expect((await app.read()).metadata).toBeNull();
  });
});
