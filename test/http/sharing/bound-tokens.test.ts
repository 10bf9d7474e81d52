/** A join token only creates leased apps; a bound token reads and changes only its own app. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { connect, type StagedoorEvent } from "#client/index.ts";
import { type Operation, routes } from "#contract/control/routes.ts";
import type { RunningServer } from "#server/server.ts";
import { type Call, caller, type Reply } from "#test/hosts/client.ts";
import { startInProcess } from "#test/hosts/in-process.ts";

const PHONE = "+12025550177";
let server: RunningServer;
beforeAll(async () => {
  server = await startInProcess({
    config: { consoleHost: "127.0.0.1", accessToken: "whole-console", joinToken: "join-the-others" },
  });
});
afterAll(() => server.close());

const as = (token: string): Call =>
  caller(() => `${server.urls.console}/emulator/v1`, { Authorization: `Bearer ${token}` });
const whole = as("whole-console");
const join = as("join-the-others");
const newApp = async (name: string): Promise<{ appId: string; bound: Call; token: string }> => {
  const made = await join("POST", "/apps", { name, ttlSeconds: 3_600 });
  expect(made.status, made.text).toBe(201);
  const { appId, accessToken } = made.json;
  return { appId, bound: as(accessToken), token: accessToken };
};

const console = Object.entries<Operation>(routes).filter(([, { listener }]) => listener === "console");

/** Sends an operation with ids of an app in every place, as an attacker would. */
const attempt = (
  call: Call,
  operation: Operation,
  ids: Readonly<Record<string, string>>,
  naming: boolean,
): Promise<Reply> => {
  const path = operation.path
    .replace("/emulator/v1", "")
    .replaceAll(/:(\w+)/g, (_, name: string) => ids[`${operation.path.split("/")[3]}.${name}`] ?? ids[name] ?? "none");
  const query = naming ? `?appId=${ids["appId"]}` : "";
  const body =
    operation.body === undefined ? undefined : { ...(naming ? { appId: ids["appId"] } : {}), userId: ids["userId"] };
  return call(operation.method, path + (operation.query === undefined ? "" : query), body);
};

describe("a join token", () => {
  test("creates leased apps, and gets a token for each", async () => {
    const { appId, bound } = await newApp("Job 1");
    expect((await bound("GET", `/apps/${appId}`)).json).toMatchObject({ appId, lease: { ttlSeconds: 3_600 } });
    expect((await whole("GET", `/apps/${appId}`)).text).not.toContain("accessToken");
  });

  test("sees no other app in the advice on its requests", async () => {
    const { appId, bound } = await newApp("Job 2");
    const { secret } = (await bound("GET", `/apps/${appId}`)).json;
    const { items } = (await whole("GET", "/profiles?appId=demo-app&limit=1")).json;
    const admin = caller(() => server.urls.admin, { Authorization: `Bearer ${secret}` });
    expect((await admin("GET", `/v1/profiles/${items[0].userId}`)).status).toBe(404);
    const auth = caller(() => server.urls.auth);
    const body = { appId, app: "demo-app", client_id: "Demo-App", user: { phone: 5 } };
    expect((await auth("POST", "/v1/users/session", body)).status).toBe(422);
    const rows = (await bound("GET", `/requests?appId=${appId}`)).json.items;
    expect(rows).toHaveLength(2);
    for (const { advice } of rows) {
      expect(advice.length).toBeGreaterThan(0);
      expect(JSON.stringify(advice)).not.toMatch(/demo-app”|demo-app"/);
    }
  });

  test("cannot create an app without a lease", async () => {
    const refused = await join("POST", "/apps", { name: "Forever" });
    expect([refused.status, refused.reason]).toEqual([403, "lease_required"]);
  });

  test.each(console.filter(([id]) => id !== "createApp"))("may not call %s", async (_, operation) => {
    const { appId } = (await whole("GET", "/apps")).json.items[0];
    const refused = await attempt(join, operation, { appId }, true);
    expect([refused.status, refused.reason]).toEqual([403, "not_your_app"]);
  });

  test("opens no page and no OpenAPI document", async () => {
    for (const path of ["/", "/inbox", "/openapi/control.json"]) {
      const answer = await fetch(server.urls.console + path, { headers: { Authorization: "Bearer join-the-others" } });
      expect(answer.status, path).toBe(403);
    }
  });
});

describe("a bound token", () => {
  /** Another user's app, with one of everything. */
  const victim = async () => {
    const { appId } = (await whole("POST", "/apps", { name: "Victim" })).json;
    const { userId } = (await whole("POST", "/profiles", { appId, phone: PHONE, name: "SECRET-NAME" })).json;
    const passcode = (await whole("POST", "/passcodes", { appId, userId })).json;
    const session = (await whole("POST", "/sessions", { appId, userId })).json;
    const connection = (await whole("POST", "/connections", { appId, userId, name: "SECRET-NAME" })).json;
    const match = { appId, path: "/secret-name" };
    const fault = (await whole("POST", "/faults", { match, effect: { status: 503, body: "SECRET-NAME" } })).json;
    await whole("PUT", `/snapshots/theirs?appId=${appId}`, {});
    await fetch(`${server.urls.auth}/v1/users/session`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ appId, user: { phone: PHONE } }),
    });
    const [row] = (await whole("GET", `/requests?appId=${appId}`)).json.items;
    return {
      appId,
      userId,
      name: "theirs",
      "passcodes.id": passcode.id,
      "sessions.id": session.id,
      "connections.id": connection.id,
      "faults.id": fault.id,
      "requests.id": row?.id,
    };
  };

  test.each(console)("%s reveals nothing of another app and changes nothing there", async (_, operation) => {
    const ids = await victim();
    const state = async (): Promise<string> => {
      const parts = await Promise.all(
        ["/state?volatile=1&", "/faults?", "/snapshots?", "/clock?"].map((path) =>
          whole("GET", `${path}appId=${ids.appId}`),
        ),
      );
      return JSON.stringify(parts.map(({ json: { now: _now, ...rest } }) => rest));
    };
    const before = await state();
    const { bound } = await newApp("Attacker");
    // The stream never ends; its content is tested below.
    for (const naming of operation.path.endsWith("/events") ? [] : [true, false]) {
      const answer = await attempt(bound, operation, ids, naming);
      expect(answer.text, `${answer.status}`).not.toContain("SECRET-NAME");
      expect(answer.text).not.toContain(PHONE);
      if (naming && (operation.query !== undefined || operation.path.includes(":appId")))
        expect(answer.status).toBe(403);
    }
    expect(await state()).toBe(before);
    await whole("DELETE", `/apps/${ids.appId}`);
  });

  test("rewinds its own app and nothing else", async () => {
    const ids = await victim();
    const theirs = (await whole("GET", `/state?volatile=1&appId=${ids.appId}`)).text;
    const { appId, bound } = await newApp("Rewound");
    const { seq } = (await bound("POST", "/mark", {})).json;
    const { userId } = (await bound("POST", "/profiles", { phone: PHONE })).json;
    await whole("PATCH", `/profiles/${ids.userId}?appId=${ids.appId}`, { name: "Later" });
    const changed = (await whole("GET", `/state?volatile=1&appId=${ids.appId}`)).text;
    expect(changed).not.toBe(theirs);
    for (const [body, status] of [
      [{ appId: ids.appId, to: seq }, 403],
      [{ before: ids["requests.id"] }, 404],
      [{ userId: ids.userId, to: seq }, 404],
      [{ to: seq }, 200],
    ] as const)
      expect((await bound("POST", "/rewind", body)).status, JSON.stringify(body)).toBe(status);
    expect((await bound("GET", `/profiles/${userId}`)).status).toBe(404);
    expect((await bound("POST", "/mark", { appId: ids.appId })).status).toBe(403);
    const { items } = (await bound("GET", "/timeline")).json;
    expect(items.map(({ changes }: { changes: { id: string }[] }) => changes.map(({ id }) => id))).toEqual([
      [userId],
      [userId],
      [appId],
    ]);
    expect((await bound("GET", `/timeline?appId=${ids.appId}`)).status).toBe(403);
    expect((await whole("GET", `/state?volatile=1&appId=${ids.appId}`)).text).toBe(changed);
    await whole("DELETE", `/apps/${ids.appId}`);
  });

  test("sets, reads and removes faults of its own app", async () => {
    const { appId, bound } = await newApp("Faulty");
    const ids = await victim();
    const effect = { status: 503 };
    const added = await bound("POST", "/faults", { effect });
    expect([added.status, added.json.match]).toEqual([201, { appId }]);
    const { json: named } = await bound("POST", "/faults", { match: { appId, to: PHONE }, effect, times: 1 });
    expect((await bound("GET", "/faults")).json.items).toEqual([added.json, named]);
    const refused = await bound("POST", "/faults", { match: { appId: ids.appId }, effect });
    expect([refused.status, refused.reason]).toEqual([403, "not_your_app"]);
    expect((await bound("POST", "/faults", { match: 7, effect })).json).toEqual({ match: ["must be an object"] });
    // A fault of all apps is not its own.
    const { id } = (await whole("POST", "/faults", { match: { path: "/none" }, effect })).json;
    for (const other of [id, ids["faults.id"]]) {
      const unknown = await bound("DELETE", `/faults/${other}`);
      const instruction = `No fault "${other}". Faults: ${added.json.id}, ${named.id}`;
      expect([unknown.status, unknown.json.instruction]).toEqual([404, instruction]);
    }
    expect((await bound("GET", `/faults/${named.id}`)).json).toEqual(named);
    expect((await bound("DELETE", `/faults/${named.id}`)).status).toBe(204);
    expect((await bound("DELETE", "/faults")).status).toBe(204);
    const left = (await whole("GET", "/faults")).json.items.map((fault: { id: string }) => fault.id);
    expect(left).toEqual([ids["faults.id"], id]);
  });

  test("saves at most 5 snapshots of its app", async () => {
    const { appId, bound } = await newApp("Snapshots");
    const save = async (name: string) => (await bound("PUT", `/snapshots/${name}`, {})).status;
    for (const name of ["a", "b", "c", "d", "e"]) expect(await save(name)).toBe(201);
    const refused = await bound("PUT", "/snapshots/f", {});
    expect([refused.status, refused.reason]).toEqual([429, "too_many_snapshots"]);
    expect(await save("e")).toBe(200);
    expect((await whole("PUT", `/snapshots/g?appId=${appId}`, {})).status).toBe(201);
    await bound("DELETE", "/snapshots/a");
    expect(await save("f")).toBe(429);
    await bound("DELETE", "/snapshots/b");
    expect(await save("f")).toBe(201);
  });

  test("stays valid, and its app joined, through imports and resets by anybody", async () => {
    const { appId, bound } = await newApp("Kept");
    const state = (await bound("GET", "/state")).json;
    const all = (await whole("GET", "/state")).json;
    const changes = [
      () => bound("PUT", "/state", { mode: "merge", state }),
      () => bound("PUT", "/state", { mode: "replace", state }),
      () => bound("DELETE", "/state"),
      () => whole("PUT", "/state", { mode: "merge", state }),
      () => whole("PUT", "/state", { mode: "replace", state: all }),
      () => whole("DELETE", `/state?appId=${appId}`),
    ];
    for (const change of changes) {
      expect((await change()).status).toBeLessThan(300);
      expect((await bound("GET", `/apps/${appId}`)).json.lease).toMatchObject({ ttlSeconds: 3_600, joined: true });
    }
  });

  describe("of an app that was made again under the id of another", () => {
    const made = async (appId: string) => {
      const { accessToken } = (await join("POST", "/apps", { appId, ttlSeconds: 3_600 })).json;
      return as(accessToken);
    };
    const again = async (appId: string) => {
      const before = await made(appId);
      await before("POST", "/profiles", { name: "SECRET-NAME", phone: PHONE });
      await before("PUT", "/snapshots/own", {});
      await whole("PUT", `/snapshots/${appId}`, {});
      await whole("DELETE", `/apps/${appId}`);
      return { before, after: await made(appId) };
    };

    test("sees and restores nothing of it, not by a snapshot of all apps either", async () => {
      const { after } = await again("again-1");
      for (const name of ["own", "again-1"])
        expect((await after("POST", `/snapshots/${name}/restore`)).status).toBe(404);
      expect((await after("GET", "/profiles")).json.total).toBe(0);
      expect((await whole("POST", "/snapshots/again-1/restore?appId=again-1")).status).toBe(404);
    });

    test("neither reads nor rewinds to its time", async () => {
      const { after } = await again("again-4");
      await after("POST", "/profiles", { phone: PHONE });
      const { items, oldestSeq } = (await after("GET", "/timeline")).json;
      expect(JSON.stringify(items)).not.toContain("SECRET-NAME");
      expect(items.map(({ what }: { what: string }) => what)).toEqual([
        `Profile created: +1 202 555 0177`,
        "App created",
      ]);
      expect(oldestSeq).toBe(items[1].seq);
      // Nor does the owner bring that time into it.
      for (const caller of [after, whole]) {
        const refused = await caller("POST", "/rewind", { appId: "again-4", to: items[1].seq - 1 });
        expect([refused.status, refused.json.oldestSeq]).toEqual([410, oldestSeq]);
      }
      expect((await after("GET", "/profiles")).json.total).toBe(1);
      expect((await after("POST", "/rewind", { to: oldestSeq })).json.changed.profiles).toBe(1);
    });

    test("and the token of that other are both invalid after a restore of all apps", async () => {
      const { before, after } = await again("again-2");
      expect((await whole("POST", "/snapshots/again-2/restore")).status).toBe(200);
      expect((await whole("GET", "/profiles?appId=again-2")).json.total).toBe(1);
      expect((await whole("GET", "/apps/again-2")).json.lease).not.toHaveProperty("joined");
      for (const token of [before, after]) expect((await token("GET", "/profiles")).status).toBe(401);
    });

    test("is as valid as before when its own past is restored", async () => {
      const own = await made("again-3");
      await whole("PUT", "/snapshots/again-3", {});
      await own("POST", "/profiles", { phone: PHONE });
      expect((await own("POST", "/snapshots/again-3/restore")).status).toBe(200);
      expect((await own("GET", "/profiles")).json.total).toBe(0);
      expect((await whole("POST", "/snapshots/again-3/restore")).status).toBe(200);
      expect((await own("GET", "/apps/again-3")).json.lease).toMatchObject({ joined: true });
    });
  });

  test("of a deleted app is invalid, even if its id is used again", async () => {
    const { appId, bound } = await newApp("Gone");
    await whole("DELETE", `/apps/${appId}`);
    expect((await bound("GET", `/apps/${appId}`)).status).toBe(401);
    await whole("POST", "/apps", { appId });
    expect((await bound("GET", `/apps/${appId}`)).status).toBe(401);
  });

  test("of a deleted app leaves no row of its requests to the owner; other apps keep theirs", async () => {
    const [job, other] = [await newApp("Job"), await newApp("Other")];
    const owns = (await whole("POST", "/apps", {})).json;
    const rowsOf = async (appId: string): Promise<number> =>
      (await whole("GET", "/requests?limit=1000")).json.items.filter((row: { appId: string }) => row.appId === appId)
        .length;
    for (const appId of [job.appId, other.appId, owns.appId]) {
      const user = { phone: PHONE };
      await caller(() => server.urls.auth)("POST", "/v1/users/session", { appId, user });
      expect(await rowsOf(appId)).toBe(1);
    }
    await whole("DELETE", `/requests?appId=${job.appId}`);
    await caller(() => server.urls.auth)("POST", "/v1/users/session", { appId: job.appId, user: { phone: PHONE } });
    for (const appId of [job.appId, owns.appId]) expect((await whole("DELETE", `/apps/${appId}`)).status).toBe(204);
    expect(await rowsOf(job.appId)).toBe(0);
    expect((await whole("DELETE", "/requests", { undo: true })).status).toBe(204);
    expect(await rowsOf(job.appId)).toBe(0);
    expect([await rowsOf(other.appId), await rowsOf(owns.appId)]).toEqual([1, 1]);
  });

  test("is sufficient for the client to sign users in and read their codes", async () => {
    const { appId, token } = await newApp("Job 2");
    const client = connect({ consoleUrl: server.urls.console, accessToken: token });
    const { userId } = await client.profiles.create({ phone: PHONE });
    expect((await client.signInAs({ phone: PHONE })).userId).toBe(userId);
    const ask = () =>
      fetch(`${server.urls.auth}/v1/users/session`, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify({ appId, user: { phone: PHONE } }),
      });
    expect((await client.passcodes.requestedBy(ask, { to: PHONE })).appId).toBe(appId);
    expect((await client.apps.list()).items.map((app) => app.appId)).toEqual([appId]);
    expect((await client.requests.list()).total).toBe(1);
    await client.state.reset();
    expect((await client.profiles.list()).total).toBe(0);
    await client.close();
  });

  test("receives the events of its own app only, without gaps, until the app is deleted", async () => {
    const ids = await victim();
    const { appId, bound, token } = await newApp("Job 3");
    const client = connect({ consoleUrl: server.urls.console, accessToken: token });
    const heard: StagedoorEvent[] = [];
    let isOpen = false;
    const onOpen = (): void => {
      isOpen = true;
    };
    const listening = (async () => {
      for await (const event of client.events({ onOpen })) heard.push(event);
    })();
    listening.catch(() => undefined);
    await expect.poll(() => isOpen).toBe(true);
    await whole("POST", "/passcodes", { appId: ids.appId, userId: ids.userId });
    await bound("POST", "/profiles", { phone: "+12025550188" });
    await whole("PATCH", `/profiles/${ids.userId}?appId=${ids.appId}`, { name: "SECRET-NAME-2" });
    await fetch(`${server.urls.auth}/v1/users/session`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ appId, user: { phone: "+12025550188" } }),
    });
    expect(await client.requests.waitFor({ path: "/v1/users/session" })).toMatchObject({ appId, status: 202 });
    await expect
      .poll(() => heard.map(({ type }) => type))
      .toEqual(["profile.put", "passcode.put", "coverage.put", "request.put"]);
    expect(heard.map((event) => event.appId)).toEqual([appId, appId, appId, appId]);
    expect(JSON.stringify(heard)).not.toContain("SECRET-NAME");
    expect((await bound("GET", `/events?appId=${ids.appId}`)).status).toBe(403);
    await whole("DELETE", `/apps/${appId}`);
    await join("POST", "/apps", { appId, ttlSeconds: 3_600 });
    await expect(listening).rejects.toMatchObject({ status: 401 });
    expect(heard).toHaveLength(4);
  });

  test("of an app with a reused id receives nothing about the previous app", async () => {
    const { appId } = await victim();
    const theirs = await fetch(`${server.urls.console}/emulator/v1/events`, {
      headers: { Authorization: "Bearer whole-console" },
    });
    const [, last = ""] =
      /^id: (.+)$/m.exec(new TextDecoder().decode((await theirs.body?.getReader().read())?.value)) ?? [];
    await whole("POST", "/profiles", { appId, phone: "+12025550199", name: "SECRET-NAME" });
    await whole("DELETE", `/apps/${appId}`);
    const { accessToken } = (await join("POST", "/apps", { appId, ttlSeconds: 3_600 })).json;
    const own = as(accessToken);
    expect((await own("GET", "/requests")).json.total).toBe(0);
    await own("POST", "/profiles", { phone: PHONE, name: "Own" });
    const resumed = await fetch(`${server.urls.console}/emulator/v1/events`, {
      headers: { Authorization: `Bearer ${accessToken}`, "Last-Event-ID": last },
    });
    let said = "";
    for await (const chunk of resumed.body ?? []) {
      said += new TextDecoder().decode(chunk);
      if (said.includes('"Own"')) break;
    }
    expect(said).not.toContain("SECRET-NAME");
  });

  test.each([
    ["unknownAppStatus", { unknownAppStatus: 404 }],
    ["delivery", { delivery: { android: true } }],
    ["delivery.ios", { "delivery.ios": true }],
  ])("may not set %s, which affects other apps", async (_, settings) => {
    const { appId, bound } = await newApp("Job 4");
    const state = { version: 1, apps: [{ appId, settings }] };
    for (const refused of [
      await bound("PATCH", `/apps/${appId}`, { settings }),
      await bound("PUT", "/state", { mode: "merge", state }),
      await join("POST", "/apps", { ttlSeconds: 3_600, settings }),
    ])
      expect([refused.status, refused.reason], refused.text).toEqual([403, "setting_for_all"]);
    expect((await bound("PATCH", `/apps/${appId}`, { settings: { signUp: "closed" } })).status).toBe(200);
  });
});
