/**
 * With `--durability disk` nothing reveals a change before it is durable: no event, no waiting request, no device, no
 * line of `start`. The disk of these tests is as slow as a test wants, or fails.
 */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { ProgramCall } from "#http/ports.ts";
import type { RunningServer } from "#server/server.ts";
import type { FileSystem } from "#store/disk/files.ts";
import { type Clients, clientsOf } from "#test/hosts/client.ts";
import { startInProcess } from "#test/hosts/in-process.ts";
import { until } from "#test/http/control/support.ts";
import { type EventStream, openEvents } from "#test/http/events/event-stream.ts";
import { hastyFiles } from "#test/store/faulty-files.ts";
import { newDir } from "#test/store/support.ts";

const ADA = "+12025550100";

/** A disk whose journal syncs wait for the test. */
class HeldDisk {
  isHeld = false;
  writes = 0;
  readonly #waiting: { go: () => void; fail: (error: Error) => void }[] = [];
  readonly files = {
    ...hastyFiles,
    write: (...call: Parameters<FileSystem["write"]>): number => {
      this.writes++;
      return hastyFiles.write(...call);
    },
    syncDataLater: (): Promise<void> =>
      this.isHeld ? new Promise((go, fail) => this.#waiting.push({ go, fail })) : Promise.resolve(),
  };
  /** Resolves when this many syncs are waiting. */
  asked = (count = 1): Promise<number> =>
    until(
      () => this.#waiting.length,
      (n) => n >= count,
    );
  finish(): void {
    for (const { go } of this.#waiting.splice(0)) go();
  }
  fail(): void {
    const error = Object.assign(new Error("EIO: by the test"), { code: "EIO", syscall: "fdatasync" });
    for (const { fail } of this.#waiting.splice(0)) fail(error);
  }
}

let disk: HeldDisk;
let server: RunningServer;
let clients: Clients;
let events: EventStream;
/** What `start` would print, and the programs run to reach a device. */
let printed: string[];
let programs: string[];

beforeEach(async () => {
  disk = new HeldDisk();
  programs = [];
  printed = [];
  const run = async ({ program }: ProgramCall) => {
    programs.push(program);
    return { how: "not started", why: "by the test" } as const;
  };
  server = await startInProcess({
    config: { dataDir: newDir(), durability: "disk" },
    files: disk.files,
    programs: { run, stop: () => undefined },
  });
  clients = clientsOf(() => server);
  server.onPasscode(({ code }) => printed.push(code));
  await clients.control("PATCH", "/apps/demo-app", { settings: { delivery: { android: true } } });
  events = await openEvents(server.urls.console);
});
afterEach(async () => {
  disk.isHeld = false;
  disk.finish();
  events.close();
  await server.close();
});

const ask = () => clients.auth("POST", "/v1/users/session", { appId: "demo-app", user: { phone: ADA } });
const puts = () => events.events.filter(({ type }) => type === "passcode.put");
/** What has revealed the passcode so far. A round trip gives messages time to arrive. */
const told = async () => {
  expect((await fetch(`${server.urls.console}/livez`)).status).toBe(200);
  await new Promise((resolve) => setImmediate(resolve));
  return { events: puts().length, printed: printed.length, devices: programs.length };
};
const NOBODY = { events: 0, printed: 0, devices: 0 };

test("on a slow disk everybody learns of a code when it is durable, and no sooner", async () => {
  let answers: string[] = [];
  const waiting = clients.control("GET", `/passcodes/latest?to=${encodeURIComponent(ADA)}&wait=20000`);
  disk.isHeld = true;
  const sent = ask().then(({ status }) => answers.push(`sent ${status}`));
  const found = waiting.then(({ status }) => answers.push(`found ${status}`));
  await disk.asked();
  expect(await told()).toEqual(NOBODY);
  expect(answers).toEqual([]);
  disk.isHeld = false;
  disk.finish();
  await Promise.all([sent, found]);
  answers = answers.toSorted();
  expect(answers).toEqual(["found 200", "sent 202"]);
  await events.next(({ type }) => type === "passcode.put");
  expect(await told()).toMatchObject({ printed: 1 });
  await until(
    () => programs.length,
    (count) => count > 0,
  );
});

test("on a slow disk other changes and codes sent by the control API wait too", async () => {
  const userId = (await clients.control("GET", "/profiles?appId=demo-app&limit=1")).json.items[0].userId;
  disk.isHeld = true;
  const sent = clients.control("POST", "/passcodes", { appId: "demo-app", userId });
  const named = clients.control("PATCH", `/profiles/${userId}?appId=demo-app`, { name: "Countess" });
  await disk.asked();
  expect(await told()).toEqual(NOBODY);
  expect(events.events.filter(({ type }) => type === "profile.put")).toEqual([]);
  disk.isHeld = false;
  disk.finish();
  expect([(await sent).status, (await named).status]).toEqual([201, 200]);
  const put = await events.next(({ type }) => type === "profile.put");
  expect(put.item?.name).toBe("Countess");
  const types = events.events.map(({ type }) => type).filter((type) => type.endsWith(".put"));
  expect(types.filter((type) => type !== "request.put")).toEqual(["passcode.put", "profile.put"]);
});

test("a later write does not delay an earlier one that is durable", async () => {
  disk.isHeld = true;
  const first = ask();
  await disk.asked();
  const before = disk.writes;
  const second = clients.control("POST", "/apps", { appId: "later" });
  await until(
    () => disk.writes,
    (writes) => writes > before,
  );
  disk.finish();
  expect((await first).status).toBe(202);
  await events.next(({ type }) => type === "passcode.put");
  await disk.asked();
  expect(events.events.filter(({ type }) => type === "app.put")).toEqual([]);
  disk.isHeld = false;
  disk.finish();
  expect((await second).status).toBe(201);
});

test("on a slow disk an app that is made again at once has no fault of the one before", async () => {
  await clients.control("POST", "/apps", { appId: "again" });
  await clients.control("POST", "/faults", { match: { appId: "again" }, effect: { status: 503 } });
  disk.isHeld = true;
  const before = disk.writes;
  const deleted = clients.control("DELETE", "/apps/again");
  await until(
    () => disk.writes,
    (writes) => writes > before,
  );
  const made = clients.control("POST", "/apps", { appId: "again" });
  await until(
    () => disk.writes,
    (writes) => writes > before + 1,
  );
  disk.isHeld = false;
  disk.finish();
  expect([(await deleted).status, (await made).status]).toEqual([204, 201]);
  expect((await clients.control("GET", "/faults?appId=again")).json.items).toEqual([]);
});

describe("on a failing disk", () => {
  test("the request returns 507, without an event, device or line; a reader gets 507 too, never the code", async () => {
    const waiting = clients.control("GET", `/passcodes/latest?to=${encodeURIComponent(ADA)}&wait=500`);
    disk.isHeld = true;
    const sent = ask();
    await disk.asked();
    disk.fail();
    expect((await sent).status).toBe(507);
    expect(await told()).toEqual(NOBODY);
    const late = await clients.control("GET", "/passcodes?appId=demo-app");
    expect([late.status, late.reason]).toEqual([507, "disk_failed"]);
    expect(late.json.instruction).toMatch(
      /^The disk failed\. With --durability disk, .* not even a read, .* every 2 seconds/,
    );
    expect((await waiting).status).not.toBe(200);
    expect((await ask()).status).toBe(507);
    expect(await told()).toEqual(NOBODY);
  });

  test("reads and changes continue once it works again, with what it had refused", async () => {
    disk.isHeld = true;
    const sent = ask();
    await disk.asked();
    disk.fail();
    disk.isHeld = false;
    expect((await sent).status).toBe(507);
    const { json } = await until(
      () => clients.control("GET", "/passcodes?appId=demo-app"),
      ({ status }) => status === 200,
    );
    expect(json.total).toBe(1);
    expect((await ask()).status).toBe(202);
  });

  test("the same holds for the control API", async () => {
    const userId = (await clients.control("GET", "/profiles?appId=demo-app&limit=1")).json.items[0].userId;
    disk.isHeld = true;
    const sent = clients.control("POST", "/passcodes", { appId: "demo-app", userId });
    await disk.asked();
    disk.fail();
    expect((await sent).status).toBe(507);
    expect(await told()).toEqual(NOBODY);
  });
});
