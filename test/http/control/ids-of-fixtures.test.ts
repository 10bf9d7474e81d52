/** Users of fixtures and lists keep their id: the same at each start, each reset, on each machine. */
import { rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { clientsOf } from "#test/hosts/client.ts";
import { startInProcess } from "#test/hosts/in-process.ts";

const FILE = join(tmpdir(), `stagedoor-ids-${process.pid}.json`);
afterAll(async () => await rm(FILE, { force: true }));

const PROFILES = [
  { phone: "+12025550100", name: "Ada" },
  { name: "Guest", email: "a@example.com" },
  { name: "Guest", metadata: { n: 1 } },
  { name: "Guest", metadata: { n: 2 } },
];
const world = (profiles: readonly object[]) => ({ version: 1, apps: [{ appId: "shop", strategy: "phone", profiles }] });

const withServer = async <T>(run: (clients: ReturnType<typeof clientsOf>) => Promise<T>): Promise<T> => {
  const server = await startInProcess({ config: { fixtures: [FILE] } });
  try {
    return await run(clientsOf(() => server));
  } finally {
    await server.close();
  }
};
// biome-ignore lint/suspicious/noExplicitAny: as a client reads it
const idsIn = async ({ control }: ReturnType<typeof clientsOf>): Promise<any[]> =>
  (await control("GET", "/state?appId=shop")).json.apps[0].profiles.map(({ userId }: { userId: string }) => userId);

test("two starts and a reset give the same ids, of version 5, also without a username", async () => {
  await writeFile(FILE, JSON.stringify(world(PROFILES)));
  const first = await withServer(async (clients) => {
    const ids = await idsIn(clients);
    expect((await clients.control("DELETE", "/state")).status).toBe(204);
    expect(await idsIn(clients)).toEqual(ids);
    return ids;
  });
  expect(new Set(first).size).toBe(4);
  for (const id of first) expect(id).toMatch(/^[\da-f]{8}-[\da-f]{4}-5[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
  // Another order, another entry before it: the username decides.
  await writeFile(
    FILE,
    JSON.stringify(world([{ phone: "+12025550101" }, ...PROFILES.slice(1), ...PROFILES.slice(0, 1)])),
  );
  const second = await withServer(idsIn);
  expect([second[4], second.slice(1, 4)]).toEqual([first[0], first.slice(1)]);
});

test("the id is that of the app and the username; POST gives a random one", async () => {
  await writeFile(FILE, JSON.stringify(world(PROFILES.slice(0, 1))));
  await withServer(async (clients) => {
    const { control } = clients;
    const [ada] = await idsIn(clients);
    const body = {
      mode: "merge",
      state: { version: 1, apps: [{ appId: "other", profiles: [{ phone: "+12025550100" }] }] },
    };
    expect((await control("PUT", "/state", body)).status).toBe(200);
    const other = (await control("GET", "/state?appId=other")).json.apps[0].profiles[0].userId;
    expect(other).not.toBe(ada);
    const made = await control("POST", "/profiles", { appId: "shop", phone: "+12025550109" });
    expect(made.json.userId).toMatch(/^.{14}4/);
  });
});

test("an import again changes nobody, and who has changed their phone keeps their id from the next of that name", async () => {
  await writeFile(FILE, JSON.stringify(world(PROFILES)));
  await withServer(async (clients) => {
    const { control } = clients;
    const before = await idsIn(clients);
    const again = { mode: "merge", state: world(PROFILES) };
    expect((await control("PUT", "/state?users=1", again)).status).toBe(200);
    expect(await idsIn(clients)).toEqual(before);
    expect((await control("PATCH", `/profiles/${before[0]}`, { phone: "+12025550177" })).status).toBe(200);
    expect((await control("PUT", "/state", again)).status).toBe(200);
    const after = await idsIn(clients);
    expect([after.length, after.slice(0, 4), new Set(after).size]).toEqual([5, before, 5]);
  });
});
