/** Retention: what is kept, and what goes first. */
import { describe, expect, test } from "vitest";
import { expectRefusal, harness, PHONE, raw, SESSION } from "./support.ts";

const {
  app: newApp,
  auth,
  control,
  admin,
  server,
} = harness({ config: { retention: { passcodes: 3, sessions: 4, requests: 10 } } });
const phone = (n: number) => `+1202555${String(1000 + n)}`;
const sessions = async (appId: string) => (await control("GET", `/sessions?appId=${appId}`)).json;

describe("passcodes", () => {
  test("an active one is never thrown away; of ended ones the newest of each app are kept", async () => {
    const [app, other] = [await newApp(), await newApp()];
    await other.start({ phone: PHONE });
    const others = await other.sentCode({ phone: PHONE });
    const codes: string[] = [];
    for (let i = 0; i < 5; i++) {
      await app.start({ phone: phone(i) });
      codes.push(await app.sentCode({ phone: phone(i) }));
    }
    expect((await app.passcodes()).map(({ status }) => status)).toEqual(Array(5).fill("active"));
    for (const [i, code] of codes.entries())
      expect((await app.authenticate({ phone: phone(i) }, code)).status).toBe(200);
    await app.sentCode({ phone: phone(4) });
    expect((await app.passcodes()).map(({ to }) => to)).toEqual([4, 4, 3, 2].map(phone));
    expect((await other.authenticate({ phone: PHONE }, others)).status).toBe(200);
    const late = await app.authenticate({ phone: phone(0) }, codes[0] ?? "");
    expectRefusal(late, 401, "passcode_not_sent");
    const [advice] = (await app.logged(late)).advice;
    expect(advice).toMatchObject({
      code: "passcode_forgotten",
      text: expect.stringMatching(/^A code was sent to .* It is no longer kept: it was removed at .* by POST /),
    });
  });

  test("keep the newest working for a user who requests many", async () => {
    const app = await newApp();
    await app.start({ phone: PHONE });
    let code = "";
    for (let i = 0; i < 8; i++) code = await app.sentCode({ phone: PHONE });
    expect((await app.passcodes()).map(({ status }) => status)).toEqual(["active", "replaced", "replaced", "replaced"]);
    expect((await app.authenticate({ phone: PHONE }, code)).status).toBe(200);
  });
});

describe("sessions", () => {
  test("keep the newest of each app; an evicted session is revoked", async () => {
    const [app, other] = [await newApp({ settings: { sessionExtensions: true } }), await newApp()];
    const kept = (await other.start({ phone: PHONE })).json;
    const made: { id: string; token: string }[] = [];
    for (let i = 0; i < 6; i++) made.push((await app.start({ phone: phone(i) })).json);
    const left = await sessions(app.appId);
    expect(left.total).toBe(4);
    expect(left.items.map(({ id }: { id: string }) => id)).toEqual(
      made
        .slice(2)
        .map(({ id }) => id)
        .toReversed(),
    );
    const active = async (token: string) => (await control("POST", "/sessions/introspect", { token })).json.active;
    expect(await Promise.all(made.map(({ token }) => active(token)))).toEqual([false, false, true, true, true, true]);
    expect(await active(kept.token)).toBe(true);
    const bearer = (n: number) => ({ Authorization: `Bearer ${made[n]?.token}` });
    expectRefusal(await auth("GET", SESSION, undefined, bearer(0)), 401, "invalid_token");
    expect((await auth("GET", SESSION, undefined, bearer(5))).status).toBe(200);
  });

  test("are evicted, profiles never", async () => {
    const app = await newApp();
    for (let i = 0; i < 12; i++) await app.start({ phone: phone(i) });
    expect((await app.admin("GET", "/v1/profiles")).json).toHaveLength(12);
  });
});

describe("request log", () => {
  test("keeps the newest rows of an app, newest first", async () => {
    await control("DELETE", "/requests");
    const ids: (string | null)[] = [];
    for (let i = 0; i < 14; i++)
      ids.push((await admin("GET", "/v1/profiles?limit=1")).headers.get("Emulator-Request-Id"));
    const log = (await control("GET", "/requests?limit=1000")).json;
    expect(log.items.map(({ id }: { id: string }) => id)).toEqual(ids.slice(4).toReversed());
    expect((await control("GET", `/requests/${ids[0]}`)).status).toBe(404);
    expect((await control("GET", `/requests/${ids[13]}`)).json).toMatchObject({
      method: "GET",
      status: 200,
      listener: "admin",
    });
  });

  test("keeps 16 KiB of a body and no secret of a header", async () => {
    const app = await newApp();
    const made = await app.admin("POST", "/v1/profiles", { name: "x", junk: "y".repeat(100_000) });
    const row = await app.logged(made);
    expect(Buffer.byteLength(row.request.body)).toBe(16_384);
    expect(row.request.body).toMatch(/^\{"name":"x","junk":"yyy/);
    expect(row.response.body).toBe(made.text);
    expect(JSON.stringify(row)).not.toContain(app.secret);
  });

  test("cuts no character in two", async () => {
    const app = await newApp();
    const body = Buffer.from(JSON.stringify({ junk: "🌸".repeat(10_000) }));
    const headers = ["Content-Type", "application/json", "Authorization", `Bearer ${app.secret}`];
    await raw(`${server().urls.admin}/v1/profiles`, { headers, body });
    const [{ id }] = (await control("GET", "/requests?limit=1")).json.items;
    const kept: string = (await control("GET", `/requests/${id}`)).json.request.body;
    expect(Buffer.byteLength(kept)).toBeLessThanOrEqual(16_384);
    expect(kept).not.toContain("\ufffd");
  });
});
