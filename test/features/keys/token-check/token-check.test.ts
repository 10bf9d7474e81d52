/** Calls a backend with a good token and each wrong one, and only where that is allowed. */
import { createServer } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { DEFECT_NAMES, type Defect, isAdvice } from "#contract/service/token-defects.ts";
import { addressError } from "#features/keys/token-check/check-address.ts";
import { clientsOf, type Reply } from "#test/hosts/client.ts";
import { startInProcess } from "#test/hosts/in-process.ts";
import { listen } from "#test/hosts/listen.ts";
import { expectInvalid, harness, type User } from "#test/http/decisions/support.ts";
import { asGraphql, listenWith, plainly, redirecting, takingNone, verifier } from "#test/http/tokens/backends.ts";
import { LONG_SECRET, signIns } from "#test/http/tokens/support.ts";

/** What names resolve to, one result per look-up. */
const names = new Map<string, readonly string[][]>();
const asked: string[] = [];
const lookup = async (name: string) => {
  asked.push(name);
  const times = names.get(name) ?? [];
  const nth = asked.filter((one) => one === name).length - 1;
  return (times[Math.min(nth, times.length - 1)] ?? []).map((address) => ({ address, family: 4 }));
};

const host = harness({ now: Date.now, lookup });
const { control, server } = host;
const signIn = signIns(host);

const right = () => verifier(server().urls.auth, { issuer: server().urls.auth, audience: server().urls.admin });
const check = async (url: string, more: User = {}, token: User = {}): Promise<Reply> => {
  const { session } = await signIn(token, token["algorithm"] === "HS256" ? { secret: LONG_SECRET } : {});
  return await control("POST", `/sessions/${session.id}/token-check`, { url, ...more });
};
const verdicts = ({ json }: Reply): Record<string, string> =>
  Object.fromEntries(
    json.items.map((item: { defect: string | null; verdict: string }) => [item.defect ?? "valid", item.verdict]),
  );
const MUST = DEFECT_NAMES.filter((defect) => !isAdvice(defect));
const all = (verdict: string, but: Partial<Record<Defect, string>> = {}) => ({
  ...Object.fromEntries(MUST.map((defect) => [defect, verdict])),
  ...but,
});

describe("the verdict on a backend that", () => {
  test.each(["ES256", "RS256", "EdDSA"])("is correct, with %s", async (algorithm) => {
    const backend = await listenWith(plainly(right()));
    const checked = await check(backend.url, {}, { algorithm });
    expect(checked.json.ok, checked.text).toBe(true);
    expect(verdicts(checked)).toMatchObject({ valid: "accepted", ...all("refused"), unknownUser: "accepted" });
    expect(checked.json.items).toHaveLength(17);
    expect(checked.json.items[0]).toEqual({ defect: null, status: 200, verdict: "accepted", advice: false, ok: true });
    const advice = checked.json.items.filter((item: { advice: boolean }) => item.advice);
    expect(advice.map(({ defect }: { defect: string }) => defect)).toEqual(DEFECT_NAMES.filter(isAdvice));
    expect(new Set(backend.seen.map(({ headers }) => headers.authorization)).size).toBe(17);
  });

  test("skips the audience", async () => {
    const { auth } = server().urls;
    const checked = await check((await listenWith(plainly(verifier(auth, { issuer: auth })))).url);
    expect(checked.json.ok).toBe(false);
    expect(verdicts(checked)).toMatchObject(all("refused", { wrongAudience: "accepted", noAudience: "accepted" }));
    expect(checked.json.items.filter((item: { ok: boolean }) => !item.ok)).toEqual([
      { defect: "wrongAudience", status: 200, verdict: "accepted", advice: false, ok: false },
      { defect: "noAudience", status: 200, verdict: "accepted", advice: false, ok: false },
    ]);
  });

  test("accepts alg: none", async () => {
    const checked = await check((await listenWith(plainly(takingNone(right())))).url);
    expect(checked.json.ok).toBe(false);
    expect(verdicts(checked)).toMatchObject(all("refused", { algNone: "accepted" }));
  });

  test("returns GraphQL errors with 200", async () => {
    const backend = await listenWith(asGraphql(right()));
    const checked = await check(backend.url, { body: { query: "{ me { id } }" } });
    expect(checked.json.ok, checked.text).toBe(true);
    expect(verdicts(checked)).toMatchObject({ valid: "accepted", ...all("refused") });
    expect(backend.seen[0]).toMatchObject({
      method: "POST",
      body: '{"query":"{ me { id } }"}',
      headers: { "content-type": "application/json; charset=utf-8" },
    });
  });

  test("redirects to another host, which is never called", async () => {
    const other = await listenWith(plainly(async () => true));
    const checked = await check((await listenWith(redirecting(right(), other.url))).url);
    expect(verdicts(checked)).toMatchObject({ valid: "accepted", ...all("unclear") });
    expect(checked.json.items[1].status).toBe(302);
    expect(other.seen).toEqual([]);
  });

  test("lets everybody in, or nobody", async () => {
    const open = await check((await listenWith(plainly(async () => true))).url);
    expect(open.json.ok).toBe(false);
    expect(verdicts(open)).toMatchObject({ valid: "accepted", ...all("accepted") });
    const closed = await check((await listenWith(plainly(async () => false))).url);
    expect(closed.json.ok).toBe(false);
    expect(verdicts(closed)).toMatchObject({ valid: "refused", ...all("refused") });
    const absent = await check((await listenWith(() => (_req, res) => res.writeHead(404).end())).url);
    expect(absent.json.ok).toBe(false);
    expect(verdicts(absent)).toMatchObject({ valid: "unclear", ...all("unclear") });
  });

  test("does not exist, or hangs up", async () => {
    const backend = await listenWith(() => (req) => req.socket.destroy());
    const checked = await check(backend.url);
    expect(checked.status).toBe(200);
    expect(checked.json).toMatchObject({ ok: false, error: expect.stringMatching(/\S/) });
    expect(checked.json.items[0]).toMatchObject({ status: null, verdict: "unclear", ok: false });
    expect(backend.seen).toHaveLength(1);
  });

  test.each([
    ["switches protocols", "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n", 101],
    ["breaks off in the body", "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nab", 200],
    ["does not speak HTTP", "hello\r\n\r\n", null],
  ])("%s is based on its status, and nothing breaks", async (_, said, status) => {
    const backend = createServer((socket) => {
      socket.on("error", () => undefined).once("data", () => socket.end(said));
    });
    const port = await listen(backend);
    onTestFinished(() => void backend.close());
    const checked = await check(`http://127.0.0.1:${port}/`);
    expect(checked.json.ok, checked.text).toBe(false);
    expect(checked.json.items[0]).toMatchObject({ status, verdict: status === null ? "unclear" : "accepted" });
    expect((await control("GET", "/status")).status).toBe(200);
  });

  test("uses HS256 covers only the defects that HS256 can have", async () => {
    const checked = await check((await listenWith(plainly(async () => true))).url, {}, { algorithm: "HS256" });
    expect(Object.keys(verdicts(checked))).not.toContain("unknownKid");
    expect(checked.json.items).toHaveLength(14);
  });
});

describe("the call", () => {
  test("is made as requested", async () => {
    const backend = await listenWith(plainly(async () => true));
    await check(backend.url, { method: "PUT", header: "X-Token", body: "plain" });
    expect(backend.seen[0]).toMatchObject({ method: "PUT", body: "plain" });
    expect(backend.seen[0]?.headers["x-token"]).toMatch(/^ey/);
    expect(backend.seen[0]?.headers.authorization).toBeUndefined();
    await check(backend.url, { header: "Cookie: session={token}; a=b" });
    expect(backend.seen.at(-1)?.headers["cookie"]).toMatch(/^session=[^;]*; a=b$/);
  });

  test.each<[string, User]>([
    ["url", { url: "ftp://127.0.0.1/" }],
    ["url", { url: "127.0.0.1:80" }],
    ["url", { url: "http://a:b@127.0.0.1/" }],
    ["url", { url: "" }],
    ["method", { method: "TRACE" }],
    ["header", { header: "Host" }],
    ["header", { header: "X: no place for it" }],
    ["header", { header: "X: {token}\r\nY: 1" }],
    ["body", { body: 1 }],
    ["stranger", { stranger: 1 }],
  ])("returns 422 on %s for %j", async (field, more) => {
    expectInvalid(await check("http://127.0.0.1:1/", more), field);
  });

  test("requires an active session", async () => {
    const { session } = await signIn();
    await control("POST", `/sessions/${session.id}/expire`);
    const refused = await control("POST", `/sessions/${session.id}/token-check`, { url: "http://127.0.0.1:1/" });
    expect([refused.status, refused.reason]).toEqual([409, "session_not_active"]);
  });

  test("is refused while the console is open to other machines", async () => {
    const running = await startInProcess({ config: { consoleHost: "0.0.0.0" } });
    try {
      const { control } = clientsOf(() => running);
      const headers = { Authorization: `Bearer ${running.accessToken}` };
      const { appId, userId } = (await control("GET", "/profiles?limit=1", undefined, headers)).json.items[0];
      const session = (await control("POST", "/sessions", { appId, userId }, headers)).json;
      const backend = await listenWith(plainly(async () => true));
      const refused = await control("POST", `/sessions/${session.id}/token-check`, { url: backend.url }, headers);
      expect([refused.status, refused.reason]).toEqual([403, "console_open"]);
      expect(backend.seen).toEqual([]);
    } finally {
      await running.close();
    }
  });
});

describe("the address", () => {
  test("is resolved once: a name that changes its address is called at the first one", async () => {
    const backend = await listenWith(plainly(right()));
    const other = await listenWith(
      plainly(async () => true),
      "127.0.0.2",
    );
    names.set("twice.test", [["127.0.0.1"], ["127.0.0.2"], ["93.184.216.34"]]);
    const checked = await check(`http://twice.test:${backend.port}/me`);
    expect(checked.json.ok, checked.text).toBe(true);
    expect(asked.filter((name) => name === "twice.test")).toHaveLength(1);
    expect(backend.seen).toHaveLength(17);
    expect(backend.seen[0]?.headers.host).toBe(`twice.test:${backend.port}`);
    expect(other.seen).toEqual([]);
  });

  test("falls back to the next one of the name if nothing responds", async () => {
    const backend = await listenWith(plainly(right()), "127.0.0.2");
    names.set("both.test", [["127.0.0.1", "127.0.0.2"]]);
    expect((await check(`http://both.test:${backend.port}/me`)).json.ok).toBe(true);
  });

  test.each([
    ["a public address", ["93.184.216.34"]],
    ["one among others", ["127.0.0.1", "93.184.216.34"]],
    ["link-local", ["169.254.169.254"]],
    ["no address", []],
  ])("returns 422 for %s behind a name, and calls nobody", async (_, addresses) => {
    const backend = await listenWith(plainly(async () => true));
    const name = `${addresses.length}-${addresses.join("-")}.test`;
    names.set(name, [addresses]);
    expectInvalid(await check(`http://${name}:${backend.port}/`), "url");
    expect(backend.seen).toEqual([]);
  });

  test("returns 422 for this Stagedoor itself", async () => {
    for (const url of [server().urls.admin, server().urls.auth, server().urls.console])
      for (const local of ["127.0.0.1", "localhost", "127.0.0.9", "[::1]", "[::ffff:127.0.0.1]", "2130706433"]) {
        names.set("localhost", [["127.0.0.1"]]);
        expectInvalid(await check(url.replace("127.0.0.1", local)), "url");
      }
  });

  const rule = { ownPorts: [4010], hosts: ["api.example.com"] };
  test.each([
    "127.0.0.1",
    "127.9.9.9",
    "10.1.2.3",
    "172.31.255.255",
    "192.168.1.20",
    "::1",
    "fd12::1",
    "::ffff:10.0.0.1",
    "::ffff:a00:1",
  ])("%s is allowed", (address) => expect(addressError(address, address, 80, rule)).toBeUndefined());
  test.each([
    "8.8.8.8",
    "172.32.0.1",
    "100.64.0.1",
    "0.0.0.0",
    "169.254.1.1",
    "224.0.0.1",
    "255.255.255.255",
    "::",
    "fe80::1",
    "fe80::1%eth0",
    "2606:4700::1",
    "ff02::1",
    "::ffff:169.254.169.254",
    "::ffff:a9fe:a9fe",
    "::ffff:8.8.8.8",
    "fd00:ec2::254",
  ])("%s is not allowed", (address) => expect(addressError(address, address, 80, rule)).toMatch(/\S/));

  test("--check-host lets a name resolve to any address except the ones that are never called", () => {
    expect(addressError("93.184.216.34", "api.example.com", 443, rule)).toBeUndefined();
    expect(addressError("93.184.216.34", "www.example.com", 443, rule)).toMatch(/--check-host www\.example\.com/);
    expect(addressError("169.254.169.254", "api.example.com", 443, rule)).toMatch(/never/);
    expect(addressError("127.0.0.1", "api.example.com", 4010, rule)).toMatch(/Stagedoor itself/);
  });
});
