import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { RunningServer } from "#server/server.ts";
import { type Clients, clientsOf } from "#test/hosts/client.ts";
import { startInProcess } from "#test/hosts/in-process.ts";
import { handClock } from "./support.ts";

const real = handClock();

describe("without fixtures, a reset", () => {
  let server: RunningServer;
  const { control, admin, auth } = clientsOf(() => server);
  beforeAll(async () => {
    server = await startInProcess({ now: real.now });
  });
  afterAll(() => server.close());

  test("returns 204 and restores the demo; everything else is removed and the clock is real", async () => {
    const first = (await control("GET", "/state?volatile=1")).json;
    const jwks = (await auth("GET", "/.well-known/jwks.json")).text;
    const { token } = (
      await control("POST", "/sessions", { appId: "demo-app", userId: first.apps[0].profiles[0].userId })
    ).json;
    await control("POST", "/apps", { appId: "extra" });
    await control("PATCH", "/apps/demo-app", { secret: "sk_other", settings: { signUp: "closed" } });
    await control("DELETE", `/profiles/${first.apps[0].profiles[1].userId}`);
    await control("PUT", "/clock", { offsetSeconds: 1_000 });
    await control("PUT", "/clock?appId=demo-mail", { frozenAt: "2040-01-01T00:00:00.000Z" });

    const reset = await control("DELETE", "/state");
    expect([reset.status, reset.text]).toEqual([204, ""]);
    expect((await control("GET", "/state?volatile=1")).json).toEqual(first);
    expect((await admin("GET", "/v1/profiles")).status).toBe(200);
    expect((await control("GET", "/clock")).json).toMatchObject({ offsetSeconds: 0, frozenAt: null });
    expect((await control("GET", "/clock?appId=demo-mail")).json).toMatchObject({ offsetSeconds: 0, frozenAt: null });
    expect((await control("POST", "/sessions/introspect", { token })).json).toMatchObject({ active: false });
    // The signing key stays.
    expect((await auth("GET", "/.well-known/jwks.json")).text).toBe(jwks);
  });

  test("says on trial what it would remove that the fixtures do not have, and changes nothing", async () => {
    await control("POST", "/apps", { appId: "acme" });
    for (const appId of ["acme", "acme", "demo-app"]) await control("POST", "/profiles", { appId, name: "More" });
    const before = (await control("GET", "/state?volatile=1")).json;
    const removedBy = async (query: string) => (await control("DELETE", `/state?dryRun=1${query}`)).json.removed;
    expect(await removedBy("")).toEqual([
      { appId: "demo-app", app: false, profiles: 1 },
      { appId: "acme", app: true, profiles: 2 },
    ]);
    expect(await removedBy("&appId=acme")).toEqual([{ appId: "acme", app: false, profiles: 2 }]);
    expect(await removedBy("&appId=demo-mail")).toEqual([]);
    expect((await control("GET", "/state?volatile=1")).json).toEqual(before);
    await control("DELETE", "/state");
  });

  test("is visible on admin even if it is large enough for a new document file", async () => {
    const profiles = Array.from({ length: 1_100 }, (_, n) => ({ name: `User ${n}` }));
    const state = (await control("GET", "/state?appId=demo-app")).json;
    const body = { mode: "replace", state: { ...state, apps: [{ ...state.apps[0], profiles, connections: [] }] } };
    expect((await control("PUT", "/state?appId=demo-app", body)).status).toBe(200);
    const total = async () => (await admin("GET", "/v1/profiles")).headers.get("Total-Count");
    expect(await total()).toBe("1100");
    expect((await control("DELETE", "/state")).status).toBe(204);
    expect(await total()).toBe("12");
  });

  test("resets one app and its clock with ?appId=; the others stay", async () => {
    const first = (await control("GET", "/state?appId=demo-app")).json;
    await control("POST", "/apps", { appId: "beside" });
    await control("POST", "/profiles", { appId: "demo-app", name: "Added" });
    await control("POST", "/profiles", { appId: "beside", name: "Stays" });
    await control("PUT", "/clock", { offsetSeconds: 60 });
    await control("PUT", "/clock?appId=demo-app", { offsetSeconds: 3_600 });
    expect((await control("DELETE", "/state?appId=demo-app")).status).toBe(204);
    expect((await control("GET", "/state?appId=demo-app")).json).toEqual(first);
    expect((await control("GET", "/clock?appId=demo-app")).json).toMatchObject({ offsetSeconds: 0, frozenAt: null });
    expect((await control("GET", "/clock?appId=beside")).json.offsetSeconds).toBe(60);
    expect((await control("GET", "/profiles?appId=beside")).json.total).toBe(1);
    const ids = (await control("GET", "/apps")).json.items.map(({ appId }: { appId: string }) => appId);
    expect(ids).toEqual(["demo-app", "demo-mail", "beside"]);

    // An app without a fixture becomes empty, as at first; its settings and secret stay.
    const { secret } = (await control("GET", "/apps/beside")).json;
    expect((await control("DELETE", "/state?appId=beside")).status).toBe(204);
    expect((await control("GET", "/apps/beside")).json).toMatchObject({ secret, counts: { profiles: 0 } });
    expect((await control("DELETE", "/state?appId=none")).status).toBe(404);
    await control("DELETE", "/state");
  });
});

describe("with fixtures, a reset", () => {
  let [server, dir, file]: [RunningServer | undefined, string, string] = [undefined, "", ""];
  const running = (): RunningServer => {
    if (server === undefined) throw new Error("not started");
    return server;
  };
  const { control }: Clients = clientsOf(running);
  const write = (text: string) => writeFile(file, text);
  const fixture = (...names: string[]) =>
    JSON.stringify({
      version: 1,
      apps: [{ appId: "fix", secret: "sk_fix", profiles: names.map((name) => ({ name })) }],
    });
  const names = async () => (await control("GET", "/profiles")).json.items.map(({ name }: { name: string }) => name);
  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), "stagedoor-reset-"));
    file = join(dir, "world.json");
    await write(fixture("Ann"));
    server = await startInProcess({ now: real.now, config: { fixtures: [file] } });
  });
  afterAll(async () => {
    await server?.close();
    await rm(dir, { recursive: true });
  });

  test("applies changes to the file; created records are dated in real time", async () => {
    expect(await names()).toEqual(["Ann"]);
    await control("PUT", "/clock", { frozenAt: "2040-01-01T00:00:00.000Z" });
    await write(fixture("Ann", "Bob"));
    expect((await control("DELETE", "/state")).status).toBe(204);
    expect(await names()).toEqual(["Ann", "Bob"]);
    const [{ createdAt }] = (await control("GET", "/profiles")).json.items;
    expect(createdAt).toBe(new Date(real.now()).toISOString());
  });

  test.each([
    ["gone", undefined],
    ["malformed JSON", "{"],
    ["not a state", '{"version":1,"apps":[{"appid":"x"}]}'],
    ["invalid", '{"version":1,"apps":[{"appId":"fix","profiles":[{"phone":"1"}]}]}'],
  ])("returns 409 with the cause if the fixtures are %s, and changes nothing", async (_, text) => {
    const before = (await control("GET", "/state?volatile=1")).text;
    if (text === undefined) await rm(file);
    else await write(text);
    for (const query of ["", "?appId=fix"]) {
      const refused = await control("DELETE", `/state${query}`);
      expect([refused.status, refused.json.message]).toEqual([409, "Conflict"]);
      expect(refused.json.instruction.length).toBeGreaterThan("Nothing was changed: ".length);
      expect((await control("GET", "/state?volatile=1")).text).toBe(before);
    }
    await write(fixture("Back"));
    expect((await control("DELETE", "/state")).status).toBe(204);
    expect(await names()).toEqual(["Back"]);
  });
});

test("imported data, for all apps and for one, survives a restart unchanged", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "stagedoor-state-"));
  const start = () => startInProcess({ config: { dataDir, durability: "process" } });
  let server = await start();
  const { control, auth, code } = clientsOf(() => server);
  const whole = async () => (await control("GET", "/state?volatile=1")).text;
  const state = JSON.parse(await whole());
  await control("PUT", "/state", { mode: "replace", state });
  const login = { appId: "demo-app", user: { phone: "+12025550100" } };
  await auth("POST", "/v1/users/session", login);
  await control("PUT", "/state?appId=demo-mail", { mode: "replace", state });
  await control("PUT", "/state", { mode: "merge", state: JSON.parse(await whole()) });
  await control("PUT", "/clock?appId=demo-mail", { offsetSeconds: 60 });
  await control("DELETE", "/state?appId=demo-mail");
  const before = await whole();
  await server.close();
  server = await start();
  expect(await whole()).toBe(before);
  const passcode = await code("+12025550100");
  expect((await auth("PUT", "/v1/users/session", { ...login, passcode })).status).toBe(200);
  await server.close();
  await rm(dataDir, { recursive: true });
});
