/** Credentials are always checked, missing methods are reported, and nothing works after it was deleted. */
import { METHODS } from "node:http";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { RunningServer } from "#server/server.ts";
import { startInProcess } from "#test/hosts/in-process.ts";
import {
  authFaults,
  DELETIONS,
  deletionFaults,
  methodFaults,
  ofAnotherApp,
  unauthorized,
  unsupported,
} from "./access.ts";
import { fuzz, RUNS, TIMEOUT_MS } from "./run.ts";
import { show } from "./shots.ts";
import { createTarget, type Target } from "./target.ts";

let server: RunningServer;
let target: Target;
beforeAll(async () => {
  server = await startInProcess();
  target = createTarget(server.urls);
});
afterAll(async () => {
  target.close();
  await server.close();
});

test(
  "admin without an app's secret always returns 401",
  () => fuzz(unauthorized, (shot) => authFaults(target, shot), show, RUNS * 4),
  TIMEOUT_MS,
);

test("no app can read, change or delete another app's data", () => fuzz(ofAnotherApp, target.probe, show), TIMEOUT_MS);

test("an unsupported method returns 405, and Allow lists the supported ones", async () => {
  const cases = unsupported(METHODS);
  expect(cases.length).toBeGreaterThan(200);
  await target.reseed();
  const faults: string[] = [];
  for (const one of cases)
    for (const { check, text } of await methodFaults(target, one)) faults.push(`${check}: ${text}: ${show(one.shot)}`);
  expect(faults).toEqual([]);
});

test.each(DELETIONS)("after $method $target on $listener nothing of the $what works", async (deletion) => {
  expect(await deletionFaults(target, deletion)).toEqual([]);
});
