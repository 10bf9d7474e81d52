import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { RunningServer } from "#server/server.ts";
import { caller, clientsOf } from "#test/hosts/client.ts";
import { startInProcess } from "#test/hosts/in-process.ts";
import { send } from "#test/http/guards/raw.ts";

describe("--console-host", () => {
  let server: RunningServer;
  const base = () => server.urls.console;
  const anyone = caller(base);
  const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });
  beforeAll(async () => {
    server = await startInProcess({ config: { consoleHost: "127.0.0.1", allowHosts: ["tunnel.example"] } });
  });
  afterAll(() => server.close());

  test("generates an unguessable token, a new one at each start", async () => {
    const other = await startInProcess({ config: { consoleHost: "127.0.0.1" } });
    await other.close();
    expect(server.accessToken?.length).toBeGreaterThanOrEqual(24);
    expect(other.accessToken).not.toBe(server.accessToken);
    const closed = await startInProcess();
    await closed.close();
    expect(closed.accessToken).toBeNull();
  });

  test("returns 401 to every call, stream and page without the token, and changes nothing", async () => {
    for (const [method, path, body] of [
      ["GET", "/"],
      ["GET", "/sessions"],
      ["GET", "/openapi/control.json"],
      ["GET", "/emulator/v1/status"],
      ["GET", "/emulator/v1/events"],
      ["POST", "/emulator/v1/apps", { appId: "evil" }],
      ["DELETE", "/emulator/v1/state"],
      ["GET", "/assets/index.js"],
    ] as const) {
      const refused = await anyone(method, path, body);
      expect([path, refused.status, refused.reason]).toEqual([path, 401, "missing_access_token"]);
      expect(refused.headers.get("WWW-Authenticate")).toMatch(/^Bearer/);
    }
    const token = server.accessToken ?? "";
    for (const wrong of ["", "x", token.slice(1), `${token}x`, token.toLowerCase()]) {
      expect((await anyone("GET", "/emulator/v1/apps", undefined, bearer(wrong))).status).toBe(401);
    }
    expect((await anyone("GET", "/emulator/v1/apps/evil", undefined, bearer(token))).status).toBe(404);
  });

  test("returns 401, never a 5xx, to odd paths without the token", async () => {
    for (const path of ["//", "//x:99999/", "/?access_token=", "/\\", "/%"]) {
      const { status } = await send(base(), [`GET ${path} HTTP/1.1`, "Host: localhost"]);
      expect([path, status]).toEqual([path, 401]);
    }
  });

  test("accepts the token as a bearer token everywhere", async () => {
    const token = server.accessToken ?? "";
    expect((await anyone("GET", "/emulator/v1/apps", undefined, bearer(token))).status).toBe(200);
    const made = await anyone("POST", "/emulator/v1/apps", {}, { Authorization: `bearer ${token}` });
    expect(made.status).toBe(201);
  });

  test("serves health without a token, accepts --allow-host names and refuses foreign origins", async () => {
    expect((await anyone("GET", "/livez")).status).toBe(200);
    const authorization = `Authorization: Bearer ${server.accessToken}`;
    const ask = (...headers: string[]) => send(base(), ["GET /emulator/v1/apps HTTP/1.1", authorization, ...headers]);
    expect((await ask("Host: tunnel.example")).status).toBe(200);
    expect((await ask("Host: evil.example")).status).toBe(421);
    expect((await ask("Host: localhost", "Origin: http://evil.example")).status).toBe(403);
  });
});

describe("the cookie of a browser", () => {
  let server: RunningServer;
  beforeAll(async () => {
    server = await startInProcess({
      config: { consoleHost: "127.0.0.1", accessToken: "only-for-us", allowHosts: ["qa.example.com"] },
    });
  });
  afterAll(() => server.close());
  const cookieFor = async (...headers: string[]) => {
    const { status, head } = await send(server.urls.console, ["GET /?access_token=only-for-us HTTP/1.1", ...headers]);
    expect(status).toBe(303);
    return /set-cookie: (.*)/i.exec(head)?.[1] ?? "";
  };

  test.each([
    ["an https origin", ["Host: qa.example.com", "Origin: https://qa.example.com"]],
    ["a name that a browser trusts, so by https", ["Host: qa.example.com", "Sec-Fetch-Site: none"]],
  ])("is Secure for %s", async (_, headers) => {
    expect(await cookieFor(...headers)).toMatch(/; Secure$/);
  });

  test.each([
    ["an http origin", ["Host: qa.example.com", "Origin: http://qa.example.com"]],
    ["loopback, which a browser trusts by http too", ["Host: 127.0.0.1:4012", "Sec-Fetch-Site: none"]],
    ["a browser that says nothing", ["Host: qa.example.com"]],
  ])("is not Secure for %s: the browser would drop it", async (_, headers) => {
    expect(await cookieFor(...headers)).toMatch(/SameSite=Strict; Path=\/$/);
  });
});

describe("--admin-host", () => {
  test("a first start generates random secrets and prints them; the demo secrets never work, not even after a reset", async () => {
    const server = await startInProcess({ config: { adminHost: "127.0.0.1" } });
    const { as, control } = clientsOf(() => server);
    const secrets = server.apps.map(({ secret }) => secret);
    expect(secrets).not.toContain("sk_local_demo");
    expect(new Set(secrets).size).toBe(secrets.length);
    for (const secret of secrets) {
      expect(server.notices.join("\n")).toContain(secret);
      expect((await as(secret)("GET", "/v1/profiles")).status).toBe(200);
    }
    for (const secret of ["sk_local_demo", "sk_local_demo_mail"])
      expect((await as(secret)("GET", "/v1/profiles")).status).toBe(401);
    expect((await control("DELETE", "/state")).status).toBe(204);
    const [first = ""] = secrets;
    expect((await as(first)("GET", "/v1/profiles")).status).toBe(200);
    expect((await as("sk_local_demo")("GET", "/v1/profiles")).status).toBe(401);
    await server.close();
  });

  test("a later start refuses data with the demo secret and says so; a new secret works", async () => {
    const dataDir = await mkdtemp(join(tmpdir(), "stagedoor-open-"));
    const durability = "process";
    const closed = await startInProcess({ config: { dataDir, durability } });
    expect((await clientsOf(() => closed).admin("GET", "/v1/profiles")).status).toBe(200);
    await closed.close();
    const server = await startInProcess({ config: { dataDir, durability, adminHost: "127.0.0.1" } });
    const { admin, as, control } = clientsOf(() => server);
    expect((await admin("GET", "/v1/profiles")).status).toBe(401);
    expect(server.notices.join("\n")).toMatch(/demo-app/);
    const { secret } = (await control("POST", "/apps/demo-app/secret")).json;
    expect((await as(secret)("GET", "/v1/profiles")).status).toBe(200);
    await server.close();
    await rm(dataDir, { recursive: true });
  });
});
