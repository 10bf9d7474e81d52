/** The steps of a login, and the failures that each can have. */
import { describe, expect, test } from "vitest";
import type { RequestRow } from "#client/index.ts";
import { KIND_NAMES } from "#contract/documents/explorations.ts";
import { durationOf, failuresOf, faultsFor, fitting, stepNamed, stepsOf } from "#programs/explore/steps.ts";
import { exchangeRow } from "./rows.ts";

const row = (method: string, path: string, status: number, more: Partial<RequestRow> = {}): RequestRow =>
  exchangeRow({ method, path, status, listener: path.startsWith("/v1/users") ? "auth" : "admin", ...more });
const SESSION = "/v1/users/session";
const ROWS = [
  row("POST", "/v1/profiles", 201),
  row("POST", SESSION, 202),
  row("PUT", SESSION, 401, { reason: "passcode_mismatch", check: "rule" }),
  row("PUT", SESSION, 401, { reason: "passcode_mismatch", check: "rule" }),
  row("PUT", SESSION, 200),
  row("GET", "/v1/profiles/3b1c?x=1", 200),
  row("GET", "/v1/profiles", 401, { reason: "unknown_secret", check: "secret" }),
  row("GET", "/.well-known/jwks.json", 200, { listener: "auth" }),
];

describe("the steps", () => {
  test("are the first requests of each operation and outcome, numbered by operation", () => {
    expect(stepsOf(ROWS, false).map(({ name, sendsCode }) => [name, sendsCode])).toEqual([
      ["POST profiles #1", false],
      ["POST session #1", true],
      ["PUT session #1", false],
      ["PUT session #3", false],
      ["GET profile #1", false],
    ]);
  });

  test("with --every are all requests", () => {
    expect(stepsOf(ROWS, true).map(({ name }) => name)).toContain("PUT session #2");
  });

  test("are found by their name", () => {
    const [, , , wanted] = stepsOf(ROWS, false);
    expect(stepNamed("PUT session #3")).toEqual({ ...wanted, sendsCode: undefined });
    for (const wrong of ["PUT session", "PUT sessions #1", "PUT session #0", "PATCH session #1"])
      expect(stepNamed(wrong)).toBeUndefined();
  });

  test("meet their failure after the requests before them", () => {
    const step = stepNamed("PUT session #3");
    if (step === undefined) throw new Error("it is a step");
    const match = { listener: "auth", method: "PUT", path: SESSION };
    expect(faultsFor(step, "lost")).toEqual([
      { match, effect: { delayMs: 0 }, times: 2 },
      { match, effect: { drop: true, after: true }, times: 1 },
    ]);
  });
});

describe("the plan", () => {
  const all = failuresOf(stepsOf(ROWS, false), KIND_NAMES);

  test("has the failures of a code only where one is sent", () => {
    const of = (name: string) => all.filter(({ step }) => step.name === name).map(({ kind }) => kind);
    expect(of("POST session #1")).toEqual(KIND_NAMES);
    expect(of("PUT session #1")).toEqual(["unreached", "lost", "503", "504", "late", "twice"]);
  });

  test("takes what fits, the most telling first", () => {
    const [lost, late] = (["lost", "late"] as const).map((kind) => all.filter((one) => one.kind === kind));
    if (lost === undefined || late === undefined) throw new Error("two kinds");
    expect(durationOf(lost, 1_000, 1)).toBeLessThanOrEqual(lost.length * 1_500);
    expect(durationOf(lost, 1_000, 2)).toBe(durationOf(lost, 1_000, 1) / 2);
    expect(durationOf(late, 1_000, 1)).toBe(durationOf(lost, 1_000, 1) + late.length * 3_000);
    const few = fitting(all, 600, 1, 6_000);
    expect(few.map(({ kind }) => kind)).toEqual(["lost", "lost", "lost", "lost", "lost", "504"]);
    expect(fitting(all, 600, 1, undefined)).toBe(all);
  });
});
