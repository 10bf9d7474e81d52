/** Tokens bound to apps after a restart, with the join token and without. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { RunningServer } from "#server/server.ts";
import { type Call, caller } from "#test/hosts/client.ts";
import { startInProcess } from "#test/hosts/in-process.ts";

const APP = "job";
const PHONE = "+12025550178";
let dataDir: string;
let server: RunningServer;
let token: string;

const as = (bearer: string): Call =>
  caller(() => `${server.urls.console}/emulator/v1`, { Authorization: `Bearer ${bearer}` });
const start = async (joinToken: string | null): Promise<void> => {
  const open = { consoleHost: "127.0.0.1", accessToken: "whole-console", joinToken };
  server = await startInProcess({ config: { ...open, dataDir, durability: "process" } });
};
const restart = async (joinToken: string | null): Promise<void> => {
  await server.close();
  await start(joinToken);
};

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "stagedoor-sharing-"));
  await start("join-the-others");
  token = (await as("join-the-others")("POST", "/apps", { appId: APP, ttlSeconds: 3_600 })).json.accessToken;
});
afterEach(async () => {
  await server.close();
  await rm(dataDir, { recursive: true });
});

test("with the same join token, a bound token is good for the very first request", async () => {
  await restart("join-the-others");
  expect((await as(token)("GET", `/apps/${APP}`)).json.lease).toMatchObject({ joined: true });
});

test("with another join token, or none, no token but the console's own is", async () => {
  for (const joinToken of ["join-no-others", null]) {
    await restart(joinToken);
    for (const bearer of [token, "join-the-others"]) {
      const refused = await as(bearer)("GET", `/apps/${APP}`);
      expect([refused.status, refused.reason]).toEqual([401, "missing_access_token"]);
      expect((await as(bearer)("POST", "/apps", { ttlSeconds: 60 })).status).toBe(401);
    }
    const status = (await as("whole-console")("GET", "/status")).json;
    expect(status.joinToken).toBe(joinToken === null ? undefined : true);
  }
});

test("without a join token, the rows of a joined app still go with it", async () => {
  await restart(null);
  const whole = as("whole-console");
  await caller(() => server.urls.auth)("POST", "/v1/users/session", { appId: APP, user: { phone: PHONE } });
  expect((await whole("GET", "/requests")).json.items[0].appId).toBe(APP);
  expect((await whole("DELETE", `/apps/${APP}`)).status).toBe(204);
  expect((await whole("GET", "/requests")).json.items).toEqual([]);
});
