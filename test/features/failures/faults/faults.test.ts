/** How faults affect matching requests (docs/faults.md). */
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { describe, expect, test } from "vitest";
import { caller } from "#test/hosts/client.ts";
import { freshPhone, harness, until } from "#test/http/control/support.ts";
import { faultCalls } from "./fault-calls.ts";

const running = harness();
const { control, auth, app, code } = running;
const { set, fault } = faultCalls(running);
const LOGIN = "/v1/users/session";

const row = async (id: string | null) => (await control("GET", `/requests/${id}`)).json;
/** The newest row of an app. */
const newestRow = async (appId: string) => (await control("GET", `/requests?appId=${appId}&limit=1`)).json.items[0];
const seq = async (): Promise<number> => (await control("GET", "/status")).json.seq;

/** @returns an answer as it was on the wire. */
const rawGet = async (url: string, secret: string): Promise<string> => {
  const { hostname, port, host } = new URL(url);
  const socket = connect(Number(port), hostname).setEncoding("latin1");
  socket.write(
    `GET /v1/profiles HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${secret}\r\nConnection: close\r\n\r\n`,
  );
  return await text(socket);
};

describe("the next N requests, then recovery", () => {
  test("a status: N times, with counters, the reason in the response, the fault in the log, and nothing changed", async () => {
    const { appId, admin } = await app();
    const id = await set({ status: 503 }, { appId, method: "POST", path: "/v1/profiles" }, 2);
    const before = await seq();
    for (const used of [1, 2]) {
      const refused = await admin("POST", "/v1/profiles", { name: "Ada" });
      expect([refused.status, refused.reason, refused.headers.get("Emulator-Fault")]).toEqual([
        503,
        "fault_injected",
        id,
      ]);
      expect(refused.json).toEqual({
        message: "Service Unavailable",
        instruction: "A simulated failure applied to this request.",
      });
      expect(refused.headers.get("Retry-After")).toBe("1");
      expect(await fault(id)).toMatchObject({ used, remaining: 2 - used, times: 2 });
      expect(await row(refused.headers.get("Emulator-Request-Id"))).toMatchObject({
        status: 503,
        reason: "fault_injected",
        fault: id,
        appId,
      });
    }
    expect(await seq()).toBe(before);
    const recovered = await admin("POST", "/v1/profiles", { name: "Ada" });
    expect([recovered.status, recovered.headers.get("Emulator-Fault")]).toEqual([201, null]);
    expect(await fault(id)).toMatchObject({ used: 2, remaining: 0 });
  });

  test("several apply one after the other, in order of creation", async () => {
    const { appId, ask, profile } = await app();
    const { phone } = await profile();
    await set({ status: 500 }, { appId }, 1);
    await set({ status: 429 }, { appId }, 2);
    const seen: number[] = [];
    for (let i = 0; i < 4; i++) seen.push(await ask(phone));
    expect(seen).toEqual([500, 429, 429, 202]);
  });

  test("exactly as many as configured, even for concurrent requests", async () => {
    const { appId, admin } = await app();
    const id = await set({ status: 500 }, { appId }, 5);
    const replies = await Promise.all(Array.from({ length: 20 }, () => admin("GET", "/v1/profiles")));
    expect(replies.filter(({ status }) => status === 500)).toHaveLength(5);
    expect(await fault(id)).toMatchObject({ used: 5, remaining: 0 });
  });
});

describe("matching", () => {
  test("all conditions have to match: listener, method, path, app", async () => {
    const [one, two] = [await app(), await app()];
    const { userId } = await one.profile();
    await two.profile();
    await set({ status: 500 }, { appId: one.appId, listener: "admin", method: "GET", path: "/v1/profiles/*" });
    expect((await one.admin("GET", `/v1/profiles/${userId}?x=1`)).status).toBe(500);
    expect((await one.admin("HEAD", `/v1/profiles/${userId}`)).status).toBe(500);
    expect((await one.admin("GET", "/v1/profiles")).status).toBe(200);
    expect((await one.admin("PUT", `/v1/profiles/${userId}`, {})).status).toBe(200);
    expect((await two.admin("GET", "/v1/profiles")).status).toBe(200);
    expect(await one.ask(freshPhone())).toBe(200);
  });

  test("a path without a star matches exactly, with or without a trailing slash", async () => {
    const { appId, admin, profile } = await app();
    const { userId } = await profile();
    await set({ status: 500 }, { appId, path: "/v1/profiles/" });
    expect((await admin("GET", "/v1/profiles?page=1")).status).toBe(500);
    expect((await admin("GET", "/v1/profiles/")).status).toBe(500);
    expect((await admin("GET", `/v1/profiles/${userId}`)).status).toBe(200);
  });

  test("a recipient matches in any case, also in an app with custom wire settings", async () => {
    const wire = { envelope: "session", appIdField: "clientId", userField: null };
    const { appId } = await app({ strategy: "email", settings: { wire } });
    await set({ status: 500 }, { to: "Ada@example.com", appId });
    const ask = (email: string) => auth("POST", LOGIN, { session: { clientId: appId, email } });
    expect((await ask("ADA@example.com")).status).toBe(500);
    expect((await ask("bob@example.com")).status).toBe(200);
  });

  test("the console never matches, and requests rejected before the rules do not use a fault up", async () => {
    const { appId } = await app();
    const id = await set({ status: 500 }, {}, 1);
    expect((await control("GET", "/status")).status).toBe(200);
    expect((await caller(() => running.server.urls.admin)("GET", "/v1/profiles")).status).toBe(401);
    expect((await auth("POST", LOGIN, "{")).status).toBe(400);
    expect((await auth("GET", "/livez")).status).toBe(200);
    expect((await auth("OPTIONS", LOGIN, undefined, { "Access-Control-Request-Method": "POST" })).status).toBe(204);
    expect(await fault(id)).toMatchObject({ used: 0 });
    expect((await auth("POST", LOGIN, { appId, user: { phone: freshPhone() } })).status).toBe(500);
  });

  test("a session extension matches the app and user of its token", async () => {
    const { appId, profile } = await app({ settings: { sessionExtensions: true } });
    const { userId, phone } = await profile();
    const { token } = (await control("POST", "/sessions", { appId, userId })).json;
    const read = () => auth("GET", LOGIN, undefined, { Authorization: `Bearer ${token}` });
    expect((await read()).status).toBe(200);
    await set({ status: 500 }, { appId, to: phone, method: "GET" }, 1);
    expect((await read()).status).toBe(500);
    expect((await read()).status).toBe(200);
  });
});

describe("effects", () => {
  test("a delay is in real time, then the request is processed", async () => {
    const { appId, admin } = await app();
    const id = await set({ delayMs: 120 }, { appId }, 1);
    const startedMs = performance.now();
    const slow = await admin("POST", "/v1/profiles", { name: "Ada" });
    expect(performance.now() - startedMs).toBeGreaterThan(115);
    expect([slow.status, slow.reason, slow.headers.get("Emulator-Fault")]).toEqual([201, null, id]);
    expect(await newestRow(appId)).toMatchObject({ fault: id, status: 201, reason: null });
  });

  test("a delayed request is not processed if the client leaves", async () => {
    const { appId, secret, admin } = await app();
    const id = await set({ delayMs: 60_000 }, { appId }, 1);
    const client = new AbortController();
    const answer = fetch(`${running.server.urls.admin}/v1/profiles`, {
      method: "POST",
      headers: { Authorization: `Bearer ${secret}` },
      signal: client.signal,
    });
    await until(
      () => fault(id),
      ({ used }) => used === 1,
    );
    client.abort();
    await expect(answer).rejects.toThrow();
    const left = await until(
      () => newestRow(appId),
      (found) => found !== undefined,
    );
    expect(left).toMatchObject({ status: 0, fault: id, reason: "fault_injected" });
    expect((await admin("GET", "/v1/profiles")).json).toEqual([]);
  });

  test.each([["drop"], ["reset"]])("%s: no response, no change, a row with status 0", async (how) => {
    const { appId, secret, admin } = await app();
    const id = await set({ [how]: true }, { appId, method: "POST" }, 1);
    await expect(
      fetch(`${running.server.urls.admin}/v1/profiles`, {
        method: "POST",
        headers: { Authorization: `Bearer ${secret}` },
      }),
    ).rejects.toThrow("fetch failed");
    expect(await newestRow(appId)).toMatchObject({
      status: 0,
      fault: id,
      reason: "fault_injected",
      response: { body: null },
    });
    expect((await admin("GET", "/v1/profiles")).json).toEqual([]);
    expect((await admin("POST", "/v1/profiles", {})).status).toBe(201);
  });

  test.each([
    [{ status: 502, body: "<html>Bad Gateway" }, 502, "<html>Bad Gateway", "text/plain; charset=utf-8"],
    [{ status: 200, body: { odd: [1] } }, 200, '{"odd":[1]}', "application/json; charset=utf-8"],
    [{ status: 204 }, 204, "", null],
  ])("%j returns exactly that", async (effect, status, text, type) => {
    const { appId, admin } = await app();
    await set(effect, { appId }, 1);
    const answer = await admin("GET", "/v1/profiles");
    expect([answer.status, answer.text, answer.headers.get("Content-Type")]).toEqual([status, text, type]);
  });

  test.each([
    ["a type", { "Content-Type": "text/html" }, "<p>", "text/html", "1"],
    [
      "any case",
      { "content-type": "application/problem+json", "retry-AFTER": "9" },
      {},
      "application/problem+json",
      "9",
    ],
    ["neither", {}, { a: 1 }, "application/json; charset=utf-8", "1"],
  ])("headers decide over the usual ones: %s", async (_, headers, body, type, retry) => {
    const { appId, ask } = await app();
    await set({ status: 503, headers: { ...headers, "X-Cache": "MISS \u00e9" }, body }, { appId }, 1);
    const answer = await auth("POST", LOGIN, { appId, user: { phone: freshPhone() } });
    expect(answer.headers.get("Content-Type")).toBe(type);
    expect(answer.headers.get("Retry-After")).toBe(retry);
    expect(answer.headers.get("X-Cache")).toBe("MISS \u00e9");
    expect([answer.reason, answer.headers.get("Access-Control-Allow-Origin")]).toEqual(["fault_injected", "*"]);
    const id = answer.headers.get("Emulator-Request-Id");
    const logged = (await row(id)).response.headers;
    const shown = Object.fromEntries(Object.entries(logged).map(([name, value]) => [name.toLowerCase(), value]));
    expect(shown).toMatchObject({ "x-cache": "MISS \u00e9", "retry-after": retry, "content-type": type });
    const bundled = (await control("GET", `/requests/${id}/bundle`)).json.requests.at(-1);
    expect(bundled.response.headers).toEqual(logged);
    expect(await ask(freshPhone())).toBe(200);
  });

  test("a redirect, and an answer without a body, have the headers of the fault, each once", async () => {
    const { appId, secret } = await app();
    const get = async (effect: object) => {
      await set(effect, { appId }, 1);
      return await rawGet(running.server.urls.admin, secret);
    };
    const portal = await get({ status: 302, headers: { location: "http://login.wifi.example/" } });
    expect(portal).toMatch(/^HTTP\/1.1 302 Found\r\n/);
    expect(portal).toContain("\r\nlocation: http://login.wifi.example/\r\n");
    const none = await get({ status: 204, headers: { "content-TYPE": "text/x-odd" } });
    expect(none.match(/^content-type: .*$/gim)).toEqual(["Content-Type: text/x-odd"]);
    const limited = await get({ status: 429, headers: { "retry-after": "7" } });
    expect(limited.match(/^retry-after: .*$/gim)).toEqual(["Retry-After: 7"]);
  });

  test("any origin can read a fault's response on auth", async () => {
    const { appId } = await app();
    await set({ status: 500 }, { appId }, 1);
    const { headers } = await auth("POST", LOGIN, { appId, user: { phone: freshPhone() } });
    expect(headers.get("Access-Control-Allow-Origin")).toBe("*");
    expect(headers.get("Access-Control-Expose-Headers")).toContain("Emulator-Fault");
  });
});

describe("undelivered", () => {
  test("returns 202 and issues the code, marks it as failed, and latest skips it", async () => {
    const { appId, ask, profile } = await app();
    const { phone } = await profile();
    const id = await set({ undelivered: true }, { to: phone }, 1);
    // A sign-up sends nothing, so it does not use the fault up.
    expect(await ask(freshPhone())).toBe(200);
    expect(await ask(phone)).toBe(202);
    const latest = `/passcodes/latest?appId=${appId}&to=${encodeURIComponent(phone)}`;
    expect((await control("GET", latest)).reason).toBe("no_passcode");
    const lost = (await control("GET", `${latest}&status=any`)).json;
    expect(lost).toMatchObject({ delivery: "failed", status: "active" });
    expect(await fault(id)).toMatchObject({ used: 1, remaining: 0 });
    expect((await auth("PUT", LOGIN, { appId, user: { phone }, passcode: "none" })).reason).toBe("passcode_mismatch");
    expect(await ask(phone)).toBe(202);
    expect((await control("GET", latest)).json).toMatchObject({ delivery: "sent" });
    expect((await auth("PUT", LOGIN, { appId, user: { phone }, passcode: lost.code })).reason).toBe(
      "passcode_replaced",
    );
  });
});

describe("recipients with a permanent fault", () => {
  test.each([
    ["always expired", "passcode_expired", 401],
    ["locked", "passcode_exhausted", 401],
  ])("%s: a code is sent, then rejected like the service does", async (_, reason, status) => {
    const { appId, ask, profile } = await app();
    const [{ phone }, other] = [await profile(), await profile()];
    await set({ reason }, { to: phone });
    for (let i = 0; i < 2; i++) {
      expect(await ask(phone)).toBe(202);
      const passcode = await code(phone, appId);
      const refused = await auth("PUT", LOGIN, { appId, user: { phone }, passcode });
      expect([refused.status, refused.reason, refused.json.message]).toEqual([status, reason, "Unauthorized"]);
    }
    expect((await newestRow(appId)).reason).toBe(reason);
    await ask(other.phone);
    const passcode = await code(other.phone, appId);
    expect((await auth("PUT", LOGIN, { appId, user: { phone: other.phone }, passcode })).status).toBe(200);
  });

  test("rate-limited: 429 with Retry-After; slow: a delay", async () => {
    const { ask, profile, appId } = await app();
    const { phone } = await profile();
    await set({ reason: "rate_limited" }, { to: phone }, 1);
    const refused = await auth("POST", LOGIN, { appId, user: { phone } });
    expect([refused.status, refused.reason, refused.headers.get("Retry-After")]).toEqual([429, "rate_limited", "1"]);
    await set({ delayMs: 60 }, { to: phone });
    const startedMs = performance.now();
    expect(await ask(phone)).toBe(202);
    expect(performance.now() - startedMs).toBeGreaterThan(55);
  });
});
