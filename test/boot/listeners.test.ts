import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { networkInterfaces, tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import type { Config } from "#server/config.ts";
import type { RunningServer } from "#server/server.ts";
import { startInProcess } from "#test/hosts/in-process.ts";
import { listen } from "#test/hosts/listen.ts";
import { portOf, sendBytes } from "#test/http/guards/raw.ts";

const open: (() => Promise<unknown> | undefined)[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((close) => close()));
});
const start = async (config: Partial<Config> = {}): Promise<RunningServer> => {
  const server = await startInProcess({ config });
  open.push(() => server.close());
  return server;
};
/** Occupies a port of the machine. */
const occupy = (host: string): Promise<number> => {
  const other = createServer((socket) => socket.destroy());
  open.push(() => new Promise((done) => other.close(done)));
  return listen(other, host);
};
const LIVE = "GET /livez HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
/** @returns whether something answers at this address. */
const answers = async (url: string, host: string): Promise<boolean> =>
  (await sendBytes(url, LIVE, 30_000, host).catch(() => ({ status: 0 }))).status === 200;
const NO_NETWORK = "this machine has no address but its own";
const outside = Object.values(networkInterfaces())
  .flatMap((addresses) => addresses ?? [])
  .find(({ family, internal }) => family === "IPv4" && !internal)?.address;

const FLAGS = [
  ["adminPort", "--admin-port"],
  ["authPort", "--auth-port"],
  ["consolePort", "--console-port"],
] as const;

/** @returns how many ports this process listens at. */
const listening = (): number =>
  process.getActiveResourcesInfo().filter((resource) => resource === "TCPServerWrap").length;

describe.each(FLAGS)("%s", (option, flag) => {
  test.each(["127.0.0.1", "::1"])(
    "fails the start when in use on %s, naming port and flag, with nothing half started",
    async (host) => {
      const port = await occupy(host);
      const dataDir = await mkdtemp(join(tmpdir(), "stagedoor-port-"));
      open.push(() => rm(dataDir, { recursive: true }));
      const before = listening();
      const failed = await start({ durability: "process", dataDir, [option]: port }).then(
        () => undefined,
        (error: unknown) => error,
      );
      expect(failed).toMatchObject({ name: "StartError", exitStatus: 1 });
      expect(String(failed)).toContain(String(port));
      expect(String(failed)).toContain(flag);
      // The other ports and the data directory are free again.
      await expect.poll(listening).toBe(before);
      const again = await start({ durability: "process", dataDir });
      expect(listening()).toBeGreaterThan(before);
      expect(await answers(again.urls.admin, "127.0.0.1")).toBe(true);
    },
  );
});

test("port 0 takes a free port for each listener, on IPv4 and IPv6", async () => {
  const [one, two] = [await start(), await start()];
  const ports = [one, two].flatMap(({ urls }) => [urls.admin, urls.auth, urls.console].map(portOf));
  expect(new Set(ports).size).toBe(6);
  for (const url of [one.urls.admin, one.urls.auth, one.urls.console])
    expect([await answers(url, "127.0.0.1"), await answers(url, "::1")]).toEqual([true, true]);
});

test("by default no listener is reachable from other machines", async ({ skip }) => {
  skip(outside === undefined, NO_NETWORK);
  const { urls } = await start();
  for (const url of [urls.admin, urls.auth, urls.console]) expect(await answers(url, outside ?? "")).toBe(false);
  expect(urls.lan).toEqual([]);
});

test("--lan opens auth only, and reports its LAN URLs", async ({ skip }) => {
  skip(outside === undefined, NO_NETWORK);
  const { urls } = await start({ lan: true });
  expect(await answers(urls.auth, outside ?? "")).toBe(true);
  expect(await answers(urls.auth, "127.0.0.1")).toBe(true);
  for (const url of [urls.admin, urls.console]) expect(await answers(url, outside ?? "")).toBe(false);
  expect(urls.lan).toContain(`http://${outside}:${portOf(urls.auth)}`);
  for (const url of urls.lan) expect((await fetch(`${url}/.well-known/jwks.json`)).status).toBe(200);
  const status = await (await fetch(`${urls.console}/emulator/v1/status`)).json();
  expect(status).toMatchObject({ urls: { lan: urls.lan } });
});

test("--admin-host and --console-host open one listener each", async ({ skip }) => {
  skip(outside === undefined, NO_NETWORK);
  const admin = await start({ adminHost: outside ?? "" });
  expect([await answers(admin.urls.admin, outside ?? ""), await answers(admin.urls.admin, "127.0.0.1")]).toEqual([
    true,
    true,
  ]);
  expect(await answers(admin.urls.console, outside ?? "")).toBe(false);
  const everywhere = await start({ consoleHost: "0.0.0.0" });
  expect(await answers(everywhere.urls.console, outside ?? "")).toBe(true);
  expect(await answers(everywhere.urls.admin, outside ?? "")).toBe(false);
});

test("a host flag accepts a loopback name", async () => {
  const { urls } = await start({ consoleHost: "localhost", adminHost: "127.0.0.1" });
  expect(await answers(urls.console, "127.0.0.1")).toBe(true);
});

test.each(["203.0.113.7", "2001:db8::7", "no-such-name.invalid"])(
  "a host that this machine does not have (%s) fails with a StartError that names it",
  async (host) => {
    const failed = await start({ adminHost: host }).then(
      () => undefined,
      (error: unknown) => error,
    );
    expect(failed).toMatchObject({ name: "StartError", exitStatus: 1 });
    expect(String(failed)).toContain(host);
    expect(String(failed)).toContain("--admin-host");
  },
);
