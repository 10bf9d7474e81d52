import { describe, expect, test } from "vitest";
import { harness } from "../control/support.ts";
import { type RawReply, send, sendBytes } from "./raw.ts";

const at = harness();
const { control } = at;
const LISTENERS = ["admin", "auth", "console"] as const;
const GET = {
  admin: "GET /v1/profiles HTTP/1.1",
  auth: "GET /.well-known/jwks.json HTTP/1.1",
  console: "GET /emulator/v1/apps HTTP/1.1",
};
const SECRET = "Authorization: Bearer sk_local_demo";
const seq = async () => (await control("GET", "/status")).json.seq;

describe("Expect: 100-continue", () => {
  const post = (secret: string, length: number): Promise<RawReply> =>
    send(
      at.server.urls.admin,
      [
        ...["POST /v1/profiles HTTP/1.1", "Host: localhost", `Authorization: Bearer ${secret}`],
        ...["Content-Type: application/json", `Content-Length: ${length}`, "Expect: 100-continue"],
      ],
      length === 2 ? "{}" : "",
    );

  test("is answered with 100 once the body may come, then with the response", async () => {
    const { text } = await post("sk_local_demo", 2);
    expect(text).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 201 Created\r\n/);
  });

  test("is refused at once, without a 100, if the body is too large or would not be read", async () => {
    const large = await post("sk_local_demo", 1_048_577);
    expect([large.status, large.text]).toEqual([413, expect.not.stringContaining("Continue")]);
    const stranger = await post("sk_nobody", 1_000);
    expect([stranger.status, stranger.text]).toEqual([401, expect.not.stringContaining("Continue")]);
  });
});

describe.each(LISTENERS)("%s", (listener) => {
  const url = () => at.server.urls[listener];
  const line = GET[listener];

  test("responds to a plain request, over HTTP/1.0 too", async () => {
    expect((await send(url(), [line, "Host: localhost", SECRET])).status).toBe(200);
    const old = await sendBytes(url(), `${line.replace("1.1", "1.0")}\r\nHost: localhost\r\n${SECRET}\r\n\r\n`);
    expect(old.status).toBe(200);
  });

  test.each([
    ["two Host headers", ["Host: localhost", "Host: localhost"]],
    ["two different ones", ["Host: 127.0.0.1", "host: evil.example"]],
    ["none on HTTP/1.1", []],
    ["an empty one", ["Host: "]],
    ["an invalid one", ["Host: a b"]],
    ["user info in it", ["Host: localhost@evil.example"]],
    ["a path in it", ["Host: localhost/evil"]],
  ])("returns 400 for Host: %s", async (_, hosts) => {
    const reply = await send(url(), [line, ...hosts, SECRET]);
    expect(reply.status).toBe(400);
    expect(reply.head.toLowerCase()).toContain("emulator-reason: bad_host");
    expect(Object.keys(JSON.parse(reply.body))).toEqual(["message", "instruction"]);
  });

  test("refuses an Expect that it does not know as everything else; HTTP/1.0 has none", async () => {
    const unknown = await send(url(), [line, "Host: localhost", SECRET, "Expect: x"]);
    expect(unknown.status).toBe(417);
    expect(unknown.head).toContain("Emulator-Reason: unknown_expectation");
    expect(unknown.head).toContain("Emulator: stagedoor/");
    expect(JSON.parse(unknown.body)).toMatchObject({ message: "Expectation Failed" });
    const id = /Emulator-Request-Id: (\S+)/.exec(unknown.head)?.[1];
    if (listener !== "console")
      expect((await control("GET", `/requests/${id}`)).json).toMatchObject({
        status: 417,
        reason: "unknown_expectation",
      });
    const lines = [line.replace("1.1", "1.0"), "Host: localhost", SECRET, "Expect: x"];
    expect((await send(url(), lines)).status).toBe(200);
  });

  test("returns 400 without a Host on HTTP/1.0", async () => {
    const reply = await sendBytes(url(), `${line.replace("1.1", "1.0")}\r\n${SECRET}\r\n\r\n`);
    expect(reply.status).toBe(400);
  });

  test.each([
    ["absolute-form", "GET http://localhost/livez HTTP/1.1"],
    ["absolute form for another host", "GET http://evil.example/v1/profiles HTTP/1.1"],
    ["an asterisk", "OPTIONS * HTTP/1.1"],
    ["a fragment", `${line.replace(" HTTP", "#x HTTP")}`],
    ["relative form", "GET v1/profiles HTTP/1.1"],
  ])("returns 400 for a target with %s", async (_, target) => {
    const reply = await send(url(), [target, "Host: localhost", SECRET]);
    expect(reply.status).toBe(400);
    expect(reply.text).not.toMatch(/<html|at .*\.[jt]s:/i);
  });

  test("does not speak HTTP/0.9", async () => {
    for (const bytes of [
      `${line.replace(" HTTP/1.1", "")}\r\n\r\n`,
      `${line.replace(" HTTP/1.1", "")}\r\nHost: localhost\r\n\r\n`,
    ]) {
      const reply = await sendBytes(url(), bytes, 500);
      expect([0, 400]).toContain(reply.status);
      expect(reply.body).not.toMatch(/"items"|"userId"|"keys"/);
    }
  });

  test.each([
    [
      "length and chunks",
      "POST /v1/profiles HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    ],
    [
      "two lengths",
      "POST /v1/profiles HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}",
    ],
    ["a negative length", "POST /v1/profiles HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n"],
    ["a space before the colon", "GET / HTTP/1.1\r\nHost : localhost\r\n\r\n"],
    ["HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"],
    ["TLS", "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"],
  ])("returns 400 for %s, and nothing happens", async (_, bytes) => {
    const before = await seq();
    expect((await sendBytes(url(), bytes)).status).toBe(400);
    expect(await seq()).toBe(before);
  });

  test("returns 431 for 20 KB of headers and accepts 900 small ones", async () => {
    expect((await send(url(), [line, "Host: localhost", `X-Large: ${"x".repeat(20_000)}`])).status).toBe(431);
    // Newer versions of Node take at most about a thousand.
    const many = Array.from({ length: 900 }, (_, n) => `X${n % 10}: 1`);
    expect((await send(url(), [line, "Host: localhost", SECRET, ...many])).status).toBe(200);
  });

  test.each(["/%E0%A4%A", "/%", "/%00", "/..%2f..%2fetc/passwd", "//", "//evil.example/", "/\\evil.example"])(
    "returns neither a 5xx nor an HTML error for the path %s",
    async (path) => {
      const reply = await send(url(), [`GET ${path} HTTP/1.1`, "Host: localhost", SECRET]);
      expect(reply.status).toBeGreaterThanOrEqual(200);
      expect(reply.status).toBeLessThan(500);
      expect(reply.text).not.toMatch(/root:|node_modules|at .*\.[jt]s:/);
      if (reply.status >= 400) expect(Object.keys(JSON.parse(reply.body))).toEqual(["message", "instruction"]);
    },
  );

  test("responds in the order of the requests on one connection", async () => {
    const one = `${line}\r\nHost: localhost\r\n${SECRET}\r\n\r\n`;
    const last = `GET /livez HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`;
    const { text } = await sendBytes(url(), one.repeat(20) + last);
    expect(text.match(/HTTP\/1\.1 200/g)).toHaveLength(21);
    expect(text.endsWith("ok\n")).toBe(true);
  });
});
