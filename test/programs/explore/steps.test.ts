/** The steps of a login, and the failures that each can have. */
import { describe, expect, test } from "vitest";
import type { RequestRow } from "#client/index.ts";
import {
  type Explored,
  type ExploredRun,
  exploredMarkdown,
  exploredSummary,
  KIND_NAMES,
  matrixLines,
} from "#contract/documents/explorations.ts";
import { exploredJunit, newFailures } from "#programs/explore/report.ts";
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

describe("the result as text", () => {
  const run = (change: Partial<ExploredRun>): ExploredRun => ({
    step: "PUT session #1",
    kind: "lost",
    result: "passed",
    known: false,
    exitCode: 0,
    ms: 900,
    after: { requests: 0, lastStatus: null },
    left: { usedCodes: 0, lostSessions: 0 },
    repeat: "stagedoor explore --only 'PUT session #1:lost' -- npm test",
    ...change,
  });
  const failed = run({
    result: "failed",
    exitCode: 1,
    after: { requests: 2, repetitions: 1, lastStatus: 401, lastReason: "passcode_used" },
    left: { usedCodes: 1, lostSessions: 1 },
  });
  const result: Explored = {
    version: 1,
    steps: ["POST session #1", "PUT session #1"],
    kinds: ["lost", "503"],
    runs: [
      run({ step: "POST session #1" }),
      run({ step: "POST session #1", kind: "503", result: "missed" }),
      failed,
      run({ kind: "503", result: "timedOut", known: true, tries: { passed: 2, of: 3 } }),
    ],
  };

  test("is a matrix", () => {
    expect(matrixLines(result)).toEqual([
      "                 lost  503",
      "POST session #1  ·     –",
      "PUT session #1   ✗     2/3",
    ]);
    expect(exploredSummary(result)).toBe("1 of 3 runs passed, 1 failure known, in 1 the request did not come (–)");
    expect(newFailures(result)).toEqual([failed]);
  });

  test("is Markdown and JUnit", () => {
    const words =
      "the app sent 2 more requests, last response: 401 passcode_used; its HTTP stack repeated it; ended with 1, the user was not signed in; left behind: 1 used code, 1 session the app never received";
    expect(exploredMarkdown(result)).toContain(`(carried out, no response): ${words}\n`);
    const junit = exploredJunit(result);
    expect(junit).toContain('tests="4" failures="1" skipped="2"');
    expect(junit).toContain(
      `<failure message="${words}">stagedoor explore --only 'PUT session #1:lost' -- npm test</failure>`,
    );
  });
});
