/** What `status` and `doctor` say of a shared instance that runs. */
import { mkdir } from "node:fs/promises";
import { describe, expect, test, vi } from "vitest";
import { connect } from "#client/index.ts";
import { RequestLog } from "#http/traffic/request-log.ts";
import { FREE_PORTS, freshPath, run, start } from "#test/cli/support.ts";
import { startInProcess } from "#test/hosts/in-process.ts";

const JOIN = "join-the-others";

describe("a shared instance that runs", () => {
  test("status and doctor say what its apps keep, and doctor warns when there are as many as there may be", async () => {
    const data = freshPath();
    await mkdir(data, { mode: 0o700 });
    const tokens = { STAGEDOOR_JOIN_TOKEN: JOIN, STAGEDOOR_ACCESS_TOKEN: "whole-console" };
    const shared = ["--console-host", "127.0.0.1", "--shared-apps", "2", "--shared-memory", "64"];
    const server = await start(["--json", "--data", data, ...shared], tokens);
    const env = { STAGEDOOR_ACCESS_TOKEN: "whole-console", STAGEDOOR_CONSOLE_URL: server.ready.consoleUrl };
    const line = async () => /^ {2}Shared {3}.*$/m.exec((await run(["status"], { env })).out)?.[0];
    const finding = async () => {
      const { out } = await run(["doctor", ...FREE_PORTS, "--data", data, "--json"], { env });
      return JSON.parse(out).findings.find(({ check }: { check: string }) => check === "shared");
    };
    expect(await line()).toBe("  Shared   0 of 2 apps, 0.0 MiB of 64.0 MiB");
    expect(await finding()).toEqual({
      ...{ check: "shared", level: "ok", text: "shared: 0 of 2 apps, 0.0 MiB of 64.0 MiB" },
    });
    const others = connect({ consoleUrl: server.ready.consoleUrl, accessToken: JOIN });
    const { appId } = await others.apps.create({ ttlSeconds: 600, settings: { validation: "lenient" } });
    await others.apps.create({ ttlSeconds: 600 });
    const owner = connect({ consoleUrl: server.ready.consoleUrl, accessToken: "whole-console" });
    await owner.profiles.create({ appId, name: "x".repeat(1_000_000) });
    expect(await line()).toMatch(
      new RegExp(`^ {2}Shared {3}2 of 2 apps, \\d\\.\\d MiB of 64\\.0 MiB; ${appId} keeps the most, mainly profiles$`),
    );
    expect(await finding()).toMatchObject({
      ...{ level: "warn", advice: expect.stringContaining("--shared-apps and --shared-memory") },
      text: expect.stringMatching(
        new RegExp(`^shared: 2 of 2 apps, .*; ${appId} keeps \\d\\.\\d MiB, mainly profiles$`),
      ),
    });
    await server.stop();
  });
});

test("what listens and has failed is a finding of doctor, with what to do", async () => {
  const dataDir = freshPath();
  const server = await startInProcess({ config: { dataDir, durability: "disk" }, log: () => undefined });
  vi.spyOn(RequestLog.prototype, "add").mockImplementation(() => {
    throw new Error("broken on purpose");
  });
  const body = JSON.stringify({ appId: "demo-app", user: { phone: "+12025550100" } });
  const headers = { "Content-Type": "application/json" };
  for (let n = 0; n < 2; n++)
    expect((await fetch(`${server.urls.auth}/v1/users/session`, { method: "POST", headers, body })).status).toBe(202);
  const { out } = await run(["doctor", ...FREE_PORTS, "--data", dataDir, "--json"]);
  const failed = JSON.parse(out).findings.filter(({ check }: { check: string }) => check === "listeners");
  expect(failed).toEqual([
    {
      ...{ check: "listeners", level: "warn", text: expect.stringMatching(/ failed 2 times: .*broken on purpose/) },
      advice: expect.stringContaining("This is a bug in Stagedoor: report it"),
    },
  ]);
  vi.restoreAllMocks();
  await server.close();
});
