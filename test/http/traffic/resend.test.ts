import { execFile } from "node:child_process";
import { request } from "node:http";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { caller, type Reply } from "#test/hosts/client.ts";
import { listen } from "#test/hosts/listen.ts";
import { freshPhone, harness, NOBODY } from "#test/http/control/support.ts";

const running = harness();
const { control, auth, as, app } = running;
const LOGIN = "/v1/users/session";
const sh = promisify(execFile);

const idOf = ({ headers }: Pick<Reply, "headers">): string => headers.get("Emulator-Request-Id") ?? "";
const curl = async (id: string): Promise<string> => (await control("GET", `/requests/${id}/curl`)).text;
const resend = async (id: string) => (await control("POST", `/requests/${id}/replay`)).json;
const newest = async () => (await control("GET", "/requests?limit=1")).json.items[0];
/** Runs the line in a shell. @returns curl's output. */
const run = async (line: string): Promise<string> => (await sh("sh", ["-c", `${line.trim()} -s`])).stdout;

describe("GET requests/:id/curl", () => {
  test("returns text with the real URL, secret and body that repeats the request", async () => {
    const { appId, admin, secret } = await app();
    const made = await admin("POST", "/v1/profiles?x=1", { name: "Ann" });
    const reply = await control("GET", `/requests/${idOf(made)}/curl`);
    expect([reply.status, reply.headers.get("Content-Type")]).toEqual([200, "text/plain; charset=utf-8"]);
    expect(reply.text).toContain(`'${running.server.urls.admin}/v1/profiles?x=1'`);
    expect(reply.text).toContain(`authorization: Bearer ${secret}`);
    const again = JSON.parse(await run(reply.text));
    expect(again.name).toBe("Ann");
    expect(again.userId).not.toBe(made.json.userId);
    expect((await control("GET", `/profiles?appId=${appId}`)).json.total).toBe(2);
  });

  test("hides a secret without an app, a token and a cookie", async () => {
    const stranger = await as("sk_not_to_be_shown")("GET", "/v1/profiles", undefined, { Cookie: "a=not_to_be_shown" });
    expect(await curl(idOf(stranger))).toContain("authorization: Bearer <APP_SECRET>");
    const token = await auth("GET", LOGIN, undefined, { Authorization: "Bearer not_to_be_shown" });
    expect(await curl(idOf(token))).toContain("authorization: Bearer <USER_SESSION_TOKEN>");
    expect((await curl(idOf(stranger))) + (await curl(idOf(token)))).not.toContain("not_to_be_shown");
  });

  test.each([
    ["quotes and commands", `{"name":"'; touch /nowhere/x; echo '$(id)\`id\`\\"\\\\n!"}`],
    ["line ends and tabs", '{\n\t"name": "two\\nlines"\n}'],
    ["an @ that is not a file", "@/etc/hostname"],
    ["other scripts", '{"name":"Ünïcödé 日本 👩‍👧"}'],
    ["bidirectional text", '{"name":"\u202etxt"}'],
    ["a NUL", '{"name":"a\u0000b"}'],
  ])("preserves %s exactly", async (_, body) => {
    const { admin } = await app();
    const sent = await admin("POST", "/v1/profiles", body, { "X-Odd": 'it\'s "$HOME" `id`', "X-Empty": "" });
    const answer = await run(await curl(idOf(sent)));
    const row = await newest();
    expect([row.status, row.request.body, row.request.headers["x-odd"], row.request.headers["x-empty"]]).toEqual([
      sent.status,
      body,
      'it\'s "$HOME" `id`',
      "",
    ]);
    expect(answer).toBe(row.response.body);
  });

  test("preserves invalid UTF-8, odd paths, other methods, and the type of an absent body", async () => {
    const { secret } = await app();
    const raw = (method: string, path: string, body?: Buffer): Promise<string> =>
      new Promise((resolve, reject) => {
        const headers = {
          Authorization: `Bearer ${secret}`,
          ...(body === undefined ? {} : { "Content-Length": body.length }),
        };
        const sent = request(running.server.urls.admin, { method, path, headers, agent: false }, (response) => {
          response.resume();
          resolve(String(response.headers["emulator-request-id"]));
        });
        sent.once("error", reject);
        sent.end(body);
      });
    for (const [method, path] of [
      ["GET", "/v1/../v1/profiles/[a-c]{1,2}'x"],
      ["HEAD", "/v1/profiles"],
      ["PATCH", "/v1/profiles"],
      ["GET", "http://evil.example/v1/profiles"],
    ] as const) {
      const before = (await control("GET", `/requests/${await raw(method, path)}`)).json;
      await run(await curl(before.id));
      expect(await newest()).toMatchObject({ method, path, status: before.status });
    }
    const login = await fetch(running.server.urls.auth + LOGIN, {
      method: "POST",
      body: Buffer.from([0x7b, 0xff, 0xfe, 0x27, 0x5c, 0x7d]),
      headers: { "Content-Type": "application/json" },
    });
    await run(await curl(idOf(login)));
    expect(await newest()).toMatchObject({ method: "POST", status: 400, reason: "body_not_utf8" });
  });

  test("returns 404 for an unknown row, and 409 if its body was truncated or not read", async () => {
    const { admin, appId } = await app();
    expect((await control("GET", `/requests/${NOBODY}/curl`)).reason).toBe("unknown_record");
    expect((await control("POST", `/requests/${NOBODY}/replay`)).reason).toBe("unknown_record");
    const long = await admin("POST", "/v1/profiles", { name: "x".repeat(17_000) });
    const unread = await caller(() => running.server.urls.admin)("POST", "/v1/profiles", {});
    for (const reply of [long, unread]) {
      expect((await control("GET", `/requests/${idOf(reply)}/curl`)).reason).toBe("body_not_kept");
      expect((await control("POST", `/requests/${idOf(reply)}/replay`)).reason).toBe("body_not_kept");
    }
    expect((await control("GET", `/profiles?appId=${appId}`)).json.total).toBe(0);
  });
});

describe("POST requests/:id/replay", () => {
  test("sends the given values instead of the logged ones", async () => {
    const { admin } = await app();
    const first = await admin("POST", "/v1/profiles", { name: "Ann" }, { "X-Kept": "1", "X-Gone": "2" });
    const change = { path: "/v1/profiles?again=1", headers: { "x-gone": null, "X-New": "3" }, body: '{"name":"Bea"}' };
    const again = (await control("POST", `/requests/${idOf(first)}/replay`, change)).json;
    expect([again.status, JSON.parse(again.body).name]).toEqual([201, "Bea"]);
    const { path, request: sent } = (await control("GET", `/requests/${again.requestId}`)).json;
    expect([path, sent.headers["x-kept"], sent.headers["x-gone"], sent.headers["x-new"]]).toEqual([
      "/v1/profiles?again=1",
      "1",
      undefined,
      "3",
    ]);
    const listed = (await control("POST", `/requests/${idOf(first)}/replay`, { method: "GET", body: null })).json;
    expect(JSON.parse(listed.body).map(({ name }: { name: string }) => name)).toContain("Bea");
    const without = { headers: { authorization: null } };
    expect((await control("POST", `/requests/${idOf(first)}/replay`, without)).json.status).toBe(401);
  });

  test.each([
    [{ method: "TRACE" }, "method"],
    [{ path: "v1/profiles" }, "path"],
    [{ path: "/a b" }, "path"],
    [{ path: "/a\r\nX: y" }, "path"],
    [{ headers: { "x-a": "1\r\nx-b: 2" } }, "headers"],
    [{ headers: { "bad name": "1" } }, "headers"],
    [{ headers: { Host: "elsewhere.example" } }, "headers"],
    [{ headers: { "Transfer-Encoding": "chunked" } }, "headers"],
    [{ boddy: "" }, "boddy"],
  ])("rejects %j", async (change, field) => {
    const { admin } = await app();
    const first = await admin("GET", "/v1/profiles");
    const reply = await control("POST", `/requests/${idOf(first)}/replay`, change);
    expect([reply.status, Object.keys(reply.json).some((key) => key.startsWith(field))]).toEqual([422, true]);
  });

  test("accepts a body in place of one that was not kept", async () => {
    const { admin } = await app();
    const long = await admin("POST", "/v1/profiles", { name: "x".repeat(17_000) });
    const again = (await control("POST", `/requests/${idOf(long)}/replay`, { body: '{"name":"short"}' })).json;
    expect(again.status).toBe(201);
  });

  test("repeats the request and returns its response", async () => {
    const { appId, admin } = await app();
    const phone = freshPhone();
    const first = await admin("POST", "/v1/profiles", { phone });
    const again = await resend(idOf(first));
    expect([again.status, JSON.parse(again.body)]).toEqual([422, { phone: ["has already been taken"] }]);
    expect(again.headers["emulator-reason"]).toBe("invalid_fields");
    expect((await control("GET", `/requests/${again.requestId}`)).json).toMatchObject({
      method: "POST",
      path: "/v1/profiles",
      status: 422,
      appId,
      request: { body: JSON.stringify({ phone }) },
    });
  });

  test("repeats a login: first sign-up, then a code", async () => {
    const { appId } = await app();
    const first = await auth("POST", LOGIN, { appId, user: { phone: freshPhone() } });
    expect(first.status).toBe(200);
    expect(await resend(idOf(first))).toMatchObject({ status: 202, body: null });
  });

  test("uses the app's current secret, and the session token as it was", async () => {
    const { appId, admin, profile } = await app({ settings: { sessionExtensions: true } });
    const listed = await admin("GET", "/v1/profiles");
    const { userId } = await profile();
    await control("POST", `/apps/${appId}/secret`);
    expect((await admin("GET", "/v1/profiles")).status).toBe(401);
    const again = await resend(idOf(listed));
    expect([again.status, JSON.parse(again.body)]).toEqual([200, [expect.objectContaining({ userId })]]);
    const { token } = (await control("POST", "/sessions", { appId, userId })).json;
    const read = await auth("GET", LOGIN, undefined, { Authorization: `Bearer ${token}` });
    expect(await resend(idOf(read))).toMatchObject({ status: 200 });
  });

  test("never calls another host, whatever the row says", async () => {
    let asked = 0;
    const { createServer } = await import("node:http");
    const other = createServer((_req, res) => {
      asked++;
      res.end();
    });
    const port = await listen(other);
    const id = await new Promise<string>((resolve, reject) => {
      const path = `http://127.0.0.1:${port}/v1/profiles`;
      const headers = { Host: `127.0.0.1:${port}` };
      request(running.server.urls.admin, { path, headers, agent: false }, (response) => {
        response.resume();
        resolve(String(response.headers["emulator-request-id"]));
      })
        .once("error", reject)
        .end();
    });
    expect(await resend(id)).toMatchObject({ status: 400, headers: { "emulator-reason": "bad_target" } });
    expect(asked).toBe(0);
    other.close();
  });

  test("reports a fault that hangs up as status 0", async () => {
    const { appId, admin } = await app();
    const listed = await admin("GET", "/v1/profiles");
    await control("POST", "/faults", { match: { appId }, effect: { drop: true }, times: 1 });
    expect(await resend(idOf(listed))).toEqual({ status: 0, headers: {}, body: null, requestId: null });
    const other = await control("POST", `/requests/${idOf(listed)}/replay`, { path: "/v1/profiles?page=1" });
    expect(other.json).toMatchObject({ status: 200, body: "[]" });
  });
});
