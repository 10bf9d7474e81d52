/** What listens to requests and changes can fail, and no request, row or process with it. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, test, vi } from "vitest";
import { Advisor } from "#advice/advisor.ts";
import { Clients } from "#http/clients.ts";
import { FirstFailures } from "#http/first-failures.ts";
import { Leases } from "#http/leases.ts";
import { Logins } from "#http/traffic/logins.ts";
import { RequestLog } from "#http/traffic/request-log.ts";
import type { RunningServer } from "#server/server.ts";
import { caller } from "#test/hosts/client.ts";
import { startInProcess } from "#test/hosts/in-process.ts";
import { until } from "#test/http/control/support.ts";

const broken = () => {
  throw new Error("broken on purpose");
};
const USER = { appId: "demo-app", user: { phone: "+12025550100" } };
const open: RunningServer[] = [];
const folders: string[] = [];
afterEach(async () => {
  vi.restoreAllMocks();
  for (const server of open.splice(0)) await server.close();
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true });
});

const LISTENERS: Readonly<Record<string, () => unknown>> = {
  logins: () => vi.spyOn(Logins.prototype, "join").mockImplementation(broken),
  advice: () => vi.spyOn(Advisor.prototype, "advise").mockImplementation(broken),
  "advice that is made when it is read": () => vi.spyOn(Advisor.prototype, "advise").mockReturnValue(broken),
  "the log": () => vi.spyOn(RequestLog.prototype, "add").mockImplementation(broken),
  "first failures": () => vi.spyOn(FirstFailures.prototype, "note").mockImplementation(broken),
  clients: () => vi.spyOn(Clients.prototype, "note").mockImplementation(broken),
  leases: () => vi.spyOn(Leases.prototype, "renew").mockImplementation(broken),
};

/** A server with data of this durability, its lines, and a login that has run through it. */
const loggedIn = async (durability: "memory" | "disk", given: Parameters<typeof startInProcess>[0] = {}) => {
  const lines: string[] = [];
  const dataDir = durability === "disk" ? await mkdtemp(join(tmpdir(), "stagedoor-throws-")) : "";
  if (dataDir !== "") folders.push(dataDir);
  const config = { durability, dataDir, ...given.config };
  const server = await startInProcess({ log: (line) => void lines.push(line), ...given, config });
  open.push(server);
  const control = caller(() => `${server.urls.console}/emulator/v1`);
  const auth = caller(() => server.urls.auth);
  const login = async () => {
    const sent = await auth("POST", "/v1/users/session", USER);
    const { code } = (await control("GET", "/passcodes/latest?appId=demo-app")).json;
    const wrong = await auth("PUT", "/v1/users/session", { ...USER, passcode: code === "000000" ? "1" : "000000" });
    const right = await auth("PUT", "/v1/users/session", { ...USER, passcode: code });
    return [sent.status, wrong.status, right.status];
  };
  return { server, lines, control, login };
};
const warningsIn = (lines: readonly string[]) => lines.filter((line) => line.includes("broken on purpose"));

describe.each(["memory", "disk"] as const)("with durability %s", (durability) => {
  test.each(Object.entries(LISTENERS))("%s fail: one warning, and every request as before", async (name, spoil) => {
    const { lines, control, login } = await loggedIn(durability);
    spoil();
    expect([await login(), await login()]).toEqual([
      [202, 401, 200],
      [202, 401, 200],
    ]);
    const { status, json } = await control("GET", "/requests?appId=demo-app");
    expect([status, json.total]).toEqual([200, name === "the log" ? 0 : 6]);
    expect(warningsIn(lines)).toHaveLength(1);
    const { failures } = (await control("GET", "/status")).json;
    expect(failures).toEqual([{ who: expect.any(String), text: "broken on purpose", count: expect.any(Number) }]);
    expect(failures[0].count).toBeGreaterThanOrEqual(4);
  });

  test("who hears of codes and failures, and the delivery", async () => {
    const programs = { run: broken, stop: () => undefined };
    const { server, lines, control, login } = await loggedIn(durability, { programs });
    await control("PATCH", "/apps/demo-app", {
      settings: { delivery: { androidEmulators: true, iosSimulators: true } },
    });
    server.onPasscode(broken);
    server.onFirstFailure(broken);
    expect(await login()).toEqual([202, 401, 200]);
    await until(
      async () => (await control("GET", "/status")).json.failures?.length ?? 0,
      (count) => count >= 2,
    );
    expect(warningsIn(lines).length).toBeGreaterThanOrEqual(2);
    expect(await login()).toEqual([202, 401, 200]);
  });
});

test("without a failure the status has none", async () => {
  const { control, login, lines } = await loggedIn("memory");
  await login();
  expect((await control("GET", "/status")).json).not.toHaveProperty("failures");
  expect(lines.filter((line) => line.includes("bug"))).toEqual([]);
});
