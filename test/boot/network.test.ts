import { once } from "node:events";
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { get } from "node:https";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { MachineAddress } from "#server/boot/addresses.ts";
import type { Config } from "#server/config.ts";
import type { RunningServer } from "#server/server.ts";
import { type Clients, clientsOf } from "#test/hosts/client.ts";
import { startInProcess } from "#test/hosts/in-process.ts";
import { until } from "#test/http/control/support.ts";
import { portOf, sendBytes } from "#test/http/guards/raw.ts";

const LIVE = "GET /livez HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

const at = (address: string): MachineAddress => ({ name: "test0", address, host: address, isLinkLocal: false });
const freshDir = async (): Promise<string> => {
  const dir = await mkdtemp(join(tmpdir(), "stagedoor-network-"));
  closing.push(() => rm(dir, { recursive: true }));
  return dir;
};
interface Started extends Clients {
  readonly server: RunningServer;
}
const start = async (
  addresses: () => readonly string[],
  config: Partial<Config> = {},
  log: (line: string) => void = () => undefined,
): Promise<Started> => {
  const server = await startInProcess({ config, log, addresses: () => addresses().map(at) });
  closing.push(() => server.close());
  return { server, ...clientsOf(() => server) };
};
const answers = async ({ server }: Started, host: string): Promise<boolean> =>
  (await sendBytes(server.urls.auth, LIVE, 30_000, host).catch(() => ({ status: 0 }))).status === 200;
/** Occupies a port, any free one by default. @returns it. */
const occupy = async (host: string, port = 0): Promise<number> => {
  const other = createServer().listen(port, host);
  closing.push(() => other.close());
  await once(other, "listening");
  const address = other.address();
  return typeof address === "object" ? (address?.port ?? 0) : 0;
};
/** @returns an open connection, idle after one request. */
const openAt = async ({ server }: Started, host: string): Promise<Socket> => {
  const socket = connect(portOf(server.urls.auth), host);
  closing.push(() => socket.destroy());
  socket.on("error", () => undefined);
  socket.write("GET /livez HTTP/1.1\r\nHost: x\r\n\r\n");
  await once(socket, "data");
  return socket;
};
/** Requests over TLS, as a device that trusts the authority. @returns the status, or the error code. */
const over = (url: string, ca: string, name = "localhost", path = "/livez"): Promise<number | string> =>
  new Promise((resolve) => {
    const request = get(url + path, { ca, servername: name, agent: false }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    request.on("error", (error: Error & { code?: string }) => resolve(error.code ?? error.message));
  });

// Other loopback addresses stand for those of a network; only Linux has them.
describe("local network access", () => {
  beforeEach(({ skip }) => skip(process.platform !== "linux", "only Linux has these addresses"));
  test("can be turned on and off at run time; loopback and its connections stay open", async () => {
    const harness = await start(() => ["127.0.0.2", "127.0.0.3"]);
    const { server, control } = harness;
    const port = portOf(server.urls.auth);
    expect((await control("GET", "/lan")).json).toEqual({
      open: false,
      urls: [],
      tlsUrls: [],
      addresses: [
        { name: "test0", address: "127.0.0.2" },
        { name: "test0", address: "127.0.0.3" },
      ],
    });
    expect(await answers(harness, "127.0.0.2")).toBe(false);
    const home = await openAt(harness, "127.0.0.1");
    const opened = await control("PUT", "/lan", { open: true });
    const urls = [`http://127.0.0.2:${port}`, `http://127.0.0.3:${port}`];
    expect(opened.json).toMatchObject({ open: true, urls, tlsUrls: [] });
    expect((await control("GET", "/status")).json.urls.lan).toEqual(urls);
    expect([await answers(harness, "127.0.0.2"), await answers(harness, "127.0.0.3")]).toEqual([true, true]);
    const guest = await openAt(harness, "127.0.0.2");
    expect((await control("PUT", "/lan", { open: true })).json).toEqual(opened.json);
    const ended = once(guest, "close");
    expect((await control("PUT", "/lan", { open: false })).json).toMatchObject({ open: false, urls: [] });
    await ended;
    expect([await answers(harness, "127.0.0.2"), await answers(harness, "127.0.0.1")]).toEqual([false, true]);
    home.write("GET /livez HTTP/1.1\r\nHost: x\r\n\r\n");
    await once(home, "data");
  });

  test("accepts only { open: boolean }", async () => {
    const { control } = await start(() => []);
    for (const body of [{}, { open: "yes" }, { open: true, all: true }])
      expect((await control("PUT", "/lan", body)).status).toBe(422);
    expect((await control("PUT", "/lan", { open: true })).json).toMatchObject({ open: true, urls: [], addresses: [] });
  });

  test("returns 409 naming the port when it is taken on one address, and opens none", async () => {
    const harness = await start(() => ["127.0.0.2", "127.0.0.3"]);
    await occupy("127.0.0.3", portOf(harness.server.urls.auth));
    const refused = await harness.control("PUT", "/lan", { open: true });
    expect([refused.status, refused.reason]).toEqual([409, "port_taken"]);
    expect(refused.json.instruction).toContain("127.0.0.3");
    expect(await answers(harness, "127.0.0.2")).toBe(false);
    expect((await harness.control("GET", "/lan")).json.open).toBe(false);
  });

  test("follows the machine's addresses, over TLS too, and publishes each change", async () => {
    let now = ["127.0.0.2"];
    const harness = await start(() => now, { lan: true, tls: true });
    expect(harness.server.urls.lan).toHaveLength(1);
    now = ["127.0.0.3", "203.0.113.7"];
    const lan = await until(
      async () => (await harness.control("GET", "/lan")).json,
      ({ urls }) => urls.some((url: string) => url.includes("127.0.0.3")),
    );
    expect(lan.addresses).toHaveLength(2);
    expect(lan.tlsUrls).toHaveLength(1);
    expect([await answers(harness, "127.0.0.2"), await answers(harness, "127.0.0.3")]).toEqual([false, true]);
    const { leaf } = await until(
      async () => (await harness.control("GET", "/tls")).json,
      (tls) => tls.leaf.names.includes("127.0.0.3"),
    );
    expect(leaf.uncovered).toEqual(["203.0.113.7"]);
    expect(leaf.names).not.toContain("203.0.113.7");
  });

  test("reports once that the port is taken on an address that appeared later", async () => {
    let now = ["127.0.0.2"];
    const said: string[] = [];
    const harness = await start(
      () => now,
      { lan: true },
      (line) => said.push(line),
    );
    await occupy("127.0.0.3", portOf(harness.server.urls.auth));
    now = ["127.0.0.2", "127.0.0.3"];
    await until(
      async () => said.length,
      (count) => count > 0,
    );
    expect(said).toEqual([expect.stringContaining("127.0.0.3")]);
    expect(harness.server.urls.lan).toHaveLength(1);
  });

  test("fails startup, naming port and flag, when the port is taken", async () => {
    const authPort = await occupy("127.0.0.2");
    const failed = await start(() => ["127.0.0.2"], { lan: true, authPort }).catch(String);
    expect(failed).toContain(`Port ${authPort} is already in use on 127.0.0.2`);
    expect(failed).toContain("--auth-port");
  });
});

describe("TLS", () => {
  test("is off by default and after it is turned off", async () => {
    const { server, control } = await start(() => [], { caDir: join(await freshDir(), "ca") });
    expect((await control("GET", "/tls")).json).toEqual({ on: false, url: null, lanUrls: [], ca: null, leaf: null });
    expect(server.authTlsUrl).toBeNull();
    const { json } = await control("PUT", "/tls", { on: true });
    expect(json).toMatchObject({ on: true, url: server.authTlsUrl, lanUrls: [] });
    expect(json.leaf.names).toEqual(
      expect.arrayContaining(["localhost", "host.docker.internal", "127.0.0.1", "::1", "10.0.2.2", "10.0.3.2"]),
    );
    expect(json.leaf.names.some((name: string) => name.endsWith(".local"))).toBe(true);
    expect(json.ca.fingerprint256).toMatch(/^([0-9A-F]{2}:){31}[0-9A-F]{2}$/);
    expect(await over(json.url, json.ca.pem)).toBe(200);
    expect(await over(json.url, json.ca.pem, "example.com")).toBe("ERR_TLS_CERT_ALTNAME_INVALID");
    expect((await control("PUT", "/tls", { on: false })).json).toMatchObject({ on: false, leaf: null, ca: json.ca });
    expect(await over(json.url, json.ca.pem)).toBe("ECONNREFUSED");
  });

  test("serves the same app and logs to the same request log, with the scheme", async () => {
    const { control } = await start(() => [], { tls: true });
    const { url, ca } = (await control("GET", "/tls")).json;
    const request = get(`${url}/v1/users/session`, { ca: ca.pem, servername: "localhost", agent: false });
    const [response] = await once(request, "response");
    response.resume();
    expect(response.statusCode).toBe(405);
    const row = (await control("GET", `/requests/${response.headers["emulator-request-id"]}`)).json;
    expect(row).toMatchObject({ scheme: "https", listener: "auth", status: 405 });
  });

  test("a reset fault drops only its own connection, over TLS too", async () => {
    const { control } = await start(() => [], { tls: true });
    const { url, ca } = (await control("GET", "/tls")).json;
    await control("POST", "/faults", { match: { path: "/.well-known/jwks.json" }, effect: { reset: true }, times: 1 });
    expect(await over(url, ca.pem, "localhost", "/.well-known/jwks.json")).toBe("ECONNRESET");
    expect(await over(url, ca.pem, "localhost", "/.well-known/openid-configuration")).toBe(200);
  });

  test("the authority outlives the server and its data directory; only its owner can read the keys, and no response, log, export or data file contains them", async () => {
    const caDir = join(await freshDir(), "ca");
    const dataDir = join(await freshDir(), "data");
    const logged: string[] = [];
    const settings: Partial<Config> = { caDir, tls: true, dataDir, durability: "process" };
    const first = await start(
      () => [],
      settings,
      (line) => logged.push(line),
    );
    const { ca } = (await first.control("GET", "/tls")).json;
    const [file = ""] = await readdir(caDir);
    expect(await readdir(caDir)).toHaveLength(1);
    expect((await stat(join(caDir, file))).mode & 0o777).toBe(0o600);
    expect((await stat(caDir)).mode & 0o777).toBe(0o700);
    const kept = await readFile(join(caDir, file), "utf8");
    const [, key = ""] = /PRIVATE KEY-----\n([^-]+)/.exec(kept) ?? [];
    expect(key.length).toBeGreaterThan(100);
    const texts = await Promise.all(
      ["/tls", "/lan", "/status", "/state?volatile=1", "/requests", "/clients"].map(
        async (path) => (await first.control("GET", path)).text,
      ),
    );
    await first.control("PUT", "/snapshots/moment", {});
    const isStored = async () => (await first.control("GET", "/snapshots")).json.items[0].stored;
    await expect.poll(isStored).toBe(true);
    const inData = async (): Promise<string[]> => {
      const entries = await readdir(dataDir, { recursive: true, withFileTypes: true });
      const files = entries.filter((entry) => entry.isFile());
      return await Promise.all(files.map(({ parentPath, name }) => readFile(join(parentPath, name), "utf8")));
    };
    const files = await inData();
    await first.server.close();
    for (const text of [...texts, ...logged, ...files, ...(await inData())]) {
      expect(text).not.toContain(key.slice(0, 40));
      expect(text).not.toContain("PRIVATE KEY");
    }
    expect(files.join("")).toContain("demo-app");
    const second = await start(() => [], { caDir, tls: true });
    expect((await second.control("GET", "/tls")).json.ca).toEqual(ca);
  });

  test("replaces a damaged authority and reports it", async () => {
    const caDir = await freshDir();
    await writeFile(join(caDir, "authority.pem"), "-----BEGIN CERTIFICATE-----\n!\n-----END CERTIFICATE-----\n");
    const said: string[] = [];
    const { control } = await start(
      () => [],
      { caDir, tls: true },
      (line) => said.push(line),
    );
    const { url, ca } = (await control("GET", "/tls")).json;
    expect(await over(url, ca.pem)).toBe(200);
    expect(said.join()).toContain(caDir);
  });

  test.each([
    ["cannot be created", "ca", async (dir: string) => await writeFile(dir, "")],
    ["cannot be read", ".", async (dir: string) => void (await mkdir(join(dir, "authority.pem"), { recursive: true }))],
  ])("when the folder of the authority %s, 409 says which, and startup fails", async (_, folder, spoil) => {
    const dir = join(await freshDir(), "place");
    await spoil(dir);
    const caDir = join(dir, folder);
    const { control, auth } = await start(() => [], { caDir });
    const before = await control("GET", "/tls");
    expect([before.status, before.json.ca]).toEqual([200, null]);
    const calls = [
      ["PUT", "/tls", { on: true }],
      ["POST", "/connect/simulator-trust", {}],
    ] as const;
    for (const [method, path, body] of calls) {
      const refused = await control(method, path, body);
      expect([refused.status, refused.reason], path).toEqual([409, "ca_unusable"]);
      expect(refused.json.instruction).toContain(` ${caDir}, cannot be used: E`);
      expect(refused.json.instruction).toMatch(/--ca-dir\.$/);
    }
    expect((await control("GET", "/tls")).json).toEqual(before.json);
    expect((await auth("GET", "/emulator/hello")).status).toBe(200);
    const failure = { code: "ca_unusable", file: caDir };
    await expect(startInProcess({ config: { caDir, tls: true } })).rejects.toMatchObject({ failure });
  });

  test("when its port is in use, turning it on returns 409 and startup fails", async () => {
    const authTlsPort = await occupy("127.0.0.1");
    const { control } = await start(() => [], { authTlsPort });
    const refused = await control("PUT", "/tls", { on: true });
    expect([refused.status, refused.reason]).toEqual([409, "port_taken"]);
    expect(refused.json.instruction).toContain("--auth-tls-port");
    expect((await control("GET", "/tls")).json.on).toBe(false);
    expect(await start(() => [], { authTlsPort, tls: true }).catch(String)).toContain("--auth-tls-port");
  });

  test("renews the leaf 30 days before it expires, without breaking a connection", async () => {
    let now = Date.now() - 61 * 86_400_000;
    const caDir = join(await freshDir(), "ca");
    const server = await startInProcess({ config: { tls: true, caDir }, addresses: () => [], now: () => now });
    closing.push(() => server.close());
    const { control } = clientsOf(() => server);
    const { url, ca, leaf } = (await control("GET", "/tls")).json;
    let isOver = false;
    const load = Array.from({ length: 4 }, async () => {
      const seen = new Set<number | string>();
      while (!isOver) seen.add(await over(url, ca.pem));
      return [...seen];
    });
    now = Date.now();
    const renewed = await until(
      async () => (await control("GET", "/tls")).json,
      (tls) => tls.leaf.notAfter !== leaf.notAfter,
    );
    isOver = true;
    expect(await Promise.all(load)).toEqual([[200], [200], [200], [200]]);
    expect(renewed.ca).toEqual(ca);
  });
});
