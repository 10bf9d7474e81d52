import { hostname } from "node:os";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { RunningServer } from "#server/server.ts";
import { startInProcess } from "#test/hosts/in-process.ts";
import { send, sendBytes } from "./raw.ts";

let [plain, allowed]: [RunningServer | undefined, RunningServer | undefined] = [undefined, undefined];
beforeAll(async () => {
  [plain, allowed] = await Promise.all([
    startInProcess(),
    startInProcess({ config: { allowHosts: ["tunnel.example"] } }),
  ]);
});
afterAll(async () => {
  await Promise.all([plain?.close(), allowed?.close()]);
});

const ASK = {
  admin: ["GET /v1/profiles HTTP/1.1", "Authorization: Bearer sk_local_demo"],
  auth: ["GET /.well-known/jwks.json HTTP/1.1"],
  console: ["GET /emulator/v1/apps HTTP/1.1"],
} as const;
const ask = async (server: RunningServer | undefined, listener: keyof typeof ASK, host: string) =>
  await send(server?.urls[listener] ?? "", [...ASK[listener], `Host: ${host}`]);

const machine = hostname();

/** Host → response of admin and console; auth accepts any name. */
test.each([
  ["127.0.0.1", 200, 200],
  ["127.0.0.1:1", 200, 200],
  ["localhost", 200, 200],
  ["LOCALHOST:80", 200, 200],
  ["127.1", 200, 200],
  ["2130706433", 200, 200],
  ["0x7f.1", 200, 200],
  ["[::1]", 200, 200],
  ["[::1]:4012", 200, 200],
  ["[::ffff:127.0.0.1]", 200, 200],
  ["192.168.1.20:4010", 200, 200],
  ["0.0.0.0", 200, 200],
  ["app.localhost", 200, 421],
  ["evil.localhost:4010", 200, 421],
  [machine, 200, machine === "localhost" ? 200 : 421],
  [`${machine.toUpperCase()}.local`, 200, 421],
  ["host.docker.internal:4010", 200, 421],
  ["host.containers.internal", 200, 421],
  ["evil.example", 421, 421],
  ["localhost.", 421, 421],
  ["localhost.evil.example", 421, 421],
  ["127.0.0.1.evil.example", 421, 421],
  ["notlocalhost", 421, 421],
  ["tunnel.example", 421, 421],
] as const)("Host %s returns %i on admin, %i on console", async (host, admin, own) => {
  expect((await ask(plain, "admin", host)).status).toBe(admin);
  expect((await ask(plain, "console", host)).status).toBe(own);
  expect((await ask(plain, "auth", host)).status).toBe(200);
});

test("a 421 gives the cause and the remedy, and reveals nothing", async () => {
  for (const listener of ["admin", "console"] as const) {
    const reply = await ask(plain, listener, "evil.example");
    expect(reply.head.toLowerCase()).toContain("emulator-reason: misdirected_host");
    const body = JSON.parse(reply.body);
    expect([body.message, Object.keys(body)]).toEqual(["Misdirected Request", ["message", "instruction"]]);
    expect(body.instruction).toContain("--allow-host");
  }
});

describe("--allow-host", () => {
  test("adds a name on admin, in any case and with any port; and on the console, also on loopback", async () => {
    expect((await ask(allowed, "admin", "tunnel.example")).status).toBe(200);
    expect((await ask(allowed, "admin", "Tunnel.Example:8443")).status).toBe(200);
    expect((await ask(allowed, "admin", "sub.tunnel.example")).status).toBe(421);
    expect((await ask(allowed, "console", "Tunnel.Example:8443")).status).toBe(200);
    expect((await ask(allowed, "console", "sub.tunnel.example")).status).toBe(421);
  });
});

test.each(["admin", "auth", "console"] as const)(
  "%s: /livez and /readyz respond whatever the Host",
  async (listener) => {
    const url = plain?.urls[listener] ?? "";
    for (const path of ["/livez", "/readyz", "/livez/", "/readyz?full=1"])
      for (const host of ["Host: evil.example", "Host: localhost", "X-No: host", "Host: "]) {
        const reply = await send(url, [`GET ${path} HTTP/1.1`, host]);
        expect([path, host, reply.status]).toEqual([path, host, 200]);
      }
    const head = await send(url, ["HEAD /livez HTTP/1.1", "Host: x"]);
    expect([head.status, head.body]).toEqual([200, ""]);
    const post = await send(url, ["POST /livez HTTP/1.1", "Host: x", "Content-Length: 0"]);
    expect(post.status).toBe(405);
    expect(post.head.toLowerCase()).toContain("allow: get, head");
  },
);

test.each(["admin", "auth", "console"] as const)("%s responds on ::1 too, on the same port", async (listener) => {
  const url = plain?.urls[listener] ?? "";
  const bytes = "GET /livez HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
  expect((await sendBytes(url, bytes, 3_000, "::1")).status).toBe(200);
});
