/** Keys change. Rotation, retirement, restart and kill, a key of one's own, a bound token, old data. */
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { exportPKCS8, generateKeyPair } from "jose";
import { afterEach, expect, test } from "vitest";
import type { Config } from "#server/config.ts";
import type { RunningServer } from "#server/server.ts";
import { type Call, clientsOf } from "#test/hosts/client.ts";
import { startInProcess } from "#test/hosts/in-process.ts";
import { expectInvalid, expectRefusal, SESSION } from "#test/http/decisions/support.ts";
import { openEvents } from "#test/http/events/event-stream.ts";
import { parts } from "#test/http/tokens/support.ts";

const BEFORE = new URL("./data-without-key-times.json", import.meta.url);
const running = new Set<RunningServer>();
const folders: string[] = [];
afterEach(async () => {
  for (const server of running) await server.close();
  running.clear();
  for (const dir of folders.splice(0)) rmSync(dir, { recursive: true, force: true });
});

const folder = (): string => {
  const dir = mkdtempSync(join(tmpdir(), "stagedoor-signing-keys-"));
  folders.push(dir);
  return dir;
};

const open = async (config: Partial<Config> = {}) => {
  const server = await startInProcess({ config });
  running.add(server);
  const { auth, control } = clientsOf(() => server);
  let users = 100;
  return {
    server,
    auth,
    control,
    keys: async () => (await control("GET", "/signing-keys")).json.items,
    published: async () =>
      (await auth("GET", "/.well-known/jwks.json")).json.keys.map(({ kid }: { kid: string }) => kid),
    algorithms: async () =>
      (await auth("GET", "/.well-known/openid-configuration")).json.id_token_signing_alg_values_supported,
    signIn: async (): Promise<string> => {
      users += 1;
      const user = { phone: `+12025551${users}` };
      return (await auth("POST", SESSION, { appId: "demo-app", user })).json.token;
    },
    introspect: async (token: string) => (await control("POST", "/sessions/introspect", { token })).json,
    close: async () => {
      running.delete(server);
      await server.close();
    },
  };
};

const rotate = async (control: Call, algorithm?: string) => {
  const rotated = await control("POST", "/signing-keys/rotate", algorithm === undefined ? {} : { algorithm });
  expect(rotated.status, rotated.text).toBe(200);
  return rotated.json.items.at(-1).kid;
};

test("a rotation signs with a new key; tokens of the previous one stay valid until it is retired", async () => {
  const { server, auth, control, keys, published, signIn, introspect } = await open();
  const old = await signIn();
  const [first] = await keys();
  expect(first).toEqual({
    kid: parts(old)[0].kid,
    algorithm: "ES256",
    state: "current",
    createdAt: expect.stringMatching(/^\d{4}-.*Z$/),
    tokens: 1,
  });
  const events = await openEvents(server.urls.console);
  const kid = await rotate(control);
  const fresh = await signIn();
  expect(parts(fresh)[0].kid).toBe(kid);
  expect(await keys()).toMatchObject([
    { kid: first.kid, state: "previous", tokens: 1 },
    { kid, state: "current", tokens: 1 },
  ]);
  expect(await published()).toEqual([first.kid, kid]);
  for (const token of [old, fresh]) expect(await introspect(token)).toMatchObject({ active: true });

  expectRefusal(await control("DELETE", `/signing-keys/${kid}`), 409, "current_key");
  expect((await control("DELETE", "/signing-keys/ghost")).status).toBe(404);
  expect((await control("DELETE", `/signing-keys/${first.kid}`)).status).toBe(204);
  expect((await control("DELETE", `/signing-keys/${first.kid}`)).status).toBe(404);
  expect(await published()).toEqual([kid]);
  expect(await introspect(old)).toEqual({ active: false, reason: "unknown_kid" });
  expect(await introspect(fresh)).toMatchObject({ active: true });
  await control("PATCH", "/apps/demo-app", { settings: { sessionExtensions: true } });
  expect((await auth("GET", SESSION, undefined, { Authorization: `Bearer ${old}` })).status).toBe(401);
  expect((await auth("GET", SESSION, undefined, { Authorization: `Bearer ${fresh}` })).status).toBe(200);

  expect(await events.next(({ type }) => type === "signing-key.put")).toMatchObject({
    appId: null,
    item: { kid, state: "current" },
  });
  expect(await events.next(({ type }) => type === "signing-key.remove")).toMatchObject({ item: { kid: first.kid } });
  events.close();
});

test("rotations at the same time each make a key", async () => {
  const { control, keys } = await open();
  await Promise.all([rotate(control), rotate(control), rotate(control)]);
  expect((await keys()).map(({ state }: { state: string }) => state)).toEqual([
    "previous",
    "previous",
    "previous",
    "current",
  ]);
});

test("only sessions that are active count", async () => {
  const { control, keys, signIn } = await open();
  const [one, two] = [await signIn(), await signIn()].map((token) => parts(token)[1].jti);
  await signIn();
  await control("DELETE", `/sessions/${one}`);
  await control("POST", `/sessions/${two}/expire`);
  expect((await keys())[0].tokens).toBe(1);
});

test("discovery names the algorithms of all keys, that of the app first", async () => {
  const { control, algorithms, keys, signIn } = await open();
  const old = await signIn();
  expect(await algorithms()).toEqual(["ES256"]);
  for (const appId of ["demo-app", "demo-mail"])
    await control("PATCH", `/apps/${appId}`, { settings: { "token.algorithm": "RS256" } });
  expect(await algorithms()).toEqual(["RS256", "ES256"]);
  await signIn();
  expect(await keys()).toMatchObject([
    { algorithm: "ES256", state: "current", tokens: 1 },
    { algorithm: "RS256", state: "current", tokens: 1 },
  ]);
  expect(parts(old)[0].alg).toBe("ES256");
  const kid = await rotate(control, "EdDSA");
  expect(await keys()).toHaveLength(3);
  await rotate(control, "EdDSA");
  expect((await control("DELETE", `/signing-keys/${kid}`)).status).toBe(204);
  expect(await algorithms()).toEqual(["RS256", "ES256", "EdDSA"]);
});

test("bad input returns 422 and changes nothing", async () => {
  const { control, keys } = await open();
  const before = await keys();
  expectInvalid(await control("POST", "/signing-keys/rotate", { algorithm: "HS256" }), "algorithm");
  expectInvalid(await control("POST", "/signing-keys/rotate", { algoritm: "ES256" }), "algoritm");
  expect(await keys()).toEqual(before);
});

test.each(["a restart", "kill -9"])("keys survive %s, and what was retired stays away", async (end) => {
  const config = { dataDir: join(folder(), "data"), durability: "process" } as const;
  const first = await open(config);
  const retired = await first.signIn();
  const kid = await rotate(first.control);
  const kept = await first.signIn();
  await rotate(first.control);
  await first.control("DELETE", `/signing-keys/${parts(retired)[0].kid}`);
  const before = await first.keys();
  const published = await first.published();
  const copy = join(folder(), "data");
  if (end === "a restart") await first.close();
  // What is on the disk now is all that a killed process leaves.
  cpSync(config.dataDir, copy, { recursive: true });

  const again = await open({ ...config, dataDir: copy });
  expect(await again.keys()).toEqual(before);
  expect(await again.published()).toEqual(published);
  expect(await again.introspect(kept)).toMatchObject({ active: true });
  expect(await again.introspect(retired)).toEqual({ active: false, reason: "unknown_kid" });
  expect(before).toMatchObject([{ kid, state: "previous", tokens: 1 }, { state: "current" }]);
});

test("a key that could not be stored changes nothing", async () => {
  const { nodeFiles } = await import("#store/disk/files.ts");
  let full = false;
  const fails = (): never => {
    throw Object.assign(new Error("ENOSPC: no space left on device"), { code: "ENOSPC", syscall: "write" });
  };
  const files = new Proxy(nodeFiles, {
    get: (target, name) => (full ? fails : Reflect.get(target, name)),
  });
  const server = await startInProcess({ config: { dataDir: join(folder(), "data"), durability: "process" }, files });
  const { control } = clientsOf(() => server);
  const before = (await control("GET", "/signing-keys")).json;
  full = true;
  expect((await control("POST", "/signing-keys/rotate", {})).status).toBe(507);
  expect((await control("GET", "/signing-keys")).json).toEqual(before);
  full = false;
  expect((await control("POST", "/signing-keys/rotate", {})).status).toBe(200);
  await server.close();
});

test("keys are in no export, snapshot or answer", async () => {
  const config = { dataDir: join(folder(), "data"), durability: "process" } as const;
  const { control, keys, close } = await open(config);
  await rotate(control);
  await control("PUT", "/snapshots/kept");
  const shown = [(await control("GET", "/state?volatile=1")).text, JSON.stringify(await keys())].join();
  await close();
  const stored = JSON.parse(readFileSync(join(config.dataDir, "stagedoor.json"), "utf8"));
  const secrets = [stored.key, ...stored.keys].map(({ d }: { d: string }) => d);
  expect(secrets).toHaveLength(2);
  for (const secret of secrets) expect(shown).not.toContain(secret);
});

test("with --signing-key nothing can be changed", async () => {
  const signingKey = join(folder(), "key.pem");
  const { privateKey } = await generateKeyPair("RS256", { extractable: true });
  writeFileSync(signingKey, await exportPKCS8(privateKey));
  const { control, keys, signIn } = await open({ signingKey });
  await signIn();
  const before = await keys();
  expect(before).toMatchObject([{ algorithm: "RS256", state: "current", createdAt: null, tokens: 1 }]);
  expectRefusal(await control("POST", "/signing-keys/rotate", {}), 409, "own_key");
  expectRefusal(await control("DELETE", `/signing-keys/${before[0].kid}`), 409, "own_key");
  expect(await keys()).toEqual(before);
});

test("a token bound to an app sees keys, with the tokens of its app, and changes none", async () => {
  const as = (token: string) => ({ Authorization: `Bearer ${token}` });
  const whole = as("whole-console");
  const config = { consoleHost: "127.0.0.1", accessToken: "whole-console", joinToken: "join-the-others" };
  const { control, signIn } = await open(config);
  await signIn();
  const joined = await control("POST", "/apps", { appId: "mine", ttlSeconds: 60 }, as("join-the-others"));
  expect(joined.status, joined.text).toBe(201);
  const bound = as(joined.json.accessToken);
  const keys = async (who: Record<string, string>) =>
    (await control("GET", "/signing-keys", undefined, who)).json.items;
  const [key] = await keys(whole);
  expect(key.tokens).toBe(1);
  expect(await keys(bound)).toEqual([{ ...key, tokens: 0 }]);
  expect((await control("POST", "/signing-keys/rotate", {}, bound)).status).toBe(403);
  expect((await control("DELETE", `/signing-keys/${key.kid}`, undefined, bound)).status).toBe(403);
  expect(await keys(whole)).toEqual([key]);
});

test("data from before keys had times is read, and its first key can be retired", async () => {
  const dataDir = join(folder(), "data");
  cpSync(BEFORE, join(dataDir, "stagedoor.json"), { recursive: true });
  const config = { dataDir, durability: "process" } as const;
  const first = await open(config);
  const [old] = await first.keys();
  expect(old).toMatchObject({ algorithm: "ES256", state: "current", createdAt: null });
  const token = await first.signIn();
  expect(parts(token)[0].kid).toBe(old.kid);
  const kid = await rotate(first.control);
  expect((await first.control("DELETE", `/signing-keys/${old.kid}`)).status).toBe(204);
  await first.close();
  const again = await open(config);
  expect(await again.keys()).toMatchObject([{ algorithm: "RS256" }, { kid, createdAt: expect.any(String) }]);
});
