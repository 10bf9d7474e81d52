/** `--persist-requests`: the request log survives a restart, and never gets in the way of anything (CONTRACT 4). */
import { appendFile, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Config } from "#server/config.ts";
import type { RunningServer } from "#server/server.ts";
import { type FileSystem, nodeFiles } from "#store/disk/files.ts";
import { clientsOf, type Reply } from "#test/hosts/client.ts";
import { startInProcess } from "#test/hosts/in-process.ts";
import { until } from "#test/http/control/support.ts";

let dataDir: string;
let server: RunningServer;
let notices: string[];
const { admin, auth, control } = clientsOf(() => server);

const start = async (config: Partial<Config> = {}, files?: FileSystem): Promise<void> => {
  server = await startInProcess({
    config: { dataDir, durability: "process", persistRequests: true, ...config },
    log: (line) => notices.push(line),
    ...(files && { files }),
  });
};
const restart = async (config?: Partial<Config>): Promise<void> => {
  await server.close();
  await start(config);
};
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "stagedoor-test-"));
  notices = [];
});
afterEach(async () => {
  await server.close();
  await rm(dataDir, { recursive: true, force: true });
});

const PHONE = "+12025550100";
const idOf = (reply: Reply): string => reply.headers.get("Emulator-Request-Id") ?? "none";
const failLogin = async (phone = PHONE): Promise<string> =>
  idOf(await auth("PUT", "/v1/users/session", { appId: "demo-app", user: { phone }, passcode: "000000" }));
const rows = async (query = "") => (await control("GET", `/requests?limit=1000&${query}`)).json;
const idsOf = ({ items }: { items: { id: string }[] }): string[] => items.map(({ id }) => id);
const filesOf = async (folder = dataDir): Promise<string[]> =>
  (await readdir(folder)).filter((name) => name.startsWith("requests-")).sort();
const onDisk = async (): Promise<string> =>
  (await Promise.all((await filesOf()).map((name) => readFile(join(dataDir, name), "utf8")))).join("");

describe("the next start", () => {
  test("shows the rows as they were, the login as one file, and later ones above", async () => {
    await start();
    await auth("POST", "/v1/users/session", { appId: "demo-app", user: { phone: PHONE } });
    const id = await failLogin();
    const before = await rows();
    const bundle = (await control("GET", `/requests/${id}/bundle`)).json;
    await restart();

    const { items } = before;
    const earlier = items.map((row: object) => ({ ...row, earlier: true }));
    expect(await rows()).toEqual({ items: earlier, total: 2 });
    const { requests, state } = (await control("GET", `/requests/${id}/bundle`)).json;
    expect(requests).toEqual(earlier.toReversed());
    expect(state).toEqual(bundle.state);
    const rewind = await control("POST", "/rewind", { appId: "demo-app", before: items[1].id });
    expect(rewind.reason).toBe("rewound_too_far");
    const newer = await failLogin();
    expect(idsOf(await rows()).slice(0, 2)).toEqual([newer, id]);
  });

  test("goes on with the login of a user who has no session yet", async () => {
    await start();
    const user = { appId: "demo-app", user: { phone: PHONE } };
    const asked = idOf(await auth("POST", "/v1/users/session", user));
    await restart();
    const loginOf = async (id: string) => (await control("GET", `/requests/${id}`)).json.login;
    expect(await loginOf(asked)).toEqual({ id: asked, to: PHONE, typed: null });
    const { code } = (await control("GET", `/passcodes/latest?to=${encodeURIComponent(PHONE)}`)).json;
    const signedIn = idOf(await auth("PUT", "/v1/users/session", { ...user, passcode: code }));
    expect(await loginOf(signedIn)).toEqual({ id: asked, to: PHONE, typed: code });
    await restart();
    const next = await failLogin();
    expect((await loginOf(next)).id).toBe(next);
  });

  test("reads rows that were kept when they did not name their login", async () => {
    await start();
    const id = await failLogin();
    await server.close();
    const [name = ""] = await filesOf();
    const kept = await readFile(join(dataDir, name), "utf8");
    await writeFile(join(dataDir, name), kept.replace(/"login":\{[^}]*\},/, ""));
    expect(await onDisk()).not.toContain('"login"');
    await start();
    expect((await rows()).items).toMatchObject([{ id, login: null }]);
    expect(notices).toEqual([]);
  });

  test("has them without secrets, in files of this user alone", async () => {
    await start();
    await admin("GET", "/v1/profiles", undefined, { Cookie: "sid=biscuit" });
    await restart();
    expect(await onDisk()).not.toMatch(/sk_local_demo|biscuit/);
    expect((await rows()).items[0].request.headers).toMatchObject({ authorization: "Bearer ***", cookie: "***" });
    for (const name of await filesOf())
      if (process.platform !== "win32") expect((await stat(join(dataDir, name))).mode & 0o777).toBe(0o600);
  });

  test("resends them, with the app's secret of today, but no half of a body", async () => {
    await start();
    const listed = idOf(await admin("GET", "/v1/profiles"));
    const long = idOf(await admin("POST", "/v1/profiles", { name: "€".repeat(9_000) }));
    await restart();
    expect((await control("POST", `/requests/${listed}/replay`)).json.status).toBe(200);
    expect((await control("POST", `/requests/${long}/replay`)).reason).toBe("body_not_kept");
  });

  test("is as without the option where it is off", async () => {
    await start({ persistRequests: false });
    await failLogin();
    await restart({ persistRequests: false });
    expect((await rows()).total).toBe(0);
    expect(await filesOf()).toEqual([]);
  });

  test("says that nothing is kept in memory", async () => {
    await start({ durability: "memory" });
    expect(server.notices.join()).toContain("--persist-requests has no effect");
    await failLogin();
    expect((await rows()).total).toBe(1);
  });

  test.each([true, false])("begins anew with --reset, also on disk, with the option: %s", async (persistRequests) => {
    await start();
    await failLogin();
    await server.close();
    await appendFile(join(dataDir, (await filesOf())[0] ?? ""), "{}\n");
    await start();
    await restart({ reset: true, persistRequests });
    expect((await rows()).total).toBe(0);
    await server.close();
    expect(await filesOf()).toEqual([]);
  });
});

describe("the files", () => {
  test("hold at most twice the rows of the log, and a start takes the newest", async () => {
    const retention = { passcodes: 1_000, sessions: 50_000, requests: 5 };
    await start({ retention });
    for (let round = 0; round < 23; round++) await failLogin();
    const { items } = await rows();
    await restart({ retention });
    expect(idsOf(await rows())).toEqual(idsOf({ items }));
    expect(items).toHaveLength(5);
    expect((await onDisk()).split("\n").length - 1).toBeLessThanOrEqual(10);
    expect((await filesOf()).length).toBeLessThanOrEqual(2);
    await restart({ retention: { ...retention, requests: 2 } });
    expect(idsOf(await rows())).toEqual(idsOf({ items }).slice(0, 2));
    await server.close();
    expect((await onDisk()).split("\n").length - 1).toBeLessThanOrEqual(4);
  });

  test("have at most 32 MiB", async () => {
    await start();
    // Six times as long in JSON.
    const body = "\u0001".repeat(16_384);
    const send = async (): Promise<void> => {
      for (let n = 0; n < 50; n++) await auth("POST", "/v1/users/session", body);
    };
    for (let round = 0; round < 2; round++) await Promise.all(Array.from({ length: 4 }, send));
    await server.close();
    const sizes = (await filesOf()).map(async (name) => (await stat(join(dataDir, name))).size);
    const total = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
    expect(total).toBeLessThanOrEqual(32 * 1_048_576);
    expect(total).toBeGreaterThan(16 * 1_048_576);
    await start();
    expect((await rows()).total).toBeGreaterThan(150);
  });

  test("lose what DELETE requests removes, before it is answered", async () => {
    await start();
    const [first, second] = [await failLogin(), await failLogin("+12025550101")];
    await until(onDisk, (text) => text.includes(second));
    await control("DELETE", "/requests", { ids: [first] });
    expect(await onDisk()).not.toContain(first);
    expect(await onDisk()).toContain(second);
    await control("DELETE", "/requests?appId=demo-app");
    expect(await onDisk()).toBe("");
    const third = await failLogin();
    await restart();
    expect((await rows()).items).toMatchObject([{ id: third }]);
  });

  test("may end in a torn line", async () => {
    await start();
    const id = await failLogin();
    await server.close();
    const [name = ""] = await filesOf();
    await appendFile(join(dataDir, name), '{"id":"torn","at":"2026-');
    await start();
    const next = await failLogin();
    await restart();
    expect(idsOf(await rows())).toEqual([next, id]);
    expect(notices).toEqual([]);
    expect(await onDisk()).not.toContain("torn");
  });

  test.each<[string, (file: string) => Promise<void>]>([
    ["with a line that is no row", (file) => appendFile(file, '{"id":1}\n')],
    ["that is no JSON", (file) => writeFile(file, Buffer.from([0, 255, 10, 13, 10]))],
    [
      "that is a folder",
      async (file) => {
        await rm(file);
        await mkdir(file);
      },
    ],
  ])("are set aside with a notice: one %s", async (_, damage) => {
    await start();
    await failLogin();
    await server.close();
    const [name = ""] = await filesOf();
    await damage(join(dataDir, name));
    await start();
    expect(notices.join()).toContain(`${name} cannot be used`);
    const id = await failLogin();
    await restart();
    expect((await rows()).items[0].id).toBe(id);
    expect(await filesOf()).toContain(`${name}.damaged`);
    expect(notices).toHaveLength(1);
  });

  test.each([{}, { ids: ["none"] }])("that were set aside are gone after a Clear of %j", async (which) => {
    await start();
    await failLogin();
    await server.close();
    const [name = ""] = await filesOf();
    await appendFile(join(dataDir, name), `{"phone":"${PHONE}"\n`);
    await start();
    expect(await filesOf()).toContain(`${name}.damaged`);
    expect((await control("DELETE", "/requests", which)).status).toBe(204);
    expect((await filesOf()).join()).not.toContain("damaged");
  });

  test("are not missed: a disk that fails is reported once, and catches up", async () => {
    let isFull = true;
    const fail = (): never => {
      throw Object.assign(new Error("ENOSPC: no space"), { code: "ENOSPC", syscall: "write" });
    };
    const isOurs = new Set<number>();
    await start(
      {},
      {
        ...nodeFiles,
        create: (path) => {
          const fd = nodeFiles.create(path);
          if (path.includes("requests-")) isOurs.add(fd);
          return fd;
        },
        writeLater: async (fd, ...what) => (isFull && isOurs.has(fd) ? fail() : nodeFiles.writeLater(fd, ...what)),
      },
    );
    const first = await failLogin();
    await until(
      () => notices,
      ({ length }) => length > 0,
    );
    const second = await failLogin();
    await control("DELETE", "/requests", { ids: [first] });
    expect(notices).toEqual([expect.stringContaining("the request log cannot be kept (ENOSPC")]);
    expect((await rows()).items).toMatchObject([{ id: second }]);
    isFull = false;
    await restart();
    expect((await rows()).items).toMatchObject([{ id: second }]);
  });
});

describe("a bound token", () => {
  const JOINED = { consoleHost: "127.0.0.1", joinToken: "join-token-of-the-test" };
  const join_ = async (appId: string): Promise<string> => {
    const headers = { Authorization: `Bearer ${JOINED.joinToken}` };
    return (await control("POST", "/apps", { appId, ttlSeconds: 3_600 }, headers)).json.accessToken;
  };
  const as = (token: string) => ({ Authorization: `Bearer ${token}` });
  const ask = async (appId: string): Promise<string> =>
    idOf(await auth("POST", "/v1/users/session", { appId, user: { phone: PHONE } }));

  test("sees the old rows of its app alone, and none of a deleted app with its id", async () => {
    await start(JOINED);
    const token = await join_("one");
    const other = await join_("two");
    const [mine, theirs] = [await ask("one"), await ask("two")];
    await restart(JOINED);
    const seen = await control("GET", "/requests", undefined, as(token));
    expect(seen.json.items).toMatchObject([{ id: mine }]);
    expect((await control("GET", `/requests/${theirs}`, undefined, as(token))).status).toBe(403);

    const files = await onDisk();
    expect((await control("DELETE", "/apps/two", undefined, as(other))).status).toBe(204);
    const next = await join_("two");
    await restart(JOINED);
    expect((await control("GET", "/requests", undefined, as(next))).json.items).toEqual([]);
    // As if a kill had come before the files were written again.
    await server.close();
    for (const name of await filesOf()) await rm(join(dataDir, name));
    await writeFile(join(dataDir, "requests-1.ndjson"), files);
    await start(JOINED);
    expect((await control("GET", "/requests", undefined, as(next))).json.items).toEqual([]);
    expect((await control("GET", "/requests", undefined, as(token))).json.items).toMatchObject([{ id: mine }]);
  });
});
