import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { RunningServer } from "#server/server.ts";
import { clientsOf } from "#test/hosts/client.ts";
import { type Settings, startInProcess } from "#test/hosts/in-process.ts";
import { APP, firstHalf, lists, type Memory, secondHalf, whole, withoutSeq } from "./deterministic-story.ts";
import { ISO, UUID } from "./support.ts";

const SESSION = "/v1/users/session";
const running: RunningServer[] = [];
const remembered = (): Memory => ({ annId: "", bobId: "" });

/** A server with this app, if given, next to its initial ones. */
const begin = async (app: object | null = APP, settings: Settings = {}) => {
  const server = await startInProcess(settings);
  running.push(server);
  const clients = clientsOf(() => server);
  if (app === null) return clients;
  const made = await clients.control("POST", "/apps", app);
  expect(made.status, made.text).toBe(201);
  return clients;
};
type Server = Awaited<ReturnType<typeof begin>>;

const story = async (clients: Server, app = APP): Promise<string[]> => {
  const memory = remembered();
  return [...(await firstHalf(clients, memory, app)), ...(await secondHalf(clients, memory, app))];
};

/** The result of the story when nothing interferes. */
let [answers, state, listed]: [string[], string, string] = [[], "", ""];
let first: Server;
beforeAll(async () => {
  first = await begin();
  answers = await story(first);
  state = await whole(first);
  listed = await lists(first);
});
afterAll(() => Promise.all(running.map((server) => server.close())));

describe("a deterministic app repeats itself", () => {
  test("in a story with every kind of response", () => {
    const statuses = new Set(answers.map((answer) => / (\d{3}) /.exec(answer)?.[1]));
    expect([...statuses].sort()).toEqual(["200", "201", "202", "204", "401", "404", "422"]);
    expect(answers.length).toBeGreaterThanOrEqual(30);
    const { apps } = JSON.parse(state);
    for (const kind of ["profiles", "connections", "passcodes", "sessions"]) {
      expect(apps[0][kind].length, kind).toBeGreaterThan(0);
      for (const record of apps[0][kind]) {
        expect(record.id ?? record.userId).toMatch(UUID);
        expect(record.createdAt).toMatch(ISO);
      }
    }
  });

  test("byte for byte on another server at another time: responses, claims, request ids, lists, state", async () => {
    const second = await begin(APP, { now: () => Date.parse("2031-05-05T05:05:05.555Z") });
    expect(await story(second)).toEqual(answers);
    expect(await whole(second)).toBe(state);
    expect(await lists(second)).toBe(listed);
  });

  test("after a reset of the same server; the log still finds a passcode's request", async () => {
    expect((await first.control("DELETE", `/state?appId=${APP.appId}`)).status).toBe(204);
    await first.control("PATCH", `/apps/${APP.appId}`, { name: APP.appId, settings: { passcode: null } });
    await first.control("DELETE", `/state?appId=${APP.appId}`);
    expect(await story(first)).toEqual(answers);
    expect(await whole(first)).toBe(state);
    expect(withoutSeq(await lists(first))).toBe(withoutSeq(listed));
    const { requestId } = (await first.control("GET", `/passcodes?appId=${APP.appId}`)).json.items[0];
    expect((await first.control("GET", `/requests/${requestId}`)).json).toMatchObject({ id: requestId, status: 202 });
  });

  test("across a restart in the middle", async () => {
    const dataDir = await mkdtemp(join(tmpdir(), "stagedoor-repeats-"));
    const settings: Settings = { config: { dataDir, durability: "process" } };
    const memory = remembered();
    const before = await begin(APP, settings);
    const half = await firstHalf(before, memory);
    await running.pop()?.close();
    const after = await begin(null, settings);
    expect([...half, ...(await secondHalf(after, memory))]).toEqual(answers);
    expect(await whole(after)).toBe(state);
    expect(await lists(after)).toBe(listed);
    await running.pop()?.close();
    await rm(dataDir, { recursive: true });
  });

  test.each(["", `?appId=${APP.appId}`])("from a restored snapshot (%s)", async (query) => {
    const clients = await begin();
    const memory = remembered();
    const half = await firstHalf(clients, memory);
    expect((await clients.control("PUT", `/snapshots/half${query}`)).status).toBe(201);
    await secondHalf(clients, memory);
    for (const _ of ["once", "twice"]) {
      await clients.control("POST", `/snapshots/half/restore${query}`);
      expect((await clients.control("POST", `/snapshots/half/restore${query}`)).json.changes).toBe(0);
      expect([...half, ...(await secondHalf(clients, memory))]).toEqual(answers);
      expect(await whole(clients)).toBe(state);
    }
  });

  test("from a state with volatile parts imported on another server", async () => {
    const clients = await begin();
    const memory = remembered();
    const half = await firstHalf(clients, memory);
    const sent = await whole(clients);
    const other = await begin(null);
    await other.control("PUT", "/state", { mode: "replace", state: JSON.parse(sent) });
    expect(await whole(other)).toBe(sent);
    expect([...half, ...(await secondHalf(other, memory))]).toEqual(answers);
    expect(await whole(other)).toBe(state);
  });

  test("despite failing requests, reads and other apps' requests in between", async () => {
    const clients = await begin();
    const { control, auth, admin } = clients;
    const between = async (): Promise<void> => {
      await auth("POST", SESSION, { appId: APP.appId, user: {} });
      await auth("PUT", SESSION, { appId: APP.appId, user: { phone: "+12025550101" } });
      await control("PATCH", `/apps/${APP.appId}`, { settings: { signUp: "ajar" } });
      const twice = [{ phone: "+12025550177" }, { phone: "+12025550177" }];
      const bad = { version: 1, apps: [{ appId: APP.appId, profiles: twice }] };
      expect((await control("PUT", "/state", { mode: "merge", state: bad })).status).toBe(422);
      const good = { version: 1, apps: [{ appId: APP.appId, profiles: [{ name: "dry" }] }] };
      expect((await control("PUT", "/state?dryRun=1", { mode: "merge", state: good })).status).toBe(200);
      await control("GET", "/state?volatile=1");
      await admin("POST", "/v1/profiles", { name: "of the demo app" });
    };
    const memory = remembered();
    await between();
    const half = await firstHalf(clients, memory);
    await between();
    expect([...half, ...(await secondHalf(clients, memory))]).toEqual(answers);
    expect(await whole(clients)).toBe(state);
  });
});

describe("ids", () => {
  const idsOf = async (clients: Server): Promise<string[]> =>
    [...(await clients.control("GET", "/state?volatile=1")).text.matchAll(/"(?:id|userId|requestId)":"([^"]+)"/g)].map(
      ([, id = ""]) => id,
    );
  /** The ids that are in more than one list. */
  const inCommon = (lists: readonly (readonly string[])[]): string[] => {
    const owners = new Map<string, number>();
    return lists.flatMap((list, place) =>
      list.filter((id) => {
        const owner = owners.get(id) ?? place;
        owners.set(id, owner);
        return owner !== place;
      }),
    );
  };

  test.each([
    ["of different seeds", (i: number) => `seed ${i}`],
    ["of one seed", () => 7],
  ])("eight apps %s have no ids in common", async (_, seedOf) => {
    const lists = await Promise.all(
      Array.from({ length: 8 }, async (_, i) => {
        const clients = await begin(null);
        await clients.control("PUT", "/state", { mode: "replace", state: { version: 1, apps: [] } });
        const settings = { ...APP.settings, "deterministic.seed": seedOf(i) };
        const app = { appId: `eighth-${i}`, secret: `sk_eighth_${i}`, settings };
        await clients.control("POST", "/apps", app);
        await story(clients, app as unknown as typeof APP);
        return await idsOf(clients);
      }),
    );
    expect(Math.min(...lists.map((list) => list.length))).toBeGreaterThan(10);
    expect(inCommon(lists)).toEqual([]);
  });

  test("a re-imported export never repeats an id, although its random sequence restarts", async () => {
    const exported = JSON.parse((await first.control("GET", `/state?appId=${APP.appId}`)).text);
    const clients = await begin(null);
    await clients.control("PUT", "/state", { mode: "replace", state: exported });
    const before = exported.apps[0].profiles.map(({ userId }: { userId: string }) => userId);
    for (let i = 0; i < 40; i++) {
      const made = await clients.as(APP.secret)("POST", "/v1/profiles", { name: `new ${i}` });
      expect(made.status).toBe(201);
      expect(before).not.toContain(made.json.userId);
    }
    expect((await clients.control("GET", `/profiles?appId=${APP.appId}`)).json.total).toBe(before.length + 40);
  });
});

describe("fixtures", () => {
  test("omitted values are generated identically at every start and every reset", async () => {
    const dir = await mkdtemp(join(tmpdir(), "stagedoor-repeats-"));
    const file = join(dir, "world.json");
    const { appId, secret, settings } = APP;
    const app = {
      appId,
      secret,
      settings: { deterministic: { seed: settings["deterministic.seed"] } },
      profiles: [{ phone: "+12025550111" }, { name: "Second" }],
      connections: [{ user: "+12025550111", name: "Mail" }],
    };
    await writeFile(file, JSON.stringify({ version: 1, apps: [{ appId: "before", secret: "sk_before" }, app] }));
    const [one, two] = [
      await begin(null, { config: { fixtures: [file] } }),
      await begin(null, { config: { fixtures: [file] }, now: () => Date.parse("2030-01-01T00:00:00.000Z") }),
    ];
    const began = await whole(one);
    expect(JSON.parse(began).apps[0].profiles[0].createdAt).toBe("2026-01-01T00:00:00.000Z");
    expect(await whole(two)).toBe(began);
    for (const query of [`?appId=${appId}`, ""]) {
      await one.control("PATCH", `/apps/${appId}`, { settings: { "deterministic.seed": "another" } });
      await one.as(secret)("POST", "/v1/profiles", { name: "goes" });
      await one.control("PUT", "/clock", { offsetSeconds: 0 });
      expect((await one.control("DELETE", `/state${query}`)).status).toBe(204);
      expect(await whole(one)).toBe(began);
    }
    await rm(dir, { recursive: true });
  });
});
