/** Settings of an app: how to change them, and those without a decision of their own. */
import { describe, expect, test } from "vitest";
import { expectInvalid, harness, NOBODY, PHONE, type User } from "./support.ts";

const { app: newApp, control } = harness();
const USER = { phone: PHONE };

describe("validation", () => {
  const ODD = [
    { phone: "12" },
    { phone: "+1 (202) 555-0100" },
    { email: "no email" },
    { email: `${"x".repeat(300)}@example.com` },
    { name: "x".repeat(300) },
    { metadata: Object.fromEntries(Array.from({ length: 60 }, (_, i) => [`k${i}`, i])) },
    { metadata: { big: "x".repeat(20_000) } },
    { metadata: { a: { a: { a: { a: { a: { a: { a: { a: { a: { a: 1 } } } } } } } } } } },
  ];

  test.each(ODD)('"strict" rejects, "lenient" logs a warning and stores: %#', async (body) => {
    const app = await newApp();
    const [field = ""] = Object.keys(body);
    expectInvalid(await app.admin("POST", "/v1/profiles", body), field);
    await app.patch({ settings: { validation: "lenient" } });
    const made = await app.admin("POST", "/v1/profiles", body);
    expect(made.status, made.text).toBe(201);
    expect((await app.admin("GET", `/v1/profiles/${made.json.userId}`)).json).toMatchObject(body);
    expect((await app.logged(made)).warnings).toEqual([expect.stringContaining(field)]);
    const changed = await app.admin("PUT", `/v1/profiles/${made.json.userId}`, { ...body, name: null });
    expect(changed.status).toBe(200);
    await app.patch({ settings: { validation: "strict" } });
    expectInvalid(await app.admin("PUT", `/v1/profiles/${made.json.userId}`, body), field);
  });

  test("lenient: applies on auth too; a user with an odd username can log in", async () => {
    const app = await newApp({ settings: { validation: "lenient" } });
    const odd = { phone: "ext. 42", email: "no email" };
    const signedUp = await app.start(odd);
    expect(signedUp.status).toBe(200);
    expect((await app.logged(signedUp)).warnings).toHaveLength(2);
    const code = await app.sentCode({ phone: "ext. 42" });
    const done = await app.authenticate({ phone: "ext. 42", name: "x".repeat(300) }, code);
    expect(done.json.userId).toBe(signedUp.json.userId);
  });

  test("lenient: does not warn about valid values", async () => {
    const app = await newApp({ settings: { validation: "lenient" } });
    const made = await app.admin("POST", "/v1/profiles", { ...USER, metadata: { a_b: 1 } });
    expect((await app.logged(made)).warnings).toEqual([]);
  });

  test("lenient: still requires unique usernames and the right types, and rejects what cannot be stored", async () => {
    const app = await newApp({ settings: { validation: "lenient" } });
    await app.admin("POST", "/v1/profiles", { phone: "odd" });
    expectInvalid(await app.admin("POST", "/v1/profiles", { phone: "odd" }), "phone");
    expectInvalid(
      await app.admin("POST", "/v1/profiles", { name: 5, email: [], metadata: "x" }),
      "name",
      "email",
      "metadata",
    );
    expectInvalid(await app.admin("POST", "/v1/profiles", '{"metadata":{"a":1e999}}'), "metadata");
    expectInvalid(await app.admin("POST", "/v1/profiles", '{"metadata":{"__proto__":{"x":1}}}'), "metadata");
    expectInvalid(await app.admin("POST", "/v1/profiles", '{"name":"\\u0000"}'), "name");
    expectInvalid(await app.start({}), "phone");
  });
});

describe("message templates", () => {
  const sent = async (input: User, user: User) => {
    const app = await newApp(input);
    await app.start(user);
    const code = await app.sentCode(user);
    return { ...app, code, message: (await app.passcodes())[0].message };
  };

  test("contain the code and the app's name by default, by SMS and by email", async () => {
    const sms = await sent({ name: "Demo" }, USER);
    expect(sms.message).toContain(sms.code);
    expect(sms.message).toContain("Demo");
    const email = await sent({ name: "Demo", strategy: "email" }, { email: "ada@example.com" });
    expect(email.message).toContain(email.code);
  });

  test("message.sms: replaces every {code}, {app} and {minutes}", async () => {
    const settings = {
      message: { sms: "{code} {code} for {app}, {minutes} min {}" },
      passcode: { ttlSeconds: 90 },
    };
    const { message, code, ...app } = await sent({ name: "A{code}$&", settings }, USER);
    expect(message).toBe(`${code} ${code} for A{code}$&, 2 min {}`);
    await app.patch({ settings: { message: { sms: null } } });
    await app.start(USER);
    expect((await app.passcodes())[0].message).not.toContain("min {}");
  });

  test("message.email: applies to email apps, message.sms to phone apps", async () => {
    const settings = { message: { sms: "S{code}", email: "E\n\n{code}\n" } };
    const byMail = await sent({ strategy: "email", settings }, { email: "ada@example.com" });
    expect(byMail.message).toBe(`E\n\n${byMail.code}\n`);
    const byPhone = await sent({ settings }, USER);
    expect(byPhone.message).toBe(`S${byPhone.code}`);
  });

  test("do not change messages already sent", async () => {
    const { message, ...app } = await sent({ name: "Old" }, USER);
    await app.patch({ name: "New", settings: { message: { sms: "other {code}" } } });
    expect((await app.passcodes())[0].message).toBe(message);
  });
});

describe("changing settings", () => {
  test("changes only what is named; null restores a default", async () => {
    const app = await newApp();
    const read = async () => (await control("GET", `/apps/${app.appId}`)).json.settings;
    expect(await read()).toEqual({});
    await app.patch({ settings: { signUp: "closed", passcode: { length: 4, ttlSeconds: 60 } } });
    await app.patch({ settings: { passcode: { length: 8 } } });
    expect(await read()).toEqual({ signUp: "closed", passcode: { length: 8, ttlSeconds: 60 } });
    await app.patch({ settings: { signUp: null, passcode: { ttlSeconds: null } } });
    expect(await read()).toEqual({ passcode: { length: 8 } });
    expect((await app.start(USER)).status).toBe(200);
    expect(await app.sentCode(USER)).toHaveLength(8);
  });

  test.each([
    [{ updateResponsePhones: "value" }, "settings.updateResponsePhones", "updateResponsePhone"],
    [{ signup: "closed" }, "settings.signup", "signUp"],
    [{ passcode: { lenght: 4 } }, "settings.passcode.lenght", "length"],
    [{ limits: { otpPerMinutes: 4 } }, "settings.limits.otpPerMinutes", "otpPerMinute"],
    [{ session: { ttl: 4 } }, "settings.session.ttl", "ttlSeconds"],
  ])("rejects unknown names with the nearest known one: %j", async (settings, field, nearest) => {
    const refused = await control("POST", "/apps", { settings });
    expectInvalid(refused, field);
    expect(refused.json[field][0]).toContain(nearest);
  });

  test.each([
    { updateResponsePhone: "yes" },
    { validation: "loose" },
    { signUp: true },
    { sessionExtensions: "true" },
    { passcode: 6 },
    { session: [] },
    { wire: "x" },
  ])("returns 422 for an invalid value: %j", async (settings) => {
    expectInvalid(await control("POST", "/apps", { settings }), `settings.${Object.keys(settings)[0]}`);
  });

  test.each([0, 31_536_001, 1.5, "60"])("allows 1 to 31,536,000 for session.ttlSeconds: not %j", async (ttlSeconds) => {
    expectInvalid(
      await control("POST", "/apps", { settings: { session: { ttlSeconds } } }),
      "settings.session.ttlSeconds",
    );
  });

  test.each([
    '{"settings":{"__proto__":{"x":1}}}',
    '{"settings":{"passcode":{"__proto__":{"length":4}}}}',
    '{"__proto__":{"name":"x"}}',
  ])("rejects __proto__ as an unknown name: %s", async (body) => {
    expect((await control("POST", "/apps", body)).status).toBe(422);
    expect({}).not.toHaveProperty("x");
  });

  test("changes nothing when it fails", async () => {
    const app = await newApp();
    const before = (await control("GET", `/apps/${app.appId}`)).text;
    expectInvalid(
      await app.patch({ name: "new", settings: { signUp: "closed", passcode: { length: 99 } } }),
      "settings.passcode.length",
    );
    expect((await control("GET", `/apps/${app.appId}`)).text).toBe(before);
    expect((await control("PATCH", `/apps/${NOBODY}`, { name: "x" })).status).toBe(404);
  });
});
