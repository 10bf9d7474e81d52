import { X509Certificate } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { RunningServer } from "#server/server.ts";
import { caller, clientsOf } from "#test/hosts/client.ts";
import { startInProcess } from "#test/hosts/in-process.ts";

let server: RunningServer;
let dir = "";
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), "stagedoor-hello-"));
  server = await startInProcess({ config: { caDir: dir } });
});
afterAll(async () => {
  await server.close();
  await rm(dir, { recursive: true });
});
const { auth, admin, control } = clientsOf(() => server);
const page = (userAgent = "curl/8", query = "") =>
  auth("GET", `/emulator/hello${query}`, undefined, { "User-Agent": userAgent });
const IPHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_2 like Mac OS X) Safari/604.1";
const ANDROID = "Mozilla/5.0 (Linux; Android 15; Pixel 9) Chrome/131.0 Mobile Safari/537.36";

test("before TLS is on, the page says so and offers no certificate", async () => {
  const { status, text, headers } = await page();
  expect([status, headers.get("Content-Type")]).toEqual([200, "text/html; charset=utf-8"]);
  expect(text).toContain("https is off");
  const refused = await auth("GET", "/emulator/hello/ca.crt");
  expect([refused.status, refused.reason]).toEqual([404, "no_certificate"]);
});

describe("with TLS", () => {
  beforeAll(async () => {
    await control("PUT", "/tls", { on: true });
  });

  test("shows address, scheme, fingerprint and TLS URLs", async () => {
    const { ca } = (await control("GET", "/tls")).json;
    const { text } = await page();
    expect(text).toContain(new URL(server.urls.auth).host);
    expect(text).toContain(ca.fingerprint256);
    expect(text).toContain(`data-url="${server.authTlsUrl}/livez"`);
    expect(text).not.toContain("PRIVATE");
    expect(text).not.toContain("demo-app");
  });

  test("has a policy that allows only its own script, and requests only to its TLS port", async () => {
    const { headers, text } = await page();
    const policy = headers.get("Content-Security-Policy") ?? "";
    const [, nonce = ""] = /script-src 'nonce-([^']+)'/.exec(policy) ?? [];
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain(`connect-src ${server.authTlsUrl};`);
    expect(text.match(/<(script|style)[ >]/g)).toHaveLength(2);
    expect(text.split(`nonce="${nonce}"`)).toHaveLength(3);
    expect(text).not.toMatch(/(src|href)="(?!\/emulator\/|https:\/\/127\.0\.0\.1)/);
    const other = (await page()).headers.get("Content-Security-Policy") ?? "";
    expect(other).not.toContain(nonce);
  });

  test.each([
    [IPHONE, "iPhone or iPad", "Certificate Trust Settings"],
    [ANDROID, "Android", "CA certificate"],
    ["Mozilla/5.0 (X11; Linux x86_64)", "Computer", "curl --cacert"],
  ])("starts with the steps for %s", async (userAgent, title, step) => {
    const { text } = await page(userAgent);
    expect(text).toContain(`<h3>${title}</h3>`);
    expect(text.slice(text.indexOf("<h3>"), text.indexOf("<details>"))).toContain(step);
  });

  test("links to the demo app of the query's app, escaped", async () => {
    expect((await page("x", "?appId=demo-app")).text).toContain('href="/emulator/demo/?appId=demo-app"');
    const { text } = await page("x", `?appId=${encodeURIComponent('"><script>')}`);
    expect(text).not.toContain('"><script>');
  });

  test("offers the certificate as DER", async () => {
    const { ca } = (await control("GET", "/tls")).json;
    const answer = await fetch(`${server.urls.auth}/emulator/hello/ca.crt`);
    expect(answer.headers.get("Content-Type")).toBe("application/x-x509-ca-cert");
    const der = Buffer.from(await answer.arrayBuffer());
    expect(new X509Certificate(der).fingerprint256).toBe(ca.fingerprint256);
  });
});

test("HEAD responds like GET; other methods return 405", async () => {
  expect((await auth("HEAD", "/emulator/hello/")).status).toBe(200);
  expect((await auth("POST", "/emulator/hello", {})).status).toBe(405);
});

test("the other listeners do not serve it, and say which one does", async () => {
  for (const call of [admin, caller(() => server.urls.console)])
    for (const path of ["/emulator/hello", "/emulator/hello/ca.crt", "/emulator/app"]) {
      const { status, json } = await call("GET", path);
      expect(status).toBe(404);
      expect(json.instruction).toContain(server.urls.auth);
    }
});

test("is exempt from faults and leaves no rows", async () => {
  await control("POST", "/faults", { match: { listener: "auth" }, effect: { status: 503 } });
  const before = (await control("GET", "/requests")).json.total;
  for (const path of ["/emulator/hello", "/emulator/app?appId=demo-app", "/emulator/demo/", "/emulator/nothing"])
    expect((await auth("GET", path)).status).not.toBe(503);
  expect((await control("GET", "/requests")).json.total).toBe(before);
  await control("DELETE", "/faults");
});
