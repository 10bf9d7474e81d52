/** The checks can fail: each is given a server with the defect it looks for. */
import fc from "fast-check";
import { expect, test } from "vitest";
import type { JsonObject } from "#contract/scalars.ts";
import { authFaults, DELETIONS, deletionFaults, methodFaults } from "./access.ts";
import type { Check, Finding } from "./checks.ts";
import { operation } from "./operations.ts";
import { fuzz } from "./run.ts";
import { FOREIGN, ID, SECRET } from "./seed.ts";
import { type Shot, shotOf, show, violatingShot } from "./shots.ts";
import { createTarget, type Target } from "./target.ts";
import { RIGHT_HEADERS, startWrongServer, type Told } from "./wrong-server.ts";

/** @returns what a check finds at a server that responds like this. */
const at = async <T>(told: Told, check: (target: Target) => Promise<T>): Promise<T> => {
  const server = await startWrongServer(told);
  const target = createTarget({ admin: server.url, auth: server.url, console: server.url });
  try {
    return await check(target);
  } finally {
    target.close();
    await server.close();
  }
};

const kinds = (faults: readonly Finding[]): Check[] => [...new Set(faults.map(({ check }) => check))];
const shot = (id: string, kind: Shot["kind"], more: Partial<Shot> = {}): Shot => ({
  ...shotOf(operation(id), { params: { userId: ID.ann } }, { kind, label: "for the test" }),
  ...more,
});

const PROFILE: JsonObject = {
  userId: ID.ann,
  name: "Ann",
  phone: null,
  email: null,
  metadata: null,
  createdAt: "2026-01-01T00:00:00.000Z",
  updatedAt: "2026-01-01T00:00:00.000Z",
};
const right: Told = { status: 200, body: JSON.stringify(PROFILE) };
const refusal = (status: number, reason: string, body: JsonObject = { message: "x", instruction: "y" }): Told => ({
  status,
  headers: { ...RIGHT_HEADERS, "Emulator-Reason": reason },
  body: JSON.stringify(body),
});
const invalid = refusal(422, "invalid_fields", { name: ["is wrong"] });

const get = shot("retrieveProfile", "valid");
const update = shot("updateProfile", "violating");

test("finds nothing wrong with a correct server", async () => {
  expect(await at(right, (target) => target.probe(get))).toEqual([]);
  expect(await at(invalid, (target) => target.probe(update))).toEqual([]);
  expect(await at(refusal(404, "unknown_profile"), (target) => target.probe(get))).toEqual([]);
});

test.each<[Check, string, Shot, Told]>([
  ["server error", "500", get, refusal(500, "internal", { message: "x", instruction: "y", errorId: "1" })],
  ["server error", "an undocumented 503", get, { ...right, status: 503 }],
  [
    "HTML or stack trace",
    "a router's HTML error page",
    get,
    { status: 404, headers: { "Content-Type": "text/html" }, body: "<!DOCTYPE html><pre>Cannot GET</pre>" },
  ],
  [
    "HTML or stack trace",
    "a stack trace in an instruction",
    get,
    refusal(404, "unknown_profile", {
      message: "x",
      instruction: "Error: x\n    at handle (file:///srv/app/http/bind.ts:12:7)",
    }),
  ],
  ["undocumented status", "an undocumented status", get, refusal(409, "username_collision")],
  ["undocumented media type", "text", get, { ...right, headers: { ...RIGHT_HEADERS, "Content-Type": "text/plain" } }],
  [
    "undocumented body",
    "a field of the wrong type",
    get,
    { status: 200, body: JSON.stringify({ ...PROFILE, name: 1 }) },
  ],
  ["undocumented body", "a missing field", get, { status: 200, body: JSON.stringify({ userId: ID.ann }) }],
  [
    "undocumented body",
    "an instant in another format",
    get,
    { status: 200, body: JSON.stringify({ ...PROFILE, createdAt: "today" }) },
  ],
  ["undocumented body", "no JSON", get, { status: 200, body: "{" }],
  ["undocumented body", "a 202 with a body", shot("startSession", "valid"), { status: 202, body: "{}" }],
  ["undocumented headers", "no Emulator header", get, { ...right, headers: { "Content-Type": "application/json" } }],
  ["wrong reason", "a refusal without a reason", get, { ...refusal(404, "unknown_profile"), headers: RIGHT_HEADERS }],
  ["wrong reason", "a reason that belongs to another status", get, refusal(404, "not_json")],
  ["invalid data accepted", "an invalid body is accepted", update, { status: 200, body: JSON.stringify(PROFILE) }],
  [
    "valid data rejected",
    "a valid body is called malformed",
    shot("updateProfile", "valid"),
    refusal(400, "malformed_json"),
  ],
  ["wrong status", "422 instead of 415", { ...update, status: 415 }, invalid],
  [
    "another app's data",
    "another app's name",
    get,
    { status: 200, body: JSON.stringify({ ...PROFILE, name: FOREIGN }) },
  ],
  ["another app's data", "a secret", get, { status: 200, body: JSON.stringify({ ...PROFILE, name: SECRET.fuzz }) }],
  ["state changed", "a rejected request is half written", update, { ...invalid, changes: true }],
  ["state changed", "a GET writes", get, { ...right, changes: true }],
  ["next write fails", "the store is corrupted", update, { ...invalid, breaks: true }],
])("finds: %s (%s)", async (check, _, sent, told) => {
  const faults = await at(told, (target) => target.probe(sent));
  expect(kinds(faults)).toContain(check);
});

test("finds: credentials are ignored", async () => {
  const { Authorization: _, ...headers } = get.headers;
  const anonymous: Shot = { ...get, kind: "violating", headers };
  expect(kinds(await at(right, (target) => authFaults(target, anonymous)))).toContain("auth ignored");
  expect(kinds(await at(refusal(403, "sign_up_closed"), (target) => authFaults(target, anonymous)))).toContain(
    "auth ignored",
  );
});

test("finds: 405 without Allow, and another status instead of 405", async () => {
  const one = { shot: shot("retrieveProfile", "hostile", { method: "PURGE", status: 405 }), allow: "GET, HEAD" };
  for (const told of [refusal(405, "method_not_allowed"), refusal(404, "unknown_path")])
    expect(kinds(await at(told, (target) => methodFaults(target, one)))).toContain("method");
});

test("finds: deleted records still work", async () => {
  for (const deletion of DELETIONS) {
    const faults = await at({ ...right, body: '{"active":true}' }, (target) => deletionFaults(target, deletion));
    expect(kinds(faults), deletion.target).toContain("used after deletion");
  }
});

test("a failed run prints the finding, the smallest request and how to repeat it", async () => {
  const shots = violatingShot(operation("createProfile")) ?? fc.constant(get);
  const run = at({ status: 201, body: JSON.stringify(PROFILE) }, (target) => fuzz(shots, target.probe, show));
  await expect(run).rejects.toThrow(
    /^invalid data accepted: 201 [\s\S]*\nviolating \([\s\S]*admin POST \/v1\/profiles [\s\S]*\nagain: STAGEDOOR_FUZZ_SEED=-?\d+ STAGEDOOR_FUZZ_PATH=[\d:]+$/,
  );
});
