/** Valid and invalid bodies on admin and auth: 400, 413, 415, and the next harmless write works. */
import { once } from "node:events";
import { connect } from "node:net";
import { gzipSync } from "node:zlib";
import { afterEach, describe, expect, test, vi } from "vitest";
import { portOf } from "#test/http/guards/raw.ts";
import { harness, PHONE, type RawReply, raw, SESSION, speak } from "./support.ts";

const { server, app: newApp } = harness();
afterEach(() => void vi.useRealTimers());
const MIB = 1_048_576;
const JSON_TYPE = ["Content-Type", "application/json"];
const SECRET = ["Authorization", "Bearer sk_local_demo"];

const toAdmin = (body: string | Buffer | readonly (string | Buffer)[], headers: readonly string[] = JSON_TYPE) =>
  raw(`${server().urls.admin}/v1/profiles`, { headers: [...SECRET, ...headers], body });
const toAuth = (body: string | Buffer | readonly (string | Buffer)[], headers: readonly string[] = JSON_TYPE) =>
  raw(server().urls.auth + SESSION, { headers, body });

/** Expects a refusal with a JSON body, and that the next harmless write works. */
const expectRefused = async (reply: RawReply, status: number, reason?: string): Promise<void> => {
  expect(reply.status, reply.text.slice(0, 500)).toBe(status);
  expect(reply.headers["content-type"]).toMatch(/^application\/json/);
  const body = JSON.parse(reply.text);
  if (status !== 422) {
    expect(Object.keys(body)).toEqual(["message", "instruction"]);
    expect(body.message).toBe(reply.phrase);
    for (const text of Object.values(body)) expect(text).toMatch(/^[^<]+$/);
  }
  expect(reply.text).not.toMatch(/node_modules|\bat .*:\d+:\d+/);
  expect(reply.headers["emulator-reason"]).toMatch(/^[a-z][a-z0-9_]*$/);
  if (reason !== undefined) expect(reply.headers["emulator-reason"]).toBe(reason);
  expect((await toAdmin('{"name":"innocent"}')).status).toBe(201);
};
const nested = (open: string, close: string, levels: number) => open.repeat(levels) + close.repeat(levels);

describe("returns 400 on both listeners", () => {
  test.each([
    ["malformed_json", "{"],
    ["malformed_json", "{'a':1}"],
    ["malformed_json", '{"a":1,}'],
    ["malformed_json", '{"a":01}'],
    ["malformed_json", '{"a":NaN}'],
    ["malformed_json", '{"a":"\n"}'],
    ["malformed_json", "{} {}"],
    ["malformed_json", " "],
    ["malformed_json", "\0"],
    ["malformed_json", "<html>"],
    ["malformed_json", '{"a":"\\ud8"}'],
    ["body_not_object", "[]"],
    ["body_not_object", "null"],
    ["body_not_object", "5"],
    ["body_not_object", '"{}"'],
    ["body_not_object", "true"],
    ["body_too_deep", `{"a":${nested("[", "]", 32)}}`],
    ["body_too_deep", `{"a":${'{"a":'.repeat(32)}1${"}".repeat(32)}}`],
    ["body_too_deep", `{"metadata":${'{"a":'.repeat(10_000)}1${"}".repeat(10_000)}}`],
    ["body_too_deep", "[".repeat(200_000)],
    ["body_not_utf8", Buffer.from([0x7b, 0x22, 0x61, 0x22, 0x3a, 0x22, 0xff, 0x22, 0x7d])],
    ["body_not_utf8", Buffer.from('{"a":"é"}', "latin1")],
    ["body_not_utf8", Buffer.from('{"a":"é"}', "utf16le")],
    ["body_not_utf8", Buffer.from([0x7b, 0x22, 0xc0, 0x80, 0x22, 0x3a, 0x31, 0x7d])],
    ["body_not_utf8", Buffer.from([0x7b, 0x22, 0xed, 0xa0, 0x80, 0x22, 0x3a, 0x31, 0x7d])],
  ])("%s (%#)", async (reason, body) => {
    await expectRefused(await toAdmin(body), 400, reason);
    await expectRefused(await toAuth(body), 400, reason);
  });

  test("not for depth 32 or brackets in strings", async () => {
    expect((await toAdmin(`{"other":${nested("[", "]", 31)}}`)).status).toBe(201);
    expect((await toAdmin(JSON.stringify({ other: `${"[{".repeat(100)}\\"` }))).status).toBe(201);
  });

  test("for a path that cannot be decoded", async () => {
    for (const path of ["/v1/profiles/%E0%A4%A", "/v1/profiles/%", "/v1/profiles/%ff"])
      await expectRefused(
        await raw(server().urls.admin + path, { method: "GET", headers: SECRET }),
        400,
        "malformed_path",
      );
  });
});

describe("accepts", () => {
  test("a BOM", async () => {
    const reply = await toAdmin(Buffer.from('\ufeff{"name":"Ada"}'));
    expect([reply.status, JSON.parse(reply.text).name]).toEqual([201, "Ada"]);
  });

  test("duplicate keys: the last wins", async () => {
    expect(JSON.parse((await toAdmin('{"name":"a","name":"b"}')).text).name).toBe("b");
    const twice = await toAuth(`{"appId":"nobody","user":{},"appId":"demo-app","user":{"phone":"${PHONE}"}}`);
    expect(twice.status).toBe(200);
  });

  test("__proto__ and 1e999 in ignored fields", async () => {
    expect((await toAdmin('{"__proto__":{"name":"x"},"constructor":1,"n":1e999}')).status).toBe(201);
    expect({}).not.toHaveProperty("name");
    const { appId } = await newApp();
    const user = `{"phone":"${PHONE}","__proto__":{"name":"x"},"n":1e999}`;
    expect((await toAuth(`{"appId":"${appId}","user":${user},"__proto__":{"passcode":"1"}}`)).status).toBe(200);
  });

  test.each([
    "application/json",
    "APPLICATION/JSON",
    "application/json; charset=utf-8",
    'application/json;charset="UTF-8"',
    "application/vnd.api+json",
  ])("Content-Type %s", async (type) => expect((await toAdmin("{}", ["Content-Type", type])).status).toBe(201));

  test("Content-Encoding: identity", async () => {
    expect((await toAdmin("{}", [...JSON_TYPE, "Content-Encoding", "identity"])).status).toBe(201);
  });

  test("no body, with or without a Content-Type, as {}", async () => {
    for (const headers of [[], JSON_TYPE, ["Content-Type", "text/plain"]])
      expect((await toAdmin([], [...headers, "Content-Length", "0"])).status).toBe(201);
  });

  test("a chunked body", async () => {
    expect(JSON.parse((await toAdmin(['{"name":', '"Ada"', "}"])).text).name).toBe("Ada");
    const bytes = Buffer.from('{"name":"🌸"}');
    expect(JSON.parse((await toAdmin([bytes.subarray(0, 11), bytes.subarray(11)])).text).name).toBe("🌸");
  });
});

describe("returns 415", () => {
  test.each([
    ["text/plain"],
    ["application/x-www-form-urlencoded"],
    ["multipart/form-data; boundary=x"],
    ["application/json; charset=utf-16"],
    ["application/json; charset=latin1"],
    ["application/jsonp"],
    ["json"],
    ["text/json, application/json"],
  ])("for Content-Type: %s", async (type) => {
    await expectRefused(await toAdmin("{}", ["Content-Type", type]), 415, "not_json");
    await expectRefused(await toAuth("{}", ["Content-Type", type]), 415, "not_json");
  });

  test("for a body without a Content-Type", async () => {
    await expectRefused(await toAdmin("{}", []), 415, "not_json");
    await expectRefused(await toAuth("{}", []), 415, "not_json");
  });

  test.each(["gzip", "deflate", "br", "GZIP", "gzip, identity", "x"])(
    "for Content-Encoding: %s, without decompressing anything",
    async (encoding) => {
      const bomb = gzipSync(Buffer.alloc(20 * MIB));
      const headers = [...JSON_TYPE, "Content-Encoding", encoding];
      await expectRefused(await toAdmin(bomb, headers), 415, "encoded_body");
      await expectRefused(await toAuth("{}", headers), 415, "encoded_body");
    },
  );
});

describe("returns 413", () => {
  const sized = (bytes: number) => `{"junk":"${"x".repeat(bytes - 11)}"}`;

  test("for one byte more than 1 MiB, not for 1 MiB", async () => {
    expect(sized(MIB)).toHaveLength(MIB);
    expect((await toAdmin(sized(MIB))).status).toBe(201);
    await expectRefused(await toAdmin(sized(MIB + 1)), 413, "body_too_large");
    await expectRefused(await toAuth(sized(MIB + 1)), 413, "body_too_large");
  });

  test("for a chunked body too", async () => {
    const half = "x".repeat(MIB / 2);
    await expectRefused(await toAdmin(['{"junk":"', half, half, '"}']), 413, "body_too_large");
    await expectRefused(await toAuth(['{"junk":"', half, half, half, half, '"}']), 413, "body_too_large");
  });

  test("before reading the body: from Content-Length, or at the first byte above the limit", async () => {
    const head = `POST /v1/profiles HTTP/1.1\r\nHost: localhost\r\n${SECRET.join(": ")}\r\n${JSON_TYPE.join(": ")}\r\n`;
    const announced = await speak(server().urls.admin, `${head}Content-Length: 99999999\r\n\r\n{`);
    expect(announced).toMatch(/^HTTP\/1\.1 413 /);
    const size = MIB + 10;
    const chunk = `${size.toString(16)}\r\n${"x".repeat(size)}\r\n`;
    expect(await speak(server().urls.admin, `${head}Transfer-Encoding: chunked\r\n\r\n${chunk}`)).toMatch(
      /^HTTP\/1\.1 413 /,
    );
  });

  test("and drains the rest, so that the client sees the response", async () => {
    await expectRefused(await toAdmin(sized(8 * MIB)), 413, "body_too_large");
    await expectRefused(await toAuth(Array.from({ length: 16 }, () => sized(MIB / 2))), 413, "body_too_large");
  });

  test("and disconnects a client that does not stop sending within a second", async () => {
    const head = `POST ${SESSION} HTTP/1.1\r\nHost: localhost\r\n${JSON_TYPE.join(": ")}\r\n`;
    const chunk = `${(MIB + 1).toString(16)}\r\n${"x".repeat(MIB + 1)}\r\n`;
    for (const [rest, more] of [
      ["Content-Length: 99999999\r\n\r\n", "x"],
      [`Transfer-Encoding: chunked\r\n\r\n${chunk}`, "1\r\nx\r\n"],
    ]) {
      vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
      const socket = connect(portOf(server().urls.auth), "127.0.0.1", () => socket.write(`${head}${rest}`));
      const isClosed = vi.fn();
      socket.once("close", isClosed).on("error", () => undefined);
      const [answer] = await once(socket, "data");
      expect(String(answer)).toMatch(/^HTTP\/1\.1 413 /);
      vi.advanceTimersByTime(999);
      // A response to another request proves that the server has had time to close the connection.
      await toAdmin("{}");
      expect(isClosed).not.toHaveBeenCalled();
      vi.advanceTimersByTime(1);
      vi.useRealTimers();
      // Node itself closes a connection that is silent for five seconds.
      const sendMore = (): number => {
        if (isClosed.mock.calls.length === 0) socket.write(`${more}`);
        return isClosed.mock.calls.length;
      };
      await expect.poll(sendMore, { timeout: 20_000 }).toBe(1);
    }
  });
});

test("NUL and lone surrogates in any field return 422", async () => {
  for (const text of ['"\\u0000"', '"\\ud800"', '"a\\udc00b"']) {
    for (const field of ["name", "phone", "email"])
      await expectRefused(await toAdmin(`{"${field}":${text}}`), 422, "invalid_fields");
    await expectRefused(await toAuth(`{"appId":"demo-app","user":{"phone":"${PHONE}","name":${text}}}`), 422);
    await expectRefused(await toAuth(`{"appId":${text},"user":{"phone":"${PHONE}"}}`), 401, "unknown_app");
  }
});
