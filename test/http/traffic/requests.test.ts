import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { freshPhone, harness, ISO, NOBODY } from "#test/http/control/support.ts";

const { control, auth, as, admin, app } = harness();
const rowOf = async (reply: { headers: Headers }) =>
  (await control("GET", `/requests/${reply.headers.get("Emulator-Request-Id")}`)).json;
const list = async (query: string) => (await control("GET", `/requests?${query}`)).json;

describe("a row", () => {
  test("contains the whole request and response", async () => {
    const { appId, secret } = await app();
    const made = await as(secret)("POST", "/v1/profiles?x=1", { name: "Ann", shoe_size: 40 });
    const row = await rowOf(made);
    expect(row).toMatchObject({
      id: made.headers.get("Emulator-Request-Id"),
      at: expect.stringMatching(ISO),
      listener: "admin",
      method: "POST",
      path: "/v1/profiles?x=1",
      status: 201,
      reason: null,
      decision: expect.stringMatching(/^D\d+$/),
      appId,
      userId: made.json.userId,
      ignoredFields: ["?x", "shoe_size"],
      remote: expect.stringContaining("127.0.0.1"),
    });
    expect(row.durationMs).toBeGreaterThan(0);
    expect(row.request.body).toBe('{"name":"Ann","shoe_size":40}');
    expect(row.response.body).toBe(made.text);
    expect(row.request.headers["content-type"]).toBe("application/json");
  });

  test("names reason and decision of a failure", async () => {
    const { appId, profile } = await app();
    const { phone, userId } = await profile();
    const body = { appId, user: { phone }, passcode: "000000" };
    const refused = await auth("PUT", "/v1/users/session", body);
    expect(await rowOf(refused)).toMatchObject({
      listener: "auth",
      status: 401,
      reason: "passcode_not_sent",
      check: "rule",
      decision: "D25",
      appId,
    });
    expect(refused.reason).toBe("passcode_not_sent");
    expect(userId).toBeTruthy();
  });

  test("names the check of a simulated failure", async () => {
    const { appId } = await app();
    await control("POST", "/faults", { match: { appId }, effect: { status: 503 }, times: 1 });
    const failed = await auth("POST", "/v1/users/session", { appId, user: { phone: freshPhone() } });
    expect(await rowOf(failed)).toMatchObject({ status: 503, check: "fault" });
    const done = await auth("POST", "/v1/users/session", { appId, user: { phone: freshPhone() } });
    expect(await rowOf(done)).toMatchObject({ status: 200, check: null });
  });

  test("names the user of a failed sign-in, unless there is none", async () => {
    const { appId, profile } = await app({ settings: { limits: { otpPerMinute: 1 } } });
    const { phone, userId } = await profile();
    const user = { appId, user: { phone } };
    const replies = [
      await auth("POST", "/v1/users/session", user),
      await auth("POST", "/v1/users/session", user),
      await auth("PUT", "/v1/users/session", { ...user, passcode: "x" }),
      await auth("PUT", "/v1/users/session", { ...user, otp: "000000" }),
      await auth("PUT", "/v1/users/session", { ...user, user: { phone: freshPhone() }, passcode: "x" }),
    ];
    const rows = await Promise.all(replies.map(rowOf));
    expect(rows.map(({ status }) => status)).toEqual([202, 429, 401, 422, 401]);
    expect(rows.map((row) => row.userId)).toEqual([userId, userId, userId, userId, null]);
  });

  test("lists the requests of a trace, by its id or how that begins", async () => {
    const { appId, profile } = await app();
    const { phone } = await profile();
    const trace = randomUUID().replaceAll("-", "");
    const user = { appId, user: { phone } };
    const asked = await auth("POST", "/v1/users/session", user, { Traceparent: `00-${trace}-00f067aa0ba902b7-01` });
    const wrong = { "X-Request-Id": trace.toUpperCase() };
    const entered = await auth("PUT", "/v1/users/session", { ...user, passcode: "x" }, wrong);
    await auth("POST", "/v1/users/session", user, { "X-Request-Id": `x${trace}` });
    const rows = [await rowOf(entered), await rowOf(asked)].map(({ id }) => id);
    for (const sought of [trace, trace.slice(0, 12)]) {
      const { items, total } = await list(`trace=${sought}`);
      expect([items.map(({ id }: { id: string }) => id), total]).toEqual([rows, 2]);
    }
  });

  test("masks secrets in headers", async () => {
    const headers = { Cookie: "sid=verysecret", "Proxy-Authorization": "Basic verysecret", "X-Trace": "seen" };
    const reply = await admin("GET", "/v1/profiles", undefined, headers);
    const row = await rowOf(reply);
    expect(JSON.stringify(row.request.headers)).not.toMatch(/verysecret|sk_local_demo/);
    expect(row.request.headers).toMatchObject({ authorization: "Bearer ***", "x-trace": "seen" });
    const odd = await as("x")("GET", "/v1/profiles", undefined, { Authorization: "topsecret" });
    expect(JSON.stringify(await rowOf(odd))).not.toContain("topsecret");
  });

  test("keeps 16 KiB of the request and response bodies, and cuts no character in two", async () => {
    const { secret } = await app({ settings: { validation: "lenient" } });
    const name = "é".repeat(20_000);
    const made = await as(secret)("POST", "/v1/profiles", { name });
    expect(made.status).toBe(201);
    const { request, response } = await rowOf(made);
    for (const { body } of [request, response]) {
      const bytes = Buffer.byteLength(body);
      expect(bytes).toBeLessThanOrEqual(16_384);
      expect(bytes).toBeGreaterThan(16_300);
      expect(body).not.toContain("\uFFFD");
    }
    expect(made.text.startsWith(response.body)).toBe(true);
  });

  test("exists for every response of admin and auth, errors included, and for none of the console", async () => {
    await control("DELETE", "/requests");
    const replies = [
      await as("wrong")("GET", "/v1/profiles"),
      await admin("GET", "/nowhere"),
      await admin("PATCH", "/v1/profiles", {}),
      await auth("POST", "/v1/users/session", "{"),
      await auth("POST", "/v1/users/session", "x", { "Content-Type": "text/plain" }),
      await auth("OPTIONS", "/v1/users/session", undefined, { "Access-Control-Request-Method": "PUT" }),
      await auth("GET", "/.well-known/jwks.json"),
    ];
    // Health checks would push out the requests of the app.
    for (const path of ["/livez", "/readyz"]) await auth("GET", path);
    await control("GET", "/apps");
    const { items, total } = await list("");
    expect(total).toBe(replies.length);
    expect(items.map(({ status }: { status: number }) => status).reverse()).toEqual([
      401, 404, 405, 400, 415, 204, 200,
    ]);
    for (const reply of replies) {
      const row = await rowOf(reply);
      expect([row.status, row.reason]).toEqual([reply.status, reply.reason]);
      expect(reply.headers.get("Emulator")).toBe("stagedoor/0.0.0-test");
    }
  });
});

describe("GET requests", () => {
  test("lists newest first, filters by app, listener, method, path, status, reason and user, and limits", async () => {
    const { appId, secret } = await app();
    const own = as(secret);
    const { userId } = (await own("POST", "/v1/profiles", {})).json;
    await own("GET", `/v1/profiles/${userId}`);
    await own("GET", `/v1/profiles/${NOBODY}`);
    await auth("POST", "/v1/users/session", { appId, user: { phone: freshPhone() } });
    const shown = async (query: string) => {
      const { items } = await list(`appId=${appId}${query}`);
      return items.map(({ method, status }: { method: string; status: number }) => `${method} ${status}`);
    };
    expect(await shown("")).toEqual(["POST 200", "GET 404", "GET 200", "POST 201"]);
    expect(await shown("&limit=1")).toEqual(["POST 200"]);
    expect((await list(`appId=${appId}&limit=1`)).total).toBe(4);
    expect(await shown("&listener=auth")).toEqual(["POST 200"]);
    expect(await shown("&method=get")).toEqual(["GET 404", "GET 200"]);
    expect(await shown(`&path=/v1/profiles/${userId}`)).toEqual(["GET 200"]);
    expect(await shown("&status=404")).toEqual(["GET 404"]);
    expect(await shown("&reason=unknown_profile")).toEqual(["GET 404"]);
    expect(await shown(`&userId=${userId}`)).toEqual(["GET 200", "POST 201"]);
    expect((await control("GET", "/requests?listener=tv")).status).toBe(422);
  });

  test("returns 404 for an unknown row; DELETE clears all", async () => {
    await admin("GET", "/v1/profiles");
    expect((await control("GET", `/requests/${NOBODY}`)).status).toBe(404);
    expect((await control("DELETE", "/requests")).status).toBe(204);
    expect(await list("")).toEqual({ items: [], total: 0 });
  });

  test("brings back what DELETE has cleared last, at its place", async () => {
    const { appId } = await app();
    await control("DELETE", "/requests");
    for (const path of ["/one", "/two", "/three"]) await admin("GET", path);
    const before = await list("");
    await control("DELETE", "/requests", { ids: [before.items[1].id] });
    expect((await list("")).total).toBe(2);
    await admin("GET", "/four");
    const undo = (): Promise<{ status: number }> => control("DELETE", "/requests", { undo: true });
    expect((await undo()).status).toBe(204);
    const { items, total } = await list("");
    expect([total, items.slice(1)]).toEqual([4, before.items]);
    // Once.
    await undo();
    expect((await list("")).total).toBe(4);
    await control("DELETE", "/requests");
    await control("DELETE", `/requests?appId=${appId}`, { undo: true });
    expect((await list("")).total).toBe(0);
    await control("DELETE", `/requests?appId=${appId}`);
    await undo();
    expect((await list("")).total).toBe(0);
    for (const body of [{ undo: false }, { undo: "x" }])
      expect((await control("DELETE", "/requests", body)).status).toBe(422);
  });

  test("keeps 32 MiB of the newest; DELETE gives all of them back", async () => {
    const { secret, profile } = await app();
    const { userId } = await profile();
    const metadata = Object.fromEntries(Array.from({ length: 15 }, (_, n) => [`k${n}`, "x".repeat(1_000)]));
    // Each row holds about 45 kB of headers and bodies.
    const send = () => as(secret)("PUT", `/v1/profiles/${userId}`, { metadata }, { "User-Agent": "u".repeat(14_000) });
    await control("DELETE", "/requests");
    for (let n = 0; n < 900; n++) await send();
    const { total } = await list("limit=1");
    expect([total > 600, total < 800]).toEqual([true, true]);
    await control("DELETE", "/requests");
    for (let n = 0; n < 3; n++) await send();
    expect((await list("limit=1")).total).toBe(3);
  });

  test("keeps the newest 1,000", async () => {
    await control("DELETE", "/requests");
    const first = await auth("GET", "/.well-known/jwks.json");
    for (let sent = 0; sent < 1_000; sent += 50)
      await Promise.all(Array.from({ length: 50 }, () => auth("GET", "/.well-known/jwks.json")));
    const { items, total } = await list("limit=1000");
    expect([items.length, total]).toEqual([1_000, 1_000]);
    expect((await rowOf(first)).message).toBe("Not Found");
    await admin("GET", "/v1/profiles");
    expect(await list("limit=1")).toMatchObject({ total: 1_000, items: [{ path: "/v1/profiles" }] });
  });
});
