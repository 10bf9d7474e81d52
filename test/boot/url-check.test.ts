import { createServer, type RequestListener } from "node:http";
import { createServer as createSecureServer } from "node:https";
import { hostname } from "node:os";
import { afterEach, describe, expect, test } from "vitest";
import { createAuthority, issueLeaf } from "#certificates/authority.ts";
import { localName } from "#server/boot/addresses.ts";
import { type Lookup, reach } from "#server/boot/url-check.ts";
import { clientsOf } from "#test/hosts/client.ts";
import { startInProcess } from "#test/hosts/in-process.ts";
import { listen } from "#test/hosts/listen.ts";

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

const stagedoor: RequestListener = (_, res) => void res.setHeader("Emulator", "stagedoor/1").end();
const leadsTo =
  (address: string): Lookup =>
  async () => [{ address, family: 4 }];
const OWN = { own: [], ca: undefined };

const listening = async (server: ReturnType<typeof createServer>): Promise<number> => {
  closing.push(() => server.close());
  return listen(server);
};

describe("checking one URL", () => {
  test("recognises Stagedoor", async () => {
    const url = `http://127.0.0.1:${await listening(createServer(stagedoor))}`;
    expect(await reach(url, OWN)).toEqual({ url, addresses: ["127.0.0.1"], problem: null, instruction: null });
  });

  test("recognises another program, whether it speaks HTTP or not", async () => {
    const other = await listening(createServer((_, res) => void res.end()));
    const mute = createServer();
    mute.on("connection", (socket) => socket.end("220 smtp\r\n"));
    for (const port of [other, await listening(mute)])
      expect(await reach(`http://127.0.0.1:${port}`, OWN)).toMatchObject({
        problem: "stranger",
        instruction: `Another program uses 127.0.0.1:${port}. Stop it, or start Stagedoor on another port.`,
      });
  });

  test("reports that nothing listens", async () => {
    const server = createServer();
    const port = await listening(server);
    await new Promise((resolve) => server.close(resolve));
    expect((await reach(`http://127.0.0.1:${port}`, OWN)).problem).toBe("refused");
  });

  test("reports a name that does not resolve, or resolves to another machine, without calling it", async () => {
    const unresolved: Lookup = () => Promise.reject(new Error("ENOTFOUND"));
    expect(await reach("http://mac.local:1", { ...OWN, lookup: unresolved })).toMatchObject({
      addresses: [],
      problem: "unresolved",
    });
    let asked = 0;
    const port = await listening(createServer(() => asked++));
    const elsewhere = await reach(`http://mac.local:${port}`, {
      own: [],
      ca: undefined,
      lookup: leadsTo("203.0.113.5"),
    });
    expect(elsewhere).toMatchObject({ addresses: ["203.0.113.5"], problem: "elsewhere" });
    expect(asked).toBe(0);
  });

  test("calls the address of this machine if the name has others too", async () => {
    const port = await listening(createServer(stagedoor));
    const lookup: Lookup = async () => ["203.0.113.5", "127.0.0.1"].map((address) => ({ address, family: 4 }));
    const found = await reach(`http://mac.local:${port}`, { own: [], ca: undefined, lookup });
    expect(found).toMatchObject({ addresses: ["203.0.113.5", "127.0.0.1"], problem: null });
  });

  test("reports whether the certificate is valid for the name", async () => {
    const authority = await createAuthority("test machine", Date.now());
    const { cert, key } = await issueLeaf(authority, ["mac.local"], Date.now());
    const port = await listening(createSecureServer({ cert, key }, stagedoor));
    const parts = { own: [], ca: authority.root, lookup: leadsTo("127.0.0.1") };
    expect((await reach(`https://mac.local:${port}`, parts)).problem).toBe(null);
    expect((await reach(`https://other.local:${port}`, parts)).problem).toBe("certificate");
    const other = await createAuthority("another machine", Date.now());
    for (const ca of [undefined, other.root])
      expect((await reach(`https://mac.local:${port}`, { ...parts, ca })).problem).toBe("certificate");
  });
});

test("POST connect/check checks every auth URL and leaves no trace", async () => {
  const server = await startInProcess({
    addresses: () => [{ name: "test0", address: "127.0.0.2", host: "127.0.0.2", isLinkLocal: false }],
    lookup: async (name) => [{ address: name.endsWith(".local") ? "127.0.0.2" : name, family: 4 }],
  });
  closing.push(() => server.close());
  const { control } = clientsOf(() => server);
  const check = async () => (await control("POST", "/connect/check")).json;
  expect(await check()).toEqual({
    items: [{ url: server.urls.auth, addresses: ["127.0.0.1"], problem: null, instruction: null }],
    total: 1,
  });
  await control("PUT", "/tls", { on: true });
  if (process.platform === "linux") await control("PUT", "/lan", { open: true });
  const { items } = await check();
  const found = items.map(({ url, problem }: { url: string; problem: string | null }) => [new URL(url).host, problem]);
  const hosts = process.platform === "linux" ? ["127.0.0.1", "127.0.0.2", localName(hostname())] : ["127.0.0.1"];
  const ports = [server.urls.auth, server.authTlsUrl ?? ""].map((url) => new URL(url).port);
  expect(found).toEqual(ports.flatMap((port) => hosts.map((host) => [`${host}:${port}`, null])));
  expect((await control("GET", "/clients")).json.total).toBe(0);
  expect((await control("GET", "/requests?listener=auth")).json.total).toBe(0);
});
