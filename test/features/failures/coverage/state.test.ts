/** What becomes of the counts of login coverage, over HTTP: they measure a whole test run, in which tests reset the data. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { RunningServer } from "#server/server.ts";
import { type Call, clientsOf } from "#test/hosts/client.ts";
import { startInProcess } from "#test/hosts/in-process.ts";
import { freshPhone } from "#test/http/control/support.ts";

const APP = "demo-app";

/** Brings the counts to something that they did not begin with. */
const change = ({ auth }: { readonly auth: Call }) =>
  auth("POST", "/v1/users/session", { appId: APP, user: { phone: freshPhone() } });

/** @param appId absent: of all apps. */
const read = async ({ control }: { readonly control: Call }, appId?: string): Promise<unknown> =>
  (await control("GET", `/coverage${appId ? `?appId=${appId}` : ""}`)).json.met;

/** Runs in a server of its own, with the state as it began and as it was changed. */
const within = async (
  use: (server: RunningServer, began: unknown, changed: unknown) => Promise<void>,
  config = {},
): Promise<void> => {
  const server = await startInProcess({ config });
  try {
    const at = clientsOf(() => server);
    const began = await read(at, APP);
    await change(at);
    const changed = await read(at, APP);
    expect(changed).not.toEqual(began);
    await use(server, began, changed);
  } finally {
    await server.close();
  }
};

test("they stay after a reset of the app, and of all", () =>
  within(async (server, _began, changed) => {
    const at = clientsOf(() => server);
    for (const path of [`/state?appId=${APP}`, "/state"]) {
      expect((await at.control("DELETE", path)).status).toBe(204);
      expect(await read(at, APP), path).toEqual(changed);
    }
  }));

test("they stay after the restore of a snapshot", async () => {
  const server = await startInProcess();
  try {
    const at = clientsOf(() => server);
    expect((await at.control("PUT", "/snapshots/before")).status).toBe(201);
    await change(at);
    const changed = await read(at, APP);
    expect((await at.control("POST", "/snapshots/before/restore")).status).toBe(200);
    expect(await read(at, APP)).toEqual(changed);
  } finally {
    await server.close();
  }
});

test("an export does not hold them", () =>
  within(async (server, began) => {
    const state = (await clientsOf(() => server).control("GET", "/state?volatile=1")).json;
    const other = await startInProcess();
    try {
      const at = clientsOf(() => other);
      expect((await at.control("PUT", "/state", { mode: "replace", state })).status).toBe(200);
      expect(await read(at, APP)).toEqual(began);
    } finally {
      await other.close();
    }
  }));

test("the deletion of its app takes them from the app, and not from the total", () =>
  within(async (server, began) => {
    const at = clientsOf(() => server);
    const all = await read(at);
    expect((await at.control("DELETE", `/apps/${APP}`)).status).toBe(204);
    expect(await read(at)).toEqual(all);
    expect((await at.control("POST", "/apps", { appId: APP })).status).toBe(201);
    expect(await read(at, APP)).toEqual(began);
  }));

test("they begin again with a restart", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "stagedoor-state-"));
  const config = { dataDir, durability: "process" as const };
  try {
    await within(async (first, began) => {
      await first.close();
      const second = await startInProcess({ config });
      try {
        expect(
          await read(
            clientsOf(() => second),
            APP,
          ),
        ).toEqual(began);
      } finally {
        await second.close();
      }
    }, config);
  } finally {
    await rm(dataDir, { recursive: true });
  }
});
