/** The 200 odd profiles in a whole server: imported, shown, listed, updated, exported. */
import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { RunningServer } from "#server/server.ts";
import { type Call, clientsOf } from "#test/hosts/client.ts";
import { startInProcess } from "#test/hosts/in-process.ts";

const file = new URL("../../fixtures/qa-200.json", import.meta.url);
const world = JSON.parse(await readFile(file, "utf8"));

let server: RunningServer;
const { as, auth, control, code } = clientsOf(() => server);
beforeAll(async () => {
  server = await startInProcess();
  const reply = await control("PUT", "/state", { mode: "replace", state: world });
  expect(reply.status, reply.text).toBe(200);
  expect(reply.json).toMatchObject({ apps: 2, profiles: 200, connections: 20 });
});
afterAll(() => server.close());

const everyPage = async (call: Call) => {
  const pages = await Promise.all([1, 2, 3].map((page) => call("GET", `/v1/profiles?limit=40&page=${page}`)));
  return pages.flatMap((page) => page.json);
};

describe.each([
  ["sk_local_qa_phone", 0],
  ["sk_local_qa_mail", 1],
])("%s", (secret, index) => {
  const sent = world.apps[index].profiles;
  const call = as(secret);

  test("lists them in order, as they were sent", async () => {
    const listed = await everyPage(call);
    expect(listed).toHaveLength(100);
    for (const [i, profile] of listed.entries()) {
      const { name = null, phone = null, email = null } = sent[i];
      expect(profile).toMatchObject({ name, phone, email });
      if (sent[i].userId !== undefined) expect(profile.userId).toBe(sent[i].userId.toLowerCase());
      if (!sent[i].name?.includes("snake") && !sent[i].name?.includes("meet"))
        expect(JSON.stringify(profile.metadata)).toBe(JSON.stringify(sent[i].metadata ?? null));
    }
  });

  test("accepts each of them again as an update without changes", async () => {
    for (const profile of await everyPage(call)) {
      const { name, phone, email, metadata } = profile;
      const reply = await call("PUT", `/v1/profiles/${profile.userId}`, { name, phone, email, metadata });
      expect(reply.status, `${name}: ${reply.text}`).toBe(200);
      const shown = await call("GET", `/v1/profiles/${profile.userId}`);
      expect(shown.json).toEqual({ ...profile, updatedAt: shown.json.updatedAt });
    }
  });

  test("signs each of them in with a passcode", async () => {
    const { appId, strategy } = world.apps[index];
    for (const profile of sent) {
      const username = profile[strategy];
      if (username === undefined || username === null) continue;
      const user = { [strategy]: username };
      const asked = await auth("POST", "/v1/users/session", { appId, user });
      expect(asked.status, username).toBe(202);
      const passcode = await code(username, appId);
      if (typeof profile.testPasscode === "string") expect(passcode).toBe(profile.testPasscode);
      const session = await auth("PUT", "/v1/users/session", { appId, user, passcode });
      expect(session.status, `${username}: ${session.text}`).toBe(200);
    }
  });
});

test("D4: converts snake_case keys of a fixture like those of a request", async () => {
  const found = await control("GET", "/profiles?q=snake_case%20within");
  expect(found.json.items[0].metadata).toEqual({
    homeAddress: { streetName: "Way", geoPoint: { latDeg: 1.5 } },
    pastOrders: [{ orderId: 7 }],
  });
});

test("a re-imported export is identical", async () => {
  const before = await control("GET", "/state");
  const reply = await control("PUT", "/state", { mode: "replace", state: before.json });
  expect(reply.status, reply.text).toBe(200);
  expect((await control("GET", "/state")).json).toEqual(before.json);
});
