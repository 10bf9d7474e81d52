import { execFile } from "node:child_process";
import { once } from "node:events";
import { IncomingMessage } from "node:http";
import { get } from "node:https";
import { connect as connectTcp, Socket } from "node:net";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { BOUNDS } from "#contract/bounds.ts";
import { Clients, deviceOf } from "#http/clients.ts";
import { Exchange } from "#http/traffic/exchange.ts";
import { openEvents } from "#test/http/events/event-stream.ts";
import { portOf } from "#test/http/guards/raw.ts";
import { harness, until } from "./support.ts";

const run = harness({ config: { tls: true } });
const list = async () => (await run.control("GET", "/clients")).json;
const newest = async () => (await list()).items[0];
const as = (userAgent: string) => ({ "User-Agent": userAgent });
const IPHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_2 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148 Safari/604.1";

test("lists clients of auth with scheme and result, and no clients of other listeners", async () => {
  const before = (await list()).total;
  await run.admin("GET", "/v1/profiles", undefined, as("a backend"));
  expect((await list()).total).toBe(before);
  await run.auth("POST", "/v1/users/session", { appId: "ghost" }, as(IPHONE));
  await run.auth("GET", "/emulator/hello", undefined, as(IPHONE));
  await run.auth("POST", "/v1/users/session", { appId: "ghost", user: {} }, as(IPHONE));
  expect(await newest()).toEqual({
    id: expect.any(String),
    remote: "127.0.0.1",
    userAgent: IPHONE,
    device: "iPhone",
    firstSeenAt: expect.any(String),
    lastSeenAt: expect.any(String),
    http: true,
    https: false,
    tlsRefusals: 0,
    tlsAborted: 0,
    requests: 3,
    lastStatus: 401,
    lastReason: "unknown_app",
  });
});

/** A request from 10.0.0.7. */
const fakeRequest = (userAgent: string): IncomingMessage => {
  const socket = new Socket();
  Object.defineProperty(socket, "remoteAddress", { value: "10.0.0.7" });
  const request = new IncomingMessage(socket);
  request.headers = { "user-agent": userAgent };
  return request;
};
const openssl = promisify(execFile);
const hasOpenssl = await openssl("openssl", ["version"]).then(
  () => true,
  () => false,
);

test("counts failed handshakes: certificate rejections and others", async ({ skip }) => {
  skip(!hasOpenssl, "OpenSSL is not installed");
  const name = "OkHttp that fails";
  await run.auth("GET", "/livez", undefined, as(name));
  // It trusts no authority and, unlike Node, says so before it ends the handshake.
  const target = `127.0.0.1:${portOf(run.server.authTlsUrl ?? "")}`;
  await openssl("openssl", ["s_client", "-connect", target, "-verify_return_error"]).catch(() => undefined);
  const refused = await until(newest, ({ tlsRefusals }) => tlsRefusals === 1);
  expect(refused).toMatchObject({ userAgent: name, tlsAborted: 0, requests: 1, https: false });
  const plain = connectTcp(portOf(run.server.authTlsUrl ?? ""), "127.0.0.1", () =>
    plain.write("GET / HTTP/1.1\r\n\r\n"),
  );
  plain.on("error", () => undefined).resume();
  expect(await until(newest, ({ tlsAborted }) => tlsAborted === 1)).toMatchObject({ userAgent: name, tlsRefusals: 1 });
  // A mere port check starts no handshake.
  const look = connectTcp(portOf(run.server.authTlsUrl ?? ""), "127.0.0.1", () => look.destroy());
  await once(look, "close");
  const { ca, url } = (await run.control("GET", "/tls")).json;
  const [answer] = await once(get(`${url}/livez`, { ca: ca.pem, headers: as(name), agent: false }), "response");
  answer.resume();
  expect(await newest()).toMatchObject({ http: true, https: true, tlsRefusals: 1, tlsAborted: 1 });
});

test("a client that first fails a handshake gets a nameless row, and its name with the first request", () => {
  const clients = new Clients(
    () => 0,
    () => "c1",
    () => undefined,
  );
  clients.noteHandshake("::ffff:10.0.0.7", "aborted");
  expect(clients.list()).toMatchObject([{ remote: "10.0.0.7", userAgent: null, device: null, tlsAborted: 1 }]);
  const request = new Exchange("auth", "r1", fakeRequest("okhttp/5"), 0, 0);
  clients.note(request);
  clients.noteHandshake("10.0.0.7", "refused");
  clients.stop();
  expect(clients.list()).toMatchObject([
    { userAgent: "okhttp/5", device: "Android app", tlsAborted: 1, tlsRefusals: 1, requests: 1 },
  ]);
});

test("events report every change", async () => {
  const stream = await openEvents(run.server.urls.console);
  await run.auth("GET", "/livez", undefined, as("curl/8.5.0"));
  const found = await until(
    async () => stream.events.find(({ type, item }) => type === "client.put" && item?.device === "curl"),
    (event) => event !== undefined,
  );
  stream.close();
  expect(found?.item).toMatchObject({ device: "curl", http: true });
});

test("keeps the newest 200", async () => {
  await run.auth("GET", "/livez", undefined, as("the first"));
  for (let i = 0; i < BOUNDS.clients.most; i++) await run.auth("GET", "/livez", undefined, as(`client ${i}`));
  const { items, total } = await list();
  expect([total, items.length]).toEqual([200, 200]);
  expect(items[0].userAgent).toBe("client 199");
  expect(items.some(({ userAgent }: { userAgent: string }) => userAgent === "the first")).toBe(false);
});

test.each([
  [IPHONE, "iPhone"],
  ["Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 Chrome/131.0 Mobile Safari/537.36", "Android phone"],
  ["Mozilla/5.0 (Linux; Android 15; SM-X910) AppleWebKit/537.36 Chrome/131.0 Safari/537.36", "Android device"],
  ["okhttp/4.12.0", "Android app"],
  ["FrontRow/12 CFNetwork/1568.300.101 Darwin/24.2.0", "iOS app"],
  ["Dart/3.6 (dart:io)", "Flutter app"],
  ["curl/8.5.0", "curl"],
  ["Mozilla/5.0 (Windows NT 10.0; Win64; x64)", "Windows computer"],
  ["python-requests/2.32", "python-requests"],
  ["(?)", null],
  [null, null],
])("%s is %s", (userAgent, device) => {
  expect(deviceOf(userAgent)).toBe(device);
});
