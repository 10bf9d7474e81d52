/**
 * What was answered survives `kill -9` at any moment (CONTRACT 8): the built server, killed under load and started again.
 */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Built, startBuilt, temporaryDir } from "./built.ts";
import { caller } from "./client.ts";

const ROUNDS = 5;
const CLIENTS = 4;

let data: Awaited<ReturnType<typeof temporaryDir>>;
let server: Built;
beforeEach(async () => {
  data = await temporaryDir();
});
afterEach(async () => {
  await server.stop("SIGKILL");
  await data.remove();
});

const admin = caller(() => server.ready.adminUrl, { Authorization: "Bearer sk_local_demo" });
const auth = caller(() => server.ready.authUrl);
const control = caller(() => `${server.ready.consoleUrl}/emulator/v1`);

/** What a profile must be after the kill: as last answered, or as the request under way would have made it. Null: deleted. */
interface Expected {
  readonly answered: string | null;
  readonly underWay?: string | null;
}

/** Creates, updates and deletes until the server is gone, and notes what was answered. */
const work = async (client: number, profiles: Map<string, Expected>): Promise<void> => {
  for (let i = 0; ; i++) {
    const name = `${client}/${i}`;
    const { userId } = (await admin("POST", "/v1/profiles", { name })).json;
    profiles.set(userId, { answered: name });
    if (i % 3 === 1) {
      profiles.set(userId, { answered: name, underWay: "changed" });
      await admin("PUT", `/v1/profiles/${userId}`, { name: "changed" });
      profiles.set(userId, { answered: "changed" });
    }
    if (i % 5 === 4) {
      profiles.set(userId, { answered: i % 3 === 1 ? "changed" : name, underWay: null });
      await admin("DELETE", `/v1/profiles/${userId}`);
      profiles.set(userId, { answered: null });
    }
  }
};

describe("kill -9", () => {
  test(`${ROUNDS} times under load, nothing that was answered is lost`, async () => {
    const profiles = new Map<string, Expected>();
    for (let round = 0; round < ROUNDS; round++) {
      server = await startBuilt(["--data", data.dir]);
      const enough = profiles.size + 50 + 37 * round;
      const clients = Array.from({ length: CLIENTS }, (_, client) => work(client, profiles).catch(() => "gone"));
      await expect.poll(() => profiles.size, { timeout: 20_000, interval: 5 }).toBeGreaterThan(enough);
      await server.stop("SIGKILL");
      await Promise.all(clients);
    }
    server = await startBuilt(["--data", data.dir]);
    for (const [userId, { answered, underWay }] of profiles) {
      const reply = await admin("GET", `/v1/profiles/${userId}`);
      const found = reply.status === 404 ? null : reply.json.name;
      expect([answered, ...(underWay === undefined ? [] : [underWay])]).toContain(found);
    }
  });

  test("between 202 and PUT: the code still works; after the PUT never again; tokens live on", async () => {
    server = await startBuilt(["--data", data.dir]);
    const user = { appId: "demo-app", user: { phone: "+12025550100" } };
    expect((await auth("POST", "/v1/users/session", user)).status).toBe(202);
    const { code } = (await control("GET", "/passcodes/latest?to=%2B12025550100")).json;
    await server.stop("SIGKILL");

    server = await startBuilt(["--data", data.dir]);
    const session = await auth("PUT", "/v1/users/session", { ...user, passcode: code });
    expect(session.status).toBe(200);
    await server.stop("SIGKILL");

    server = await startBuilt(["--data", data.dir]);
    expect((await auth("PUT", "/v1/users/session", { ...user, passcode: code })).reason).toBe("passcode_used");
    expect((await control("POST", "/sessions/introspect", { token: session.json.token })).json.active).toBe(true);
  });

  test("a line torn by the kill is cut off, kept beside, and said", async () => {
    server = await startBuilt(["--data", data.dir]);
    const kept = await admin("POST", "/v1/profiles", { name: "kept" });
    await server.stop("SIGKILL");
    const journal = join(data.dir, "journal-1.ndjson");
    const whole = await readFile(journal);
    await writeFile(journal, Buffer.concat([whole, whole.subarray(-60, -1)]));

    server = await startBuilt(["--data", data.dir]);
    expect(server.stderr()).toContain("recovered");
    expect((await admin("GET", `/v1/profiles/${kept.json.userId}`)).json.name).toBe("kept");
    expect(await server.stop()).toBe(0);
    expect(await readFile(join(data.dir, "stagedoor.json"), "utf8")).toContain('"kept"');
  });
});
