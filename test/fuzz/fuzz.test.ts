/** Drives the server from our OpenAPI documents: with valid requests, invalid requests, and hostile ones. */
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { RunningServer } from "#server/server.ts";
import { startInProcess } from "#test/hosts/in-process.ts";
import { hostileBodyShot, hostileTargetShot } from "./hostile.ts";
import { GROUPS, operation } from "./operations.ts";
import { fuzz, SEED_OF_RUN, TIMEOUT_MS } from "./run.ts";
import { SECRET } from "./seed.ts";
import { type Shot, show, validShot, violatingShot } from "./shots.ts";
import { createTarget, type Target } from "./target.ts";

let server: RunningServer;
let target: Target;
const lines: string[] = [];
/** JavaScript's own prototypes before anything is sent. */
const prototypes = [Object.prototype, Array.prototype, Function.prototype, String.prototype];
const shapes = prototypes.map((one) => Reflect.ownKeys(one));

beforeAll(async () => {
  server = await startInProcess({ log: (line) => lines.push(line) });
  target = createTarget(server.urls);
});
afterAll(async () => {
  console.log(`fuzzed with seed ${SEED_OF_RUN}: ${target.sent} requests`);
  target.close();
  await server.close();
});

describe.each(GROUPS)("%s", (_, operations) => {
  const violating = operations.map(violatingShot).filter((one) => one !== undefined);

  test(
    "answers valid requests as documented",
    () => fuzz(fc.oneof(...operations.map(validShot)), target.probe, show),
    TIMEOUT_MS,
  );
  if (violating.length > 0)
    test(
      "rejects invalid requests as documented, and changes nothing",
      () => fuzz(fc.oneof(...violating), target.probe, show),
      TIMEOUT_MS,
    );
  test(
    "withstands hostile bodies",
    () => fuzz(fc.oneof(...operations.map(hostileBodyShot)), target.probe, show),
    TIMEOUT_MS,
  );
  test(
    "withstands hostile paths and queries",
    () => fuzz(fc.oneof(...operations.map(hostileTargetShot)), target.probe, show),
    TIMEOUT_MS,
  );
});

/** The same request to an app that accepts what others reject: its settings decide which status is right. */
const leniently = ({ status: _, ...shot }: Shot): Shot => ({
  ...shot,
  headers: { ...shot.headers, Authorization: `Bearer ${SECRET.lenient}` },
});

test(
  "an app with lenient validation withstands hostile bodies too",
  () => fuzz(hostileBodyShot(operation("createProfile")).map(leniently), target.probe, show),
  TIMEOUT_MS,
);

test("no request has changed JavaScript's prototypes or caused a warning", () => {
  expect(prototypes.map((one) => Reflect.ownKeys(one))).toEqual(shapes);
  expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  expect(lines).toEqual([]);
});
