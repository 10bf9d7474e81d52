/** The scenario of a profile: a fault for that user which survives a restart and a reset. */

import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { clientsOf } from "#test/hosts/client.ts";
import { startInProcess } from "#test/hosts/in-process.ts";
import { freshPhone, harness } from "#test/http/control/support.ts";

const { control, auth, app } = harness();

const ask = (appId: string, phone: string) => auth("POST", "/v1/users/session", { appId, user: { phone } });
const enter = (appId: string, phone: string, passcode: string) =>
  auth("PUT", "/v1/users/session", { appId, user: { phone }, passcode });
const faultsOf = async (appId: string) => (await control("GET", `/faults?appId=${appId}`)).json.items;
const codeFor = async (appId: string, to: string) =>
  (await control("GET", `/passcodes/latest?appId=${appId}&status=any&to=${encodeURIComponent(to)}`)).json;

describe("each scenario has its effect, for its user only", () => {
  test.each([
    ["locked", 202, "passcode_exhausted"],
    ["expiredCodes", 202, "passcode_expired"],
    ["serverError", 500, "fault_injected"],
  ])("%s", async (scenario, asked, reason) => {
    const { appId, profile } = await app();
    const { phone } = await profile({ scenario });
    const other = await profile();
    expect((await ask(appId, phone)).status).toBe(asked);
    const refused = await enter(appId, phone, "123456");
    expect(refused.headers.get("Emulator-Reason")).toBe(reason);
    expect((await ask(appId, other.phone)).status).toBe(202);
    const { code } = await codeFor(appId, other.phone);
    expect((await enter(appId, other.phone, code)).status).toBe(200);
  });

  test("noDelivery: 202, but the code does not arrive", async () => {
    const { appId, profile } = await app();
    const { phone } = await profile({ scenario: "noDelivery" });
    expect((await ask(appId, phone)).status).toBe(202);
    expect(await codeFor(appId, phone)).toMatchObject({ delivery: "failed" });
  });

  test("a custom fault: for a number of requests, and for some of them", async () => {
    const { appId, profile } = await app();
    const scenario = { match: { method: "POST" }, effect: { status: 503 }, times: 2 };
    const { phone } = await profile({ scenario });
    expect([(await ask(appId, phone)).status, (await enter(appId, phone, "1")).status]).toEqual([503, 401]);
    expect([(await ask(appId, phone)).status, (await ask(appId, phone)).status]).toEqual([503, 202]);
    expect(await faultsOf(appId)).toMatchObject([{ scenario: "custom", times: 2, used: 2, remaining: 0 }]);
  });
});

test("is listed with the faults, after the manual ones; turning it off there removes it from the profile", async () => {
  const { appId, profile } = await app();
  const { userId, phone } = await profile({ scenario: "slow" });
  await control("POST", "/faults", { match: { appId, to: phone }, effect: { status: 418 }, times: 1 });
  const [set, own] = await faultsOf(appId);
  expect(set).toMatchObject({ userId: null, scenario: null, effect: { status: 418 } });
  expect(own).toMatchObject({ userId, scenario: "slow", match: { appId, to: phone }, effect: { delayMs: 2_000 } });
  expect((await ask(appId, phone)).status).toBe(418);

  expect((await control("DELETE", `/faults?appId=${appId}`)).status).toBe(204);
  expect(await faultsOf(appId)).toHaveLength(1);
  expect((await control("DELETE", `/faults/${own.id}`)).status).toBe(204);
  expect(await faultsOf(appId)).toEqual([]);
  expect((await control("GET", `/profiles/${userId}`)).json.scenario).toBeNull();
});

test("follows its profile: a new number, a new strategy, deletion; null removes it", async () => {
  const { appId, profile } = await app();
  const { userId } = await profile({ scenario: "locked", email: "a@example.com" });
  const phone = freshPhone();
  await control("PATCH", `/profiles/${userId}`, { phone });
  const to = async () => (await faultsOf(appId)).map((fault: { match: { to: string } }) => fault.match.to);
  expect(await to()).toEqual([phone]);
  await control("PATCH", `/apps/${appId}`, { strategy: "email" });
  expect(await to()).toEqual(["a@example.com"]);
  await control("PATCH", `/profiles/${userId}`, { email: null });
  expect(await to()).toEqual([]);
  await control("PATCH", `/profiles/${userId}`, { email: "b@example.com", scenario: { effect: { drop: true } } });
  expect(await faultsOf(appId)).toMatchObject([{ scenario: "custom", effect: { drop: true } }]);
  await control("PATCH", `/profiles/${userId}`, { scenario: null });
  expect(await faultsOf(appId)).toEqual([]);
  await control("PATCH", `/profiles/${userId}`, { scenario: "locked" });
  await control("DELETE", `/profiles/${userId}`);
  expect(await faultsOf(appId)).toEqual([]);
});

test.each([
  ["lokced", { scenario: ['is not a scenario; did you mean "locked"?'] }],
  [{ efect: {}, effect: { drop: true } }, { "scenario.efect": ['is unknown; did you mean "effect"?'] }],
  [{ effect: { drop: true, status: 500 } }, { "scenario.drop": undefined }],
  [7, { scenario: [expect.stringMatching(/^must be "locked", "expiredCodes"/)] }],
])("rejects an invalid scenario: %j", async (scenario, errors) => {
  const { appId } = await app();
  const refused = await control("POST", "/profiles", { appId, phone: freshPhone(), scenario });
  expect(refused.status).toBe(422);
  if (!("scenario.drop" in errors)) expect(refused.json).toEqual(errors);
  else expect(refused.json).toEqual({ "scenario.effect.drop": ["cannot go with status"] });
});

test("survives export, import, restart and reset; a snapshot restores it", async () => {
  const dir = await mkdtemp(join(tmpdir(), "stagedoor-scenarios-"));
  const file = join(dir, "f.json");
  const profiles = [
    { phone: "+12025550100", scenario: "locked" },
    { phone: "+12025550101", scenario: { effect: { drop: true }, times: 3 } },
  ];
  await writeFile(file, JSON.stringify({ apps: [{ appId: "a", profiles }] }));
  const config = { durability: "process", dataDir: join(dir, "data") } as const;
  let server = await startInProcess({ config: { ...config, fixtures: [file] } });
  const { control: call } = clientsOf(() => server);
  const names = async () =>
    (await call("GET", "/faults")).json.items.map((fault: { scenario: string }) => fault.scenario);
  try {
    expect(await names()).toEqual(["locked", "custom"]);
    const state = (await call("GET", "/state")).json;
    expect(state.apps[0].profiles.map((profile: { scenario: unknown }) => profile.scenario)).toEqual(
      profiles.map(({ scenario }) => scenario),
    );
    await server.close();
    server = await startInProcess({ config });
    expect(await names()).toEqual(["locked", "custom"]);
    await call("PUT", "/snapshots/s");
    await call("PATCH", `/profiles/${state.apps[0].profiles[0].userId}`, { scenario: null });
    expect(await names()).toEqual(["custom"]);
    await call("POST", "/snapshots/s/restore");
    expect(await names()).toEqual(["custom", "locked"]);
    await call("DELETE", "/state");
    expect(await names()).toEqual(["locked", "custom"]);
    await call("PUT", "/state", { mode: "replace", state });
    expect(await names()).toEqual(["locked", "custom"]);
  } finally {
    await server.close();
    await rm(dir, { recursive: true, force: true });
  }
});
