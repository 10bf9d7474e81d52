/** A token check with a key that is new, and then retired; afterwards the keys are as before. */
import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { exportPKCS8, generateKeyPair, type JWTVerifyGetKey } from "jose";
import { afterEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { verdictWords } from "#features/keys/token-check/contract/words.ts";
import type { Config } from "#server/config.ts";
import { clientsOf, type Reply } from "#test/hosts/client.ts";
import { startInProcess } from "#test/hosts/in-process.ts";
import { expectInvalid, expectRefusal, harness, type User } from "#test/http/decisions/support.ts";
import { openEvents } from "#test/http/events/event-stream.ts";
import { asGraphql, keysOf, keysOnce, listenWith, plainly, verifier } from "#test/http/tokens/backends.ts";
import { LONG_SECRET, parts, signIns } from "#test/http/tokens/support.ts";

// No verdict of these tests is one of time: a busy machine may take as long as it needs.
const host = harness({ now: Date.now, bounds: { tokenCheckMs: 120_000 } });
const { control, auth, server } = host;
const signIn = signIns(host);
afterEach(() => void vi.useRealTimers());

/** @returns the JWKS and the list of keys. */
const keys = async () => [
  (await auth("GET", "/.well-known/jwks.json")).json,
  (await control("GET", "/signing-keys")).json.items.map(({ tokens: _, ...key }: { tokens: number }) => key),
];
const right = (jwks: JWTVerifyGetKey) => {
  const { auth: issuer, admin: audience } = server().urls;
  return verifier(issuer, { issuer, audience }, jwks);
};
const check = async (url: string, more: User = {}, token: User = {}): Promise<Reply> => {
  const { session, appId } = await signIn(token, token["algorithm"] === "HS256" ? { secret: LONG_SECRET } : {});
  const before = await keys();
  const input = { url, rotate: true, cooldownSeconds: 0, ...more };
  const checked = await control("POST", `/sessions/${session.id}/token-check`, input);
  if (token["algorithm"] === "HS256") await control("DELETE", `/apps/${appId}`);
  expect(await keys(), "the keys are as before").toEqual(before);
  return checked;
};
const row = ({ json }: Reply, wanted: string) =>
  json.items.find(({ defect }: { defect: string | null }) => defect === wanted);
const kidOf = (header: string | undefined): string => parts((header ?? "").replace("Bearer ", ""))[0].kid;

describe("a backend that", () => {
  test.each(["ES256", "RS256", "EdDSA"])("reads the JWKS again accepts the new key, with %s", async (algorithm) => {
    const backend = await listenWith(plainly(right(keysOf(server().urls.auth, { cooldownDuration: 0 }))));
    const checked = await check(backend.url, {}, { algorithm });
    expect(checked.json.ok, checked.text).toBe(true);
    expect(checked.json.items).toHaveLength(19);
    expect(checked.json.items.slice(0, 3)).toEqual([
      { defect: null, status: 200, verdict: "accepted", advice: false, ok: true },
      { defect: "newKey", status: 200, verdict: "accepted", advice: false, ok: true },
      { defect: "retiredKey", status: 200, verdict: "accepted", advice: true, ok: true },
    ]);
    // A wrong token before the new key would begin a cooldown.
    const [good, fresh, retired] = backend.seen.slice(0, 3).map(({ headers }) => kidOf(headers.authorization));
    expect(fresh).not.toBe(good);
    expect(retired).toBe(fresh);
  });

  test("keeps no key refuses the retired one", async () => {
    const jwks = keysOf(server().urls.auth, { cooldownDuration: 0, cacheMaxAge: 0 });
    const checked = await check((await listenWith(plainly(right(jwks)))).url);
    expect(checked.json.ok, checked.text).toBe(true);
    expect(row(checked, "retiredKey")).toMatchObject({ verdict: "refused", ok: true });
  });

  test.each(["start", "first token"] as const)("reads the JWKS once, at the %s, fails", async (when) => {
    const verify = right(await keysOnce(server().urls.auth, when));
    for (const answer of [plainly, asGraphql]) {
      const checked = await check((await listenWith(answer(verify))).url);
      expect(checked.json.ok).toBe(false);
      expect(checked.json.items.filter(({ ok }: { ok: boolean }) => !ok)).toMatchObject([
        { defect: "newKey", verdict: "refused", advice: false },
      ]);
      expect(row(checked, "retiredKey")).toMatchObject({ verdict: "refused", ok: true });
      expect(verdictWords(checked.json)).toMatch(/does not accept a token of a new key.* cooldown /);
    }
  });

  test("has just read the JWKS gets the time in which jose does not read it again", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const verify = right(keysOf(server().urls.auth));
    let refused = 0;
    const backend = await listenWith(
      plainly(async (req) => {
        const passes = await verify(req);
        if (!passes && refused++ === 0) vi.setSystemTime(Date.now() + 30_000);
        return passes;
      }),
    );
    const checked = await check(backend.url);
    expect(row(checked, "newKey")).toMatchObject({ verdict: "accepted", ok: true });
    expect(checked.json.ok, checked.text).toBe(true);
    expect(backend.seen).toHaveLength(20);
  });

  test("refuses the good token fails without a wait, and is told so first", async () => {
    const backend = await listenWith(plainly(async () => false));
    const checked = await check(backend.url, { cooldownSeconds: 60 });
    expect(row(checked, "newKey")).toMatchObject({ verdict: "refused", ok: false });
    expect(verdictWords(checked.json)).toMatch(/does not accept the valid token/);
  });

  test("accepts everything has the wrong tokens named, and the keys rows are fine", async () => {
    const checked = await check((await listenWith(plainly(async () => true))).url);
    expect(checked.json.ok).toBe(false);
    expect(verdictWords(checked.json)).toBe("The backend accepts 11 tokens that it must refuse.");
  });

  test("hangs up at the new key fails, and is judged to the end", async () => {
    const backend = await listenWith(() => (req, res) => {
      if ([2, 3].includes(backend.seen.length)) req.socket.destroy();
      else res.end("{}");
    });
    const checked = await check(backend.url);
    expect(row(checked, "newKey")).toMatchObject({ status: null, verdict: "unclear", ok: false });
    expect(checked.json.items).toHaveLength(19);
  });

  test("does not exist is called once, and no key is made", async () => {
    const checked = await check((await listenWith(() => (req) => req.socket.destroy())).url);
    expect(checked.json).toMatchObject({ ok: false, error: expect.stringMatching(/\S/) });
    expect(row(checked, "newKey")).toMatchObject({ status: null, ok: false });
  });
});

test("without rotate, and with HS256, no key is new", async () => {
  const { url } = await listenWith(plainly(async () => true));
  for (const [more, token] of [
    [{ rotate: false }, {}],
    [{}, { algorithm: "HS256" }],
  ])
    expect(row(await check(url, more, token), "newKey")).toBeUndefined();
  for (const cooldownSeconds of [-1, 61, "30"]) expectInvalid(await check(url, { cooldownSeconds }), "cooldownSeconds");
  expectInvalid(await check(url, { rotate: "yes" }), "rotate");
});

test("while it is lent the key is in the JWKS alone; a client that leaves ends the loan", async () => {
  const { session } = await signIn();
  const before = await keys();
  const events = await openEvents(server().urls.console);
  let reach: (token: string) => void;
  const reached = new Promise<string>((resolve) => {
    reach = resolve;
  });
  const backend = await listenWith(() => (req, res) => {
    if (backend.seen.length === 1) res.end("{}");
    else reach((req.headers.authorization ?? "").replace("Bearer ", ""));
  });
  const leave = new AbortController();
  const left = fetch(`${server().urls.console}/emulator/v1/sessions/${session.id}/token-check`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ url: backend.url, rotate: true }),
    signal: leave.signal,
  }).catch((error: Error) => error.name);
  const token = await reached;
  const [jwks, listed] = await keys();
  expect(jwks.keys.map(({ kid }: { kid: string }) => kid)).toContain(parts(token)[0].kid);
  expect(listed).toEqual(before[1]);
  const introspect = async () => (await control("POST", "/sessions/introspect", { token })).json;
  expect(await introspect()).toMatchObject({ active: true });
  leave.abort();
  expect(await left).toBe("AbortError");
  await expect.poll(keys).toEqual(before);
  expect(await introspect()).toEqual({ active: false, reason: "unknown_kid" });
  expect(backend.seen).toHaveLength(2);
  await control("PUT", "/snapshots/last");
  const last = await events.next(({ type }) => type.startsWith("signing-key") || type === "snapshot.put");
  expect(last).toMatchObject({ type: "snapshot.put" });
  events.close();
});

describe("for checks from elsewhere, a session is lent a key", () => {
  const published = async (token: string) =>
    (await keys())[0].keys.some(({ kid }: { kid: string }) => kid === parts(token)[0].kid);

  test("until retiredKey", async () => {
    const { wrong } = await signIn();
    expectInvalid(await wrong("retiredKey"), "defect");
    const fresh = (await wrong("newKey")).json;
    expect(fresh).toMatchObject({ defect: "newKey", why: expect.stringMatching(/JWKS/) });
    expect(await published(fresh.token)).toBe(true);
    const again = (await wrong("newKey")).json.token;
    expect(parts(again)[0]).toEqual(parts(fresh.token)[0]);
    const retired = (await wrong("retiredKey")).json.token;
    expect(parts(retired)[0]).toEqual(parts(fresh.token)[0]);
    expect(await published(retired)).toBe(false);
    expectInvalid(await wrong("retiredKey"), "defect");
  });

  test("until it is revoked", async () => {
    const { session, wrong } = await signIn();
    const { token } = (await wrong("newKey")).json;
    await control("DELETE", `/sessions/${session.id}`);
    expect(await published(token)).toBe(false);
  });

  test("for 90 s, and never more than twenty at a time", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const before = (await keys())[0];
    const { token } = (await (await signIn()).wrong("newKey")).json;
    vi.advanceTimersByTime(89_999);
    expect(await published(token)).toBe(true);
    vi.advanceTimersByTime(1);
    expect((await keys())[0]).toEqual(before);
    for (let nth = 0; nth < 22; nth += 1) await (await signIn()).wrong("newKey");
    expect((await keys())[0].keys).toHaveLength(before.keys.length + 20);
    vi.advanceTimersByTime(90_000);
    expect((await keys())[0]).toEqual(before);
  });

  test("but not with HS256", async () => {
    const { wrong } = await signIn({ algorithm: "HS256" }, { secret: LONG_SECRET });
    for (const defect of ["newKey", "retiredKey"]) expectInvalid(await wrong(defect), "defect");
  });
});

describe("the data", () => {
  const open = async (config: Partial<Config>) => {
    const running = await startInProcess({ config });
    onTestFinished(() => running.close());
    const clients = clientsOf(() => running);
    const { appId, userId } = (await clients.control("GET", "/profiles?limit=1")).json.items[0];
    const session = async () => (await clients.control("POST", "/sessions", { appId, userId })).json;
    return { ...clients, session };
  };
  const folder = (): string => {
    const dir = mkdtempSync(join(tmpdir(), "stagedoor-rotation-"));
    onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
    return dir;
  };

  test("has no lent key when the process is killed in the middle", async () => {
    const dataDir = join(folder(), "data");
    const copy = join(folder(), "data");
    const first = await open({ dataDir, durability: "process" });
    const { id } = await first.session();
    const listed = (await first.control("GET", "/signing-keys")).json;
    let published = 0;
    const backend = await listenWith(() => async (_req, res) => {
      if (backend.seen.length === 2) {
        published = (await first.auth("GET", "/.well-known/jwks.json")).json.keys.length;
        // What is on the disk now is all that a killed process leaves.
        cpSync(dataDir, copy, { recursive: true });
      }
      res.end("{}");
    });
    await first.control("POST", `/sessions/${id}/token-check`, { url: backend.url, rotate: true });
    const again = await open({ dataDir: copy, durability: "process" });
    expect((await again.control("GET", "/signing-keys")).json).toEqual(listed);
    expect(published).toBe(2);
    expect((await again.auth("GET", "/.well-known/jwks.json")).json.keys).toHaveLength(1);
  });

  test("with --signing-key nothing is lent", async () => {
    const signingKey = join(folder(), "key.pem");
    const { privateKey } = await generateKeyPair("ES256", { extractable: true });
    writeFileSync(signingKey, await exportPKCS8(privateKey));
    const { control: ask, session } = await open({ signingKey });
    const { id } = await session();
    const backend = await listenWith(plainly(async () => true));
    expectRefusal(await ask("POST", `/sessions/${id}/token-check`, { url: backend.url, rotate: true }), 409, "own_key");
    expectRefusal(await ask("POST", `/sessions/${id}/token`, { defect: "newKey" }), 409, "own_key");
    expect(backend.seen).toEqual([]);
  });
});
