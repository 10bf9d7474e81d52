/**
 * A full disk: nothing is half written, reads continue, and writes continue once there is space. A
 * file size limit stands in for the full disk, since it needs no special rights.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { afterEach, beforeEach, expect, test } from "vitest";
import { parseReadyLine, type Ready } from "#test/support/ready.ts";
import { type Built, CLI, cleanEnv, startBuilt, temporaryDir } from "./built.ts";
import { caller } from "./client.ts";

const LIMIT_KIB = 256;
const ON_WINDOWS = "Windows has no limit on the size of files";

let data: Awaited<ReturnType<typeof temporaryDir>>;
const ends: (() => Promise<unknown>)[] = [];
beforeEach(async () => {
  data = await temporaryDir();
});
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
  await data.remove();
});

/** The built server with a shell's limit on the size of files it writes. */
const startLimited = async (): Promise<Ready> => {
  const ports = "--admin-port 0 --auth-port 0 --console-port 0";
  const script = `ulimit -f ${LIMIT_KIB}; exec "$0" "$1" start --headless --json --data "$2" ${ports}`;
  const child = spawn("bash", ["-c", script, process.execPath, CLI, data.dir], {
    env: cleanEnv(),
    stdio: ["ignore", "pipe", "ignore"],
  });
  const exited = once(child, "exit");
  ends.push(async () => {
    child.kill("SIGKILL");
    await exited;
  });
  return new Promise((resolve, reject) => {
    createInterface(child.stdout).on("line", (line) => {
      const ready = parseReadyLine(line);
      if (ready !== undefined) resolve(ready);
    });
    exited.then(() => reject(new Error("ended before it was ready")), reject);
  });
};

const asDemo = (url: string) => caller(() => url, { Authorization: "Bearer sk_local_demo" });
const total = async (admin: ReturnType<typeof asDemo>): Promise<number> =>
  Number((await admin("GET", "/v1/profiles?limit=1")).headers.get("Total-Count"));

test("returns 507, keeps memory equal to disk, and recovers", async ({ skip }) => {
  skip(process.platform === "win32", ON_WINDOWS);
  const { adminUrl, consoleUrl } = await startLimited();
  const admin = asDemo(adminUrl);
  const control = caller(() => `${consoleUrl}/emulator/v1`);
  expect((await control("PUT", "/snapshots/held")).status).toBe(201);
  const profile = { metadata: { text: "x".repeat(12_000) } };
  let made = 0;
  let refused = await admin("POST", "/v1/profiles", profile);
  for (; refused.status === 201; refused = await admin("POST", "/v1/profiles", profile)) made++;

  expect(refused).toMatchObject({ status: 507, reason: "disk_full", json: { message: "Insufficient Storage" } });
  expect(made).toBeGreaterThan(10);
  expect(await total(admin)).toBe(12 + made);
  expect(
    (await admin("DELETE", `/v1/profiles/${(await admin("GET", "/v1/profiles")).json[0].userId}`)).status,
  ).toBeOneOf([204, 507]);
  const before = await total(admin);
  for (const name of ["held", "new"])
    expect(await control("PUT", `/snapshots/${name}`)).toMatchObject({ status: 507, reason: "disk_full" });
  expect((await control("GET", "/snapshots")).json.items).toMatchObject([{ name: "held", stored: true }]);

  const unlimited: Built = await (async () => {
    for (const end of ends.splice(0)) await end();
    return startBuilt(["--data", data.dir]);
  })();
  ends.push(() => unlimited.stop("SIGKILL"));
  const again = asDemo(unlimited.ready.adminUrl);
  expect(await total(again)).toBe(before);
  expect((await again("POST", "/v1/profiles", profile)).status).toBe(201);
  const url = `${unlimited.ready.consoleUrl}/emulator/v1/snapshots/held/restore`;
  expect((await caller(() => url)("POST", "")).status).toBe(200);
  expect(await total(again)).toBe(12);
});

test("a reset frees space by itself: its file is small", async ({ skip }) => {
  skip(process.platform === "win32", ON_WINDOWS);
  const { adminUrl, consoleUrl } = await startLimited();
  const admin = asDemo(adminUrl);
  const profile = { metadata: { text: "x".repeat(12_000) } };
  while ((await admin("POST", "/v1/profiles", profile)).status === 201);
  expect((await caller(() => consoleUrl)("DELETE", "/emulator/v1/state")).status).toBe(204);
  expect((await admin("POST", "/v1/profiles", profile)).status).toBe(201);
  expect(await total(admin)).toBe(13);
});
