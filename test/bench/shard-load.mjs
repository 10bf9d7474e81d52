/** Runs Stagedoors at full load, with complete logins over lightweight connections, and measures the cost of an app. */
import { Client } from "./client.mjs";
import { cpuMs, memoryMb } from "./servers.mjs";
import { JOIN_TOKEN } from "./shards.mjs";

const CONNECTIONS = 16;
const USERS = 20;
const phoneOf = (/** @type {number} */ i) => `+1202555${String(i).padStart(4, "0")}`;

/** @param {import("./client.mjs").Reply} reply @param {number} status */
const expect = ({ status: got, body }, status) => {
  if (got !== status) throw new Error(`expected ${status}, got ${got}: ${body.slice(0, 300)}`);
  return body;
};

/**
 * Creates an app with users, using the join token.
 * @param {Client} client @param {import("./shards.mjs").Shard} shard @param {number} users
 * @returns {Promise<{ appId: string, accessToken: string }>}
 */
const newApp = async (client, { server }, users) => {
  const joining = { Authorization: `Bearer ${JOIN_TOKEN}` };
  const app = JSON.parse(
    expect(await client.ask(server.console, "POST", "/emulator/v1/apps", joining, { ttlSeconds: 600 }), 201),
  );
  for (let i = 0; i < users; i++) {
    const body = { appId: app.appId, user: { phone: phoneOf(i) } };
    expect(await client.ask(server.auth, "POST", "/v1/users/session", {}, body), 200);
  }
  return app;
};

/**
 * @param {import("./shards.mjs").Shard[]} shards all at once, as many connections to each
 * @param {number} ms
 * @returns {Promise<{ rate: number, cpuUs: number }[]>} of each: complete logins a second, processor time for one in microseconds
 */
export const fullSpeed = async (shards, ms) => {
  const counts = shards.map(() => 0);
  const workers = Array.from({ length: Math.max(CONNECTIONS, shards.length) }, async (_, worker) => {
    const at = worker % shards.length;
    const shard = shards[at];
    if (shard === undefined) return;
    const client = new Client();
    const { appId, accessToken } = await newApp(client, shard, USERS);
    const { auth, console } = shard.server;
    const headers = { Authorization: `Bearer ${accessToken}`, Accept: "text/plain" };
    for (let i = 0; performance.now() < ends; i++) {
      const phone = phoneOf(i % USERS);
      const body = { appId, user: { phone } };
      expect(await client.ask(auth, "POST", "/v1/users/session", {}, body), 202);
      const path = `/emulator/v1/passcodes/latest?to=%2B${phone.slice(1)}`;
      const passcode = expect(await client.ask(console, "GET", path, headers), 200).trim();
      expect(await client.ask(auth, "PUT", "/v1/users/session", {}, { ...body, passcode }), 200);
      if (performance.now() > begins) counts[at] = (counts[at] ?? 0) + 1;
    }
    client.close();
  });
  // The first second creates the apps and warms up.
  const begins = performance.now() + 1_000;
  const ends = begins + ms;
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  const before = shards.map(({ server }) => cpuMs(server.child.pid ?? 0));
  await Promise.all(workers);
  return shards.map(({ server }, at) => {
    const cpu = cpuMs(server.child.pid ?? 0) - (before[at] ?? 0);
    return { rate: ((counts[at] ?? 0) * 1000) / ms, cpuUs: (cpu * 1000) / (counts[at] ?? 0) };
  });
};

/**
 * Measures the cost of apps, created one at a time.
 * @param {import("./shards.mjs").Shard} shard @param {number} apps
 * @returns {Promise<{ cpuUs: number, kb: number }>} processor time for creating and deleting an empty app, in
 * microseconds; memory of an app whose users have signed up
 */
export const appCost = async (shard, apps) => {
  const client = new Client();
  const pid = shard.server.child.pid ?? 0;
  const cpu = cpuMs(pid);
  for (let i = 0; i < apps; i++) {
    const { appId, accessToken } = await newApp(client, shard, 0);
    const headers = { Authorization: `Bearer ${accessToken}` };
    expect(await client.ask(shard.server.console, "DELETE", `/emulator/v1/apps/${appId}`, headers), 204);
  }
  const cpuUs = ((cpuMs(pid) - cpu) * 1000) / apps;
  const before = memoryMb(pid);
  for (let i = 0; i < apps; i++) await newApp(client, shard, USERS);
  client.close();
  return { cpuUs, kb: ((memoryMb(pid) - before) * 1024) / apps };
};
